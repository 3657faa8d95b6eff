/** The bells of channels and groups, as JSON: with a bell, new videos are notified. */
import { Hono } from 'hono'
import { setChannelBell, setGroupBell } from '../../domain/notifications/bells.ts'
import { acknowledge } from '../http/answers.tsx'
import type { Env } from '../http/context.ts'
import { done, operation } from '../http/operation.ts'

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
