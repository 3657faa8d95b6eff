/** A person's groups of channels. */
import { type Context, Hono } from 'hono'
import {
  addToGroup,
  changeGroup,
  chooseGroups,
  deleteGroup,
  getGroup,
  renameGroup,
  restoreGroup,
} from '../../domain/channels/groups.ts'
import { getChannel } from '../../domain/get.ts'
import { DomainError } from '../../errors.ts'
import { Channel } from '../../schema/channels/channel.ts'
import {
  ChannelGroupsForm,
  Group,
  GroupForm,
  GroupRequest,
  Groups,
  GroupsOfChannel,
  WholeGroupForm,
} from '../../schema/channels/group.ts'
import { channelPath, foldPath, groupPath, groups_path, newPath, tick_channels_path } from '../../schema/http/paths.ts'
import { isolated } from '../../schema/values/words.ts'
import { ColumnTicks } from '../../views/channels/choosing-channels.tsx'
import { ChannelGroupsPage, GroupPage, GroupsPage } from '../../views/channels/groups-page.tsx'
import { ColumnFold } from '../../views/frames/library-column.tsx'
import { Saved } from '../../views/frames/settings-frame.tsx'
import { acknowledge, goTo, restored, undoable } from '../http/answers.tsx'
import { type Env, isFragment } from '../http/context.ts'
import { created, done, ok, operation, validJson } from '../http/operation.ts'
import { pageOf } from '../http/page.ts'
import { pageBefore } from '../http/redirects.ts'
import { errorsAt, type FormFields, formPage, orRefusal, textIn, valid } from '../http/valid.ts'

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

export const groupPages = new Hono<Env>()
  .get('/groups', c => groupsPage(c))

  .post('/groups', valid('form', GroupForm, groupsPage), async c => {
    const form = c.req.valid('form')
    const group = await orRefusal(c.var.library.groups.create(form.name), ['conflict', 'invalid'])
    if (group instanceof DomainError) return groupsPage(c, group, form)
    return c.redirect(groupPath(group), 303)
  })

  // The column shows it. Without a script, the page of all channels has the same.
  .get(foldPath(), async c => {
    if (!isFragment(c)) return c.redirect('/channels', 303)
    return c.render(<ColumnFold library={await c.var.library.groups.column()} here={c.req.query('here')} is_open />)
  })

  // The column shows it. Without a script, the page of all channels has the same checkboxes.
  .get(tick_channels_path, async c => {
    if (!isFragment(c)) return c.redirect('/channels?select=1', 303)
    const done = pageBefore(c.req.header('referer'), c.var.here, '/')
    return c.render(<ColumnTicks column={await c.var.library.groups.column()} done={done} />)
  })

  .get('/groups/:group_id', c => groupPage(c))

  .post('/groups/:group_id', valid('form', WholeGroupForm, groupPage), async c => {
    const { name, channel_id } = c.req.valid('form')
    const saved = await orRefusal(changeGroup(c.var.library, c.req.param('group_id'), name, channel_id), ['conflict'])
    if (saved instanceof DomainError) return groupPage(c, saved, { name, channel_id })
    if (isFragment(c)) return c.render(<Saved />)
    return goTo(c, newPath(saved.group_id), `Saved the group ${isolated(saved.name)}.`)
  })

  .post('/groups/:group_id/delete', async c => {
    const group_id = c.req.param('group_id')
    const { name } = await deleteGroup(c.var.library, group_id)
    const text = `Deleted the group ${isolated(name)}. Its channels stay.`
    return goTo(c, groups_path, undoable(text, { do: 'restore_group', group_id }))
  })

  .post('/groups/:group_id/restore', c =>
    restored(c, 'group', restoreGroup(c.var.library, c.req.param('group_id')), groups_path),
  )

  .get('/channels/:channel_id/groups', c => channelGroupsPage(c))

  .post('/channels/:channel_id/groups', valid('form', ChannelGroupsForm, channelGroupsPage), async c => {
    const { group_id, name } = c.req.valid('form')
    const channel_id = c.req.param('channel_id')
    const channel = await chooseGroups(c.var.library, channel_id, group_id)
    const added = name && (await orRefusal(addToGroup(c.var.library, [channel_id], { name }), ['conflict', 'invalid']))
    if (added instanceof DomainError) return channelGroupsPage(c, added, { group_id, name })
    return goTo(c, channelPath(channel), 'Saved.')
  })

const idsIn = (field: unknown): string[] => [field ?? []].flat().filter(id => typeof id === 'string')

async function groupsPage(c: Context<Env>, refusal?: DomainError, fields: FormFields = {}): Promise<Response> {
  const column = await c.var.library.groups.column()
  const form = { column, name: textIn(fields.name), errors: errorsAt('name', refusal) }
  return formPage(c, <GroupsPage page={pageOf(c)} {...form} />, refusal)
}

async function groupPage(c: Context<Env>, refusal?: DomainError, fields?: FormFields): Promise<Response> {
  const { library } = c.var
  const { group, members } = await getGroup(library, c.req.param('group_id') ?? '')
  const [column, channels] = await Promise.all([library.groups.column(), library.channels.list()])
  const chosen = new Set(fields ? idsIn(fields.channel_id) : members)
  const form = { column, name: textIn(fields?.name, group.name), errors: errorsAt('name', refusal) }
  return formPage(
    c,
    <GroupPage page={pageOf(c)} group={group} channels={channels} chosen={chosen} {...form} />,
    refusal,
  )
}

async function channelGroupsPage(c: Context<Env>, refusal?: DomainError, fields?: FormFields): Promise<Response> {
  const { library } = c.var
  const channel = await getChannel(library, c.req.param('channel_id') ?? '')
  const column = await library.groups.column()
  const chosen = new Set(fields ? idsIn(fields.group_id) : channel.group_ids)
  const form = { column, name: textIn(fields?.name), errors: errorsAt('name', refusal) }
  return formPage(c, <ChannelGroupsPage page={pageOf(c)} channel={channel} chosen={chosen} {...form} />, refusal)
}
