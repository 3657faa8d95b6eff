/** Two addresses for health checks of containers and proxies. They need no session and are not in the OpenAPI document. */
import { Hono } from 'hono'
import type { Service } from '../../db/service/service.ts'
import type { Env } from '../http/context.ts'

export const probes = ({ ping }: Pick<Service, 'ping'>) =>
  new Hono<Env>()
    .get('/healthz', c => c.json({ status: 'alive' }))
    .get('/readyz', async c => {
      const is_ready = await ping().then(
        () => true,
        () => false,
      )
      return c.json({ status: is_ready ? 'ready' : 'waiting for the database' }, is_ready ? 200 : 503)
    })
