/** Alive, and able to work; for whoever watches over the service. */
import { Hono } from 'hono'
import type { Env } from '../middleware/context.ts'

/** `ask` resolves when the database answers. */
export const health = (ask: () => Promise<unknown>) =>
  new Hono<Env>()
    .get('/healthz', c => c.json({ status: 'alive' }))
    .get('/readyz', async c => {
      const ready = await ask().then(
        () => true,
        () => false,
      )
      return c.json({ status: ready ? 'ready' : 'waiting for the database' }, ready ? 200 : 503)
    })
