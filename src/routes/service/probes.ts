/** Two addresses for health checks of containers and proxies. They need no session and are not in the OpenAPI document. */
import { Hono } from 'hono'
import type { Env } from '../http/context.ts'

/** `pingDatabase` resolves when the database answers. */
export const probes = (pingDatabase: () => Promise<unknown>) =>
  new Hono<Env>()
    .get('/healthz', c => c.json({ status: 'alive' }))
    .get('/readyz', async c => {
      const is_ready = await pingDatabase().then(
        () => true,
        () => false,
      )
      return c.json({ status: is_ready ? 'ready' : 'waiting for the database' }, is_ready ? 200 : 503)
    })
