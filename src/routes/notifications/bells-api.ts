/** The bells of channels and groups, as JSON: with a bell, new videos are notified. */
import { type Context, Hono } from 'hono'
import { setChannelBell, setGroupBell } from '../../domain/notifications/bells.ts'
import type { Env } from '../http/context.ts'
import { done, operation } from '../http/operation.ts'

export const bellsApi = new Hono<Env>()
  .put(
    '/channels/:channel_id/bell',
    operation('Switch the bell of a channel on', done('You are notified of its new videos')),
    c => after(c, setChannelBell(c.var.library, c.req.param('channel_id'), true)),
  )

  .delete('/channels/:channel_id/bell', operation('Switch the bell of a channel off', done('Off')), c =>
    after(c, setChannelBell(c.var.library, c.req.param('channel_id'), false)),
  )

  .put(
    '/groups/:group_id/bell',
    operation('Switch the bell of a group on', done('You are notified of new videos of its channels')),
    c => after(c, setGroupBell(c.var.library, c.req.param('group_id'), true)),
  )

  .delete('/groups/:group_id/bell', operation('Switch the bell of a group off', done('Off')), c =>
    after(c, setGroupBell(c.var.library, c.req.param('group_id'), false)),
  )

async function after(c: Context<Env>, switching: Promise<string>): Promise<Response> {
  await switching
  return c.body(null, 204)
}
