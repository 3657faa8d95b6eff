/** The state of the service for signed-in people and their monitoring, as JSON. */
import { Hono } from 'hono'
import type { Service } from '../../db/service/service.ts'
import { healthOf } from '../../domain/service/health.ts'
import { Health } from '../../schema/service/health.ts'
import type { Files } from '../../store/files.ts'
import type { Env } from '../http/context.ts'
import { describeRoute } from '../http/operation.ts'

export const health = (service: Service, files: Files) =>
  new Hono<Env>().get(
    '/health',
    describeRoute({
      summary: 'The state of the service: tools, workers, queue and disk',
      responses: { 200: { description: 'Each warning says what to do', schema: Health } },
    }),
    async c => c.json(await healthOf(service, c.var.library, files, new Date())),
  )
