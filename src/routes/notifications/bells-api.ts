/** The bells of channels and groups, as JSON: whether their new videos are told. */
import { Hono } from 'hono'
import { ringForChannel, ringForGroup } from '../../domain/notifications/bells.ts'
import type { Env } from '../http/context.ts'
import { done, operation } from '../http/operation.ts'

export const bellsApi = new Hono<Env>()
  .put('/channels/:channel_id/bell', operation('Be told of the new videos of a channel', done('On')), async c => {
    await ringForChannel(c.var.library, c.req.param('channel_id'), true)
    return c.body(null, 204)
  })

  .delete('/channels/:channel_id/bell', operation('No longer be told of a channel', done('Off')), async c => {
    await ringForChannel(c.var.library, c.req.param('channel_id'), false)
    return c.body(null, 204)
  })

  .put('/groups/:group_id/bell', operation('Be told of the new videos of a group', done('On')), async c => {
    await ringForGroup(c.var.library, c.req.param('group_id'), true)
    return c.body(null, 204)
  })

  .delete('/groups/:group_id/bell', operation('No longer be told of a group', done('Off')), async c => {
    await ringForGroup(c.var.library, c.req.param('group_id'), false)
    return c.body(null, 204)
  })
