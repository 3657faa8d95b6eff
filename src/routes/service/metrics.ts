/**
 * The state of the service for Prometheus. A request needs METRICS_TOKEN; a session or an API token does not open it. While the database is
 * away, it answers with what this process knows.
 */
import { hash, timingSafeEqual } from 'node:crypto'
import { type Context, Hono } from 'hono'
import manifest from '../../../package.json' with { type: 'json' }
import type { Config } from '../../config/config.ts'
import { bucketNamed } from '../../config/variable-types.ts'
import { databaseRoom } from '../../db/postgres/room.ts'
import type { Service } from '../../db/service/service.ts'
import { figuresOf, metricsOf, type OwnFigures } from '../../domain/service/metrics.ts'
import { DomainError } from '../../errors.ts'
import { currentTime } from '../../runtime/clock.ts'
import { processMeasure } from '../../runtime/measures.ts'
import { runtime } from '../../runtime/serve.ts'
import { shared, within } from '../../runtime/within.ts'
import type { Files } from '../../store/files.ts'
import type { Env } from '../http/context.ts'
import type { OpenAnswers } from '../http/open-answers.ts'
import type { RequestFigures } from '../http/request-figures.ts'
import type { CountSignedOut } from '../http/request-limits.ts'
import { bearerTokenIn } from '../http/sign-in.ts'
import type { DatabaseState } from './health-routes.tsx'
import { metricsText, type TextFormat, types } from './metrics-text.ts'

type Parts = {
  config: Pick<Partial<Config>, 'DOWNLOADS_DIR'>
  service: Service
  files: Files
  requests: RequestFigures
  open_answers: OpenAnswers
  databaseState: () => Promise<DatabaseState>
  countSignedOut: CountSignedOut
  /** Milliseconds of a clock that is never set back. */
  now?: (() => number) | undefined
}

/** A storage that takes longer counts as away. */
const storage_within_ms = 2000
/** Scrapes within this time get the same figures. */
const kept_ms = 5000
/** A scrape of Prometheus gives up after ten seconds by default. */
const longest_ms = 5000

export function metrics(token: string, parts: Parts) {
  const { config, service, files, requests, open_answers, databaseState, countSignedOut, now } = parts
  const is_bucket = bucketNamed(config.DOWNLOADS_DIR ?? '') !== undefined
  const figures = shared(() => figuresOf(service), kept_ms, now)
  const storage = shared(() => files.requireReachable().then(files.disk), kept_ms, now)
  const readProcess = processMeasure()
  const isToken = sameAs(token)

  const answer = async (format: TextFormat): Promise<string> => {
    const asked = databaseState()
    const [state, known, disk, room] = await Promise.all([
      asked,
      asked
        .then(state => (state === 'waiting for the database' ? undefined : within(longest_ms, figures())))
        .catch(() => undefined),
      within(storage_within_ms, storage()).catch(() => null),
      databaseRoom(),
    ])
    const own: OwnFigures = {
      version: manifest.version,
      runtime: runtime.name,
      is_bucket,
      requests: requests.all(),
      open_answers: open_answers.count(),
      process: readProcess(),
    }
    const database = { is_writable: state === 'ready', room }
    return metricsText(metricsOf({ figures: known, storage: disk, database, own }, currentTime()), format)
  }

  return new Hono<Env>().get('/metrics', async c => {
    c.set('by_token', true)
    c.header('Cache-Control', 'private, no-store')
    const given = bearerTokenIn(c.req.header('authorization'))
    if (given === undefined || !isToken(given)) {
      countSignedOut(c.get('client'))
      const code = given === undefined ? 'signed_out' : 'invalid_token'
      throw new DomainError(code, 'Send METRICS_TOKEN as a Bearer token.')
    }
    const format = formatFor(c)
    return c.body(await answer(format), 200, { 'Content-Type': types[format] })
  })
}

/** Compares hashes, so the time tells neither the length nor a part of the token. */
function sameAs(token: string): (text: string) => boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer')
  const expected = digest(token)
  return text => timingSafeEqual(digest(text), expected)
}

/** Prometheus asks for OpenMetrics. Other programs, such as `promtool`, read only the older format. */
const formatFor = (c: Context): TextFormat =>
  c.req.header('accept')?.includes('openmetrics') ? 'openmetrics' : 'prometheus'
