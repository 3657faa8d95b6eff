/** How the service is doing, as JSON. */
import { Hono } from 'hono'
import type { Service } from '../../db/queue/service.ts'
import type { Files } from '../../domain/downloads/files.ts'
import { healthOf } from '../../domain/health.ts'
import type { Env } from '../middleware/context.ts'

export const apiHealth = (service: Service, files: Files) =>
  new Hono<Env>().get('/health', async c => c.json(await healthOf(service, c.var.library, files, new Date())))
