/** The status page: workers, tools, queue and disk. */
import { Hono } from 'hono'
import type { Service } from '../../db/service/service.ts'
import { healthOf } from '../../domain/service/health.ts'
import type { Files } from '../../store/files.ts'
import { HealthPage } from '../../views/service/health-page.tsx'
import type { Env } from '../http/context.ts'
import { pageOf } from '../http/page.ts'

export const healthPages = (service: Service, files: Files) =>
  new Hono<Env>().get('/health', async c => {
    const health = await healthOf(service, c.var.library, files, new Date())
    return c.html(<HealthPage page={pageOf(c)} health={health} />)
  })
