/** A person's groups of channels, as JSON. */
import { Hono } from 'hono'
import { chooseGroups, deleteGroup, renameGroup } from '../../domain/channels/groups.ts'
import { Channel } from '../../schema/channels/channel.ts'
import { Group, GroupRequest, Groups, GroupsOfChannel } from '../../schema/channels/group.ts'
import { acknowledge } from '../http/answers.tsx'
import type { Env } from '../http/context.ts'
import { created, done, ok, operation, validJson } from '../http/operation.ts'

export const groupsApi = new Hono<Env>()
  .get('/groups', operation('List your groups of channels', ok(Groups, 'Ordered by name')), async c =>
    c.json({ groups: await c.var.library.groups.list() }),
  )

  .post(
    '/groups',
    operation('Create a group of channels', created(Group, 'The group, which has no channels yet'), { errors: [409] }),
    validJson(GroupRequest),
    async c => c.json(await c.var.library.groups.create(c.req.valid('json').name), 201),
  )

  .put(
    '/groups/:group_id',
    operation('Rename a group', ok(Group, 'The group'), { errors: [409] }),
    validJson(GroupRequest),
    async c => c.json(await renameGroup(c.var.library, c.req.param('group_id'), c.req.valid('json').name)),
  )

  .delete('/groups/:group_id', operation('Delete a group; its channels stay', done('Deleted')), c =>
    acknowledge(c, deleteGroup(c.var.library, c.req.param('group_id'))),
  )

  .put(
    '/channels/:channel_id/groups',
    operation('Choose the groups of a channel', ok(Channel, 'The channel'), {
      description: 'The channel leaves all other groups. If one of the groups does not exist, nothing changes.',
    }),
    validJson(GroupsOfChannel),
    async c => c.json(await chooseGroups(c.var.library, c.req.param('channel_id'), c.req.valid('json').group_ids)),
  )
