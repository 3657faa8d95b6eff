/** The state of the service: workers, tools, queue and disk as a page and as JSON, and two probes that need no sign-in. */
import { Hono } from 'hono'
import type { Service } from '../../db/service/service.ts'
import { healthOf } from '../../domain/service/health.ts'
import { Health } from '../../schema/service/health.ts'
import type { Files } from '../../store/files.ts'
import { HealthPage } from '../../views/service/health-page.tsx'
import type { Env } from '../http/context.ts'
import { ok, operation } from '../http/operation.ts'
import { pageOf } from '../http/page.ts'

export const healthPages = (service: Service, files: Files) =>
  new Hono<Env>().get('/health', async c => {
    const health = await healthOf(service, c.var.library, files, new Date())
    return c.html(<HealthPage page={pageOf(c)} health={health} />)
  })

export const healthApi = (service: Service, files: Files) =>
  new Hono<Env>().get(
    '/health',
    operation('The state of the service: tools, workers, queue and disk', ok(Health, 'Each warning says what to do')),
    async c => c.json(await healthOf(service, c.var.library, files, new Date())),
  )

/** For health checks of containers and proxies. They are not in the OpenAPI document. */
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
