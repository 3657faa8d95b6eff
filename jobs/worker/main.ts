/** A worker process: its runners of graphile-worker, its heartbeat, the recovery from dead workers, and a graceful stop. */
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { everyoneIn } from '../../src/db/everyone.ts'
import { connect, isFull } from '../../src/db/postgres/client.ts'
import { keepTime } from '../../src/db/postgres/clock.ts'
import { recordFull } from '../../src/db/postgres/room.ts'
import {
  beatWorker,
  endReport,
  forgetWorkers,
  listenForLostClaims,
  listenForToolChecks,
  listenForWatchers,
} from '../../src/db/service/everyone/operations.ts'
import { recover } from '../../src/domain/downloads/recovery.ts'
import { storageTrouble } from '../../src/domain/downloads/room.ts'
import { type ClockCare, careForClock } from '../../src/domain/service/clock-care.ts'
import { every } from '../../src/runtime/every.ts'
import { openPulse } from '../../src/runtime/pulse.ts'
import { joined } from '../../src/runtime/within.ts'
import { flagReader } from '../tasks/download-slots.ts'
import { repairQueue } from '../tasks/housekeeping.ts'
import { checkMedia } from '../tasks/media.ts'
import type { WorkerParts } from './parts.ts'
import { type KeptRunner, keepRunner } from './runner.ts'
import { type RunnerPlan, runners } from './runners.ts'

export { runner_options } from './runner.ts'

export type Worker = { stop(): Promise<void> }
type WorkerOptions = {
  database_url: string
  /** Downloads at once. */
  concurrency: number
}

/** Connections for heartbeats and housekeeping, so that these wait for no other work, and other work keeps no connection open at rest. */
const care_connections = 3

/**
 * Opens the runners, and then starts the heartbeat and repairs the queue. Resolves when all runners are open. Where a part cannot be
 * opened, the others are closed.
 */
export async function startWorker(parts: WorkerParts, options: WorkerOptions): Promise<Worker> {
  const opened: (() => unknown)[] = []
  const stop = async () => {
    // A part that cannot be closed, as without the database, keeps no other one open.
    for (const close of opened.splice(0).reverse())
      await Promise.resolve()
        .then(close)
        .catch(() => {})
  }
  try {
    await openParts(parts, options, opened)
    return { stop }
  } catch (fault) {
    await stop()
    throw fault
  }
}

/** `opened`: what closes the parts, each of which needs those before it. */
async function openParts(
  parts: WorkerParts,
  { database_url, concurrency }: WorkerOptions,
  opened: (() => unknown)[],
): Promise<void> {
  const { log } = parts
  const sql = everyoneIn(connect(database_url, { max: care_connections }))
  opened.push(() => sql.end({ timeout: 2 }))
  opened.push(await keepTime(sql, log))
  const clock = await careForClock({ sql, log })
  const care_parts = { ...parts, sql, isTimeDoubtful: clock.isDoubtful }
  const skippedFlags = flagReader(care_parts)
  const opening = await Promise.allSettled(openRunners(parts, care_parts, { database_url, concurrency }, skippedFlags))
  const open = opening.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
  const tool_care = parts.careForTools()
  opened.push(async () => {
    tool_care.stop()
    await Promise.all(open.map(runner => runner.stop()))
    await forgetWorkers(
      sql,
      open.map(runner => runner.id()),
    )
  })
  for (const one of opening) if (one.status === 'rejected') throw one.reason
  opened.push(await listenForLostClaims(sql, parts.tellClaim))
  opened.push(await listenForToolChecks(sql, tool_care.checkNow))
  opened.push(await listenForWatchers(sql, parts.expectWatch))
  const heartbeat = startHeartbeat(care_parts, { slots: concurrency, runners: open, skippedFlags, clock })
  opened.push(heartbeat.stop)
  checkMedia(care_parts).catch((fault: unknown) => log.warn({ err: fault }, 'could not check MEDIA_DIR'))
  repairQueue(care_parts).catch((fault: unknown) => log.warn({ err: fault }, 'could not repair the queue'))
}

function openRunners(
  parts: WorkerParts,
  care_parts: WorkerParts,
  { database_url, concurrency }: WorkerOptions,
  forbiddenFlags: () => Promise<string[]>,
) {
  const { sql, log } = care_parts
  const onOpen = (id: string) => void beatWorker(sql, id).catch(() => {})
  return Object.values<RunnerPlan>(runners).map(({ jobs_at_once, poll_ms, tasks, skips_flags, has_clock }) =>
    keepRunner({
      database_url,
      concurrency: jobs_at_once === 'WORKER_CONCURRENCY' ? concurrency : jobs_at_once,
      poll_ms,
      log,
      onOpen,
      taskList: tasks(parts, care_parts),
      ...(skips_flags && { forbiddenFlags }),
      ...(has_clock ? { crontabFile } : { parsedCronItems: [] }),
    }),
  )
}

/** What runs when; the plain `graphile-worker` command reads the same file. */
export const crontabFile = fileURLToPath(new URL('crontab', import.meta.url))

/** Milliseconds between two heartbeats of a worker that has work, each with a look for dead workers. */
const beat_ms = 2000
/** The same for a worker that runs and skips nothing and has no news, because each is written to the disk. Far below `dead_after_s`. */
const idle_beat_ms = 8000

type Beating = { slots: number; runners: KeptRunner[]; skippedFlags(): Promise<string[]>; clock: ClockCare }

function startHeartbeat(parts: WorkerParts, { slots, runners, skippedFlags, clock }: Beating) {
  const { sql, log } = parts
  const pulse = openPulse()
  const recoverOnce = joined(() => recover(parts))
  let last: { at: number; id: string; said: unknown; is_busy: boolean } | undefined
  const beat = async () => {
    // The runner of downloads is the first in `runners.ts`.
    const [id = '', ...others] = runners.map(runner => runner.id())
    const tools = parts.toolReport()
    const said = { id, others, tools, clock: clock.trouble() }
    const now = performance.now()
    const is_running = runners.some(runner => runner.isBusy())
    const is_early = last && !last.is_busy && now - last.at < idle_beat_ms - beat_ms / 2
    if (!is_running && is_early && isDeepStrictEqual(said, last?.said)) return
    const skipped = await skippedFlags()
    const report = { ...tools, slots, storage: (await storageTrouble(parts.files)) ?? null, clock: said.clock }
    // The runner broke, and another one is open.
    if (last && last.id !== id) await endReport(sql, last.id)
    const sent_ms = performance.now()
    const time = await beatWorker(sql, id, report, skipped, others)
    if (await clock.look(time, sent_ms)) for (const runner of runners) runner.readCrontabAgain()
    last = { at: now, id, said, is_busy: is_running || skipped.length > 0 }
    await pulse.beat()
    await recoverOnce()
  }
  const beatOrLog = () =>
    beat().catch((fault: unknown) => {
      if (isFull(fault)) recordFull()
      log.warn({ err: fault }, 'could not send a heartbeat')
    })
  const timer = every(beat_ms, beatOrLog)
  void beatOrLog()
  return {
    stop() {
      clearInterval(timer)
      return pulse.end()
    },
  }
}
