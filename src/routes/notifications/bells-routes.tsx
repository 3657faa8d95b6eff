/** The bells of channels and groups: with a bell, new videos are notified. */
import { type Context, Hono } from 'hono'
import { setChannelBell } from '../../domain/channels/channels.ts'
import { setGroupBell } from '../../domain/channels/groups.ts'
import { BellForm } from '../../schema/channels/channel-api.ts'
import { channelPath, groupPath } from '../../schema/http/paths.ts'
import { isolated } from '../../schema/values/words.ts'
import { BellSaved } from '../../views/notifications/bell-saved.tsx'
import { acknowledge, back } from '../http/answers.tsx'
import { type Env, isFragment } from '../http/context.ts'
import { done, operation } from '../http/operation.ts'
import { valid } from '../http/valid.ts'

export const bellsApi = new Hono<Env>()
  .put(
    '/channels/:channel_id/bell',
    operation('Switch the bell of a channel on', done('You are notified of its new videos')),
    c => acknowledge(c, setChannelBell(c.var.library, c.req.param('channel_id'), true)),
  )

  .delete('/channels/:channel_id/bell', operation('Switch the bell of a channel off', done('Off')), c =>
    acknowledge(c, setChannelBell(c.var.library, c.req.param('channel_id'), false)),
  )

  .put(
    '/groups/:group_id/bell',
    operation('Switch the bell of a group on', done('You are notified of new videos of its channels')),
    c => acknowledge(c, setGroupBell(c.var.library, c.req.param('group_id'), true)),
  )

  .delete('/groups/:group_id/bell', operation('Switch the bell of a group off', done('Off')), c =>
    acknowledge(c, setGroupBell(c.var.library, c.req.param('group_id'), false)),
  )

export const bellPages = new Hono<Env>()
  .post('/channels/:channel_id/bell', valid('form', BellForm), async c => {
    const channel_id = c.req.param('channel_id')
    const { bell } = c.req.valid('form')
    return saved(c, channelPath({ channel_id }), await setChannelBell(c.var.library, channel_id, bell), bell)
  })

  .post('/groups/:group_id/bell', valid('form', BellForm), async c => {
    const group_id = c.req.param('group_id')
    const { bell } = c.req.valid('form')
    return saved(c, groupPath({ group_id }), await setGroupBell(c.var.library, group_id, bell), bell)
  })

/** The answer says when there is no target, because a bell without one sends no message. */
async function saved(c: Context<Env>, path: string, name: string, bell: boolean): Promise<Response> {
  const lacks_target = bell && !(await c.var.library.outbox.hasTargetFor('new_video'))
  if (isFragment(c)) return c.render(<BellSaved lacks_target={lacks_target} />)
  const change = bell ? 'You are notified of' : 'You are no longer notified of'
  const where = lacks_target ? ' Choose in Settings, Notifications, where you are notified.' : ''
  return back(c, path, `${change} new videos of ${isolated(name)}.${where}`)
}
