/**
 * The addresses that hubs call back (WebSub). They need no sign-in and are not in the OpenAPI document: the id in the path is secret,
 * and a delivery counts only with the hub's signature.
 *
 * Hubs deliver for many feeds from one address, so nothing is counted per address. Instead, few requests query the database at a time,
 * and addresses take turns. A body that arrives slowly waits outside, and is not kept in memory.
 */
import { Hono } from 'hono'
import type { PushCallbacks } from '../../db/push/push-callbacks.ts'
import { answerHub, type Delivery, receiveDelivery } from '../../domain/push/hub-callbacks.ts'
import type { Log } from '../../runtime/log.ts'
import { turnsFor } from '../../runtime/turns.ts'
import { PushId } from '../../schema/push/push.ts'
import type { Env } from '../http/context.ts'

const turns = {
  most: 6,
  of_one: 4,
  waiting: { most: 1000, of_one: 500, sentence: 'Too many deliveries wait. Send this one again later.' },
}

/** A delivery whose signature is wrong gets the same answer as a right one: the sender learns nothing. */
const statuses: Record<Delivery, 202 | 410 | 413> = { checked: 202, ignored: 202, gone: 410, too_large: 413 }

export function push(callbacks: PushCallbacks, log: Log) {
  const inTurn = turnsFor(turns)
  const callbacksFor = (client: string): PushCallbacks => ({
    find: id => inTurn(client, () => callbacks.find(id)),
    recordLease: (id, lease) => inTurn(client, () => callbacks.recordLease(id, lease)),
    recordDelivery: id => inTurn(client, () => callbacks.recordDelivery(id)),
  })
  const isId = (text: string) => PushId.safeParse(text).success
  return new Hono<Env>()
    .get('/push/:push_id', async c => {
      const push_id = c.req.param('push_id')
      if (!isId(push_id)) return c.body(null, 410)
      const reply = await answerHub(callbacksFor(c.get('client')), push_id, new URL(c.req.url).searchParams)
      c.header('Cache-Control', 'no-store')
      return reply.status === 200 ? c.text(reply.body) : c.body(null, reply.status)
    })
    .post('/push/:push_id', async c => {
      const push_id = c.req.param('push_id')
      if (!isId(push_id)) return c.body(null, 410)
      const body = c.req.raw.body ?? new ReadableStream<Uint8Array>({ start: stream => stream.close() })
      const signature = c.req.header('x-hub-signature')
      const delivery = await receiveDelivery(callbacksFor(c.get('client')), push_id, signature, body)
      if (delivery === 'ignored') log.debug('a delivery of a hub without its signature was ignored')
      return c.body(null, statuses[delivery])
    })
}
