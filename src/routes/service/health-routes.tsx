/** The state of the service, as a page with its repairs and as JSON, for administrators; and two probes that need no sign-in. */
import { type Context, Hono } from 'hono'
import type { Library } from '../../db/library.ts'
import { isDatabaseFull } from '../../db/postgres/room.ts'
import type { Service } from '../../db/service/service.ts'
import { checkTools, endPauses, retryForAll } from '../../domain/admin/repairs.ts'
import { healthOf } from '../../domain/service/health.ts'
import { DomainError } from '../../errors.ts'
import { currentTime } from '../../runtime/clock.ts'
import { joined, within } from '../../runtime/within.ts'
import { status_path } from '../../schema/http/paths.ts'
import { Health, HostForm } from '../../schema/service/health.ts'
import type { UserId } from '../../schema/values/user.ts'
import { countWords } from '../../schema/values/words.ts'
import type { Files } from '../../store/files.ts'
import { HealthPage } from '../../views/service/health-page.tsx'
import { goTo } from '../http/answers.tsx'
import type { Env } from '../http/context.ts'
import { for_administrators, ok, operation } from '../http/operation.ts'
import { pageOf } from '../http/page.ts'
import { orRefusal, valid } from '../http/valid.ts'

export const healthPages = (service: Service, files: Files, libraryOf: (user_id: UserId) => Library) =>
  new Hono<Env>()
    .get('/health', async c => {
      const health = await healthOf(service, c.var.desk.service, files, currentTime())
      return c.render(<HealthPage page={pageOf(c)} health={health} />)
    })

    .post('/health/end-pause', valid('form', HostForm.required()), c => {
      const { host } = c.req.valid('form')
      return told(c, endPauses(c.var.desk.service, host), () => `The pause of ${host} has ended.`)
    })

    .post('/health/retry', valid('form', HostForm), c => {
      const retrying = retryForAll(c.var.desk.service, libraryOf, files, c.req.valid('form').host)
      return told(c, retrying, requested => {
        const again = requested.filter(({ result }) => result === 'queued').length
        return again === 0 ? 'No download has failed.' : `${countWords(again, 'download')} queued again.`
      })
    })

    .post('/health/check-ytdlp', c =>
      told(c, checkTools(c.var.desk.service, service), () => 'The workers look for a new yt-dlp. Reload in a minute.'),
    )

/** Says on the page what an act did, or why it did nothing. */
async function told<T>(c: Context<Env>, acting: Promise<T>, words: (done: T) => string): Promise<Response> {
  const done = await orRefusal(acting, ['conflict'])
  return goTo(c, status_path, done instanceof DomainError ? done : words(done))
}

export const healthApi = (service: Service, files: Files) =>
  new Hono<Env>().get(
    '/health',
    operation('The state of the service: tools, workers, queue and disk', ok(Health, 'Each warning says what to do'), {
      description: `${for_administrators} It counts the downloads of all people, and names none of them.`,
      errors: [404],
    }),
    async c => c.json(await healthOf(service, c.var.desk.service, files, currentTime())),
  )

/** Milliseconds in which the database answers, unless it is away. */
const answers_within_ms = 1000

export type DatabaseState =
  | 'ready'
  | 'waiting for the database'
  | 'the database is read-only'
  | 'the disk of the database is full'

/** Whether the database answers and takes changes. Callers share one question, so none pile up while it does not answer. */
export function databaseState({ isReadOnly }: Pick<Service, 'isReadOnly'>): () => Promise<DatabaseState> {
  const asked = joined(isReadOnly)
  return async () => {
    const is_read_only = await within(answers_within_ms, asked()).catch(() => undefined)
    if (is_read_only === undefined) return 'waiting for the database'
    if (is_read_only) return 'the database is read-only'
    return isDatabaseFull() ? 'the disk of the database is full' : 'ready'
  }
}

/** For health checks of containers and proxies. They are not in the OpenAPI document. */
export const probes = (stateOf: () => Promise<DatabaseState>) =>
  new Hono<Env>()
    .get('/healthz', c => c.json({ status: 'alive' }))
    .get('/readyz', async c => {
      const status = await stateOf()
      return c.json({ status }, status === 'ready' ? 200 : 503)
    })
