/** The status page: workers, tools, queue and disk. */
import { Hono } from 'hono'
import type { Service } from '../../db/queue/service.ts'
import { healthOf } from '../../domain/health.ts'
import type { Files } from '../../store/files.ts'
import { HealthPage } from '../../views/pages/health.tsx'
import type { Env } from '../middleware/context.ts'
import { pageOf } from '../middleware/render.tsx'

export const healthPages = (service: Service, files: Files) =>
  new Hono<Env>().get('/health', async c => {
    const health = await healthOf(service, c.var.library, files, new Date())
    return c.html(<HealthPage page={pageOf(c)} health={health} />)
  })
