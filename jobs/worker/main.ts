/** A worker process: its pools of graphile-worker, a sign of life, the recovery of what dead workers held, a graceful stop. */
import { fileURLToPath } from 'node:url'
import { beatWorker, countFailed, forgetWorker, listenForLostClaims } from '../../src/db/across/operations.ts'
import { recover, tidy } from '../tasks/housekeeping.ts'
import { type Parts, taskLists } from './parts.ts'
import { keepPool } from './pool.ts'
import { passedOver } from './turns.ts'

export { pool_options } from './pool.ts'

export type Worker = { stop(): Promise<void> }
type Options = {
  database_url: string
  /** Downloads at once. */
  concurrency: number
}

/** At once, of each pool but the one that downloads. All of them mostly wait for somebody else. */
const most = { feeds: 6, imports: 3, care: 1 }
/** The next stretch of a list becomes free without a word when the one before it ends, and is found by looking. */
const next_stretch_ms = 500

/** How often a worker gives a sign of life and looks for the dead. */
const beat_ms = 2000

export async function startWorker(parts: Parts, { database_url, concurrency }: Options): Promise<Worker> {
  const { sql, log } = parts
  const { downloads, feeds, imports, care } = taskLists(parts)
  // Passed over, not taken and put back: what has to wait for its host keeps its place and costs nothing.
  const forbiddenFlags = () =>
    // The claim asks again; a database that is away is the pool's own to notice.
    passedOver(sql, parts.host_limits).catch(() => [])
  const onOpen = (id: string) => void beatWorker(sql, id).catch(() => {})
  const each = { log, onOpen, database_url, parsedCronItems: [] }
  const pools = await Promise.all([
    keepPool({ ...each, concurrency, taskList: downloads, forbiddenFlags }),
    keepPool({ ...each, concurrency: most.feeds, taskList: feeds }),
    keepPool({ ...each, concurrency: most.imports, taskList: imports, pollInterval: next_stretch_ms }),
    keepPool({ log, onOpen, database_url, concurrency: most.care, taskList: care, crontabFile }),
  ])
  const unlisten = await listenForLostClaims(sql, parts.claims.tell)
  const tool_care = parts.careForTools()
  const beats = startBeats(parts, concurrency, () => pools.map(pool => pool.id()))
  tidy(parts).catch((fault: unknown) => log.warn({ err: fault }, 'could not tidy up'))

  return {
    async stop() {
      beats.stop()
      tool_care.stop()
      await Promise.all([unlisten(), ...pools.map(pool => pool.stop())])
      await Promise.all(pools.map(pool => forgetWorker(sql, pool.id())))
    },
  }
}

/** What runs when; the plain `graphile-worker` command reads the same file. */
export const crontabFile = fileURLToPath(new URL('crontab', import.meta.url))

function startBeats(parts: Parts, slots: number, ids: () => string[]) {
  let recovering: Promise<void> | undefined
  const beat = async () => {
    const report = { ...parts.tools(), ...(await countFailed(parts.sql)), slots }
    const passed_over = await passedOver(parts.sql, parts.host_limits)
    // The first is the one that downloads.
    await Promise.all(
      ids().map((id, n) => (n === 0 ? beatWorker(parts.sql, id, report, passed_over) : beatWorker(parts.sql, id))),
    )
    recovering ??= recover(parts).finally(() => {
      recovering = undefined
    })
    await recovering
  }
  const beatOrSay = () =>
    beat().catch((fault: unknown) => parts.log.warn({ err: fault }, 'could not give a sign of life'))
  const timer = setInterval(beatOrSay, beat_ms)
  void beatOrSay()
  return { stop: () => clearInterval(timer) }
}
