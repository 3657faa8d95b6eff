/** A person's groups of channels, as JSON. */
import { Hono } from 'hono'
import { chooseGroups, deleteGroup, renameGroup } from '../../domain/channels/groups.ts'
import { Channel } from '../../schema/channels/channel.ts'
import { Group, GroupRequest, Groups, GroupsOfChannel } from '../../schema/channels/group.ts'
import type { Env } from '../http/context.ts'
import { describeRoute, validJson } from '../http/operation.ts'

export const groups = new Hono<Env>()
  .get(
    '/groups',
    describeRoute({
      summary: 'List your groups of channels',
      responses: { 200: { description: 'Ordered by name', schema: Groups } },
    }),
    async c => c.json({ groups: await c.var.library.groups.list() }),
  )

  .post(
    '/groups',
    describeRoute({
      summary: 'Create a group of channels',
      responses: { 201: { description: 'The group, which has no channels yet', schema: Group } },
      errors: [409],
    }),
    validJson(GroupRequest),
    async c => c.json(await c.var.library.groups.create(c.req.valid('json').name), 201),
  )

  .put(
    '/groups/:group_id',
    describeRoute({
      summary: 'Rename a group',
      responses: { 200: { description: 'The group', schema: Group } },
      errors: [409],
    }),
    validJson(GroupRequest),
    async c => c.json(await renameGroup(c.var.library, c.req.param('group_id'), c.req.valid('json').name)),
  )

  .delete(
    '/groups/:group_id',
    describeRoute({
      summary: 'Delete a group; its channels stay',
      responses: { 204: { description: 'Deleted', schema: null } },
    }),
    async c => {
      await deleteGroup(c.var.library, c.req.param('group_id'))
      return c.body(null, 204)
    },
  )

  .put(
    '/channels/:channel_id/groups',
    describeRoute({
      summary: 'Choose the groups of a channel',
      description: 'The channel leaves all other groups. If one of the groups does not exist, nothing changes.',
      responses: { 200: { description: 'The channel', schema: Channel } },
    }),
    validJson(GroupsOfChannel),
    async c => c.json(await chooseGroups(c.var.library, c.req.param('channel_id'), c.req.valid('json').group_ids)),
  )
