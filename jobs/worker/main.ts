/** A worker process: its pools of graphile-worker, its heartbeat, the recovery from dead workers, and a graceful stop. */
import { fileURLToPath } from 'node:url'
import {
  beatPools,
  beatWorker,
  endReport,
  forgetWorkers,
  listenForLostClaims,
  listenForToolChecks,
} from '../../src/db/service/everyone/operations.ts'
import { storageTrouble } from '../../src/domain/downloads/room.ts'
import { openPulse } from '../../src/runtime/pulse.ts'
import { skippedFlags } from '../tasks/download-slots.ts'
import { recover, repairQueue } from '../tasks/housekeeping.ts'
import { checkMedia } from '../tasks/media.ts'
import type { WorkerParts } from './parts.ts'
import { keepPool } from './pool.ts'
import { type PoolPlan, pools } from './pools.ts'

export { pool_options } from './pool.ts'

export type Worker = { stop(): Promise<void> }
type WorkerOptions = {
  database_url: string
  /** Downloads at once. */
  concurrency: number
}

/** Milliseconds between two heartbeats of a worker; each one also looks for dead workers. */
const beat_ms = 2000

/** Opens the pools, and then starts the heartbeat and repairs the queue. Resolves when all pools are open. */
export async function startWorker(parts: WorkerParts, { database_url, concurrency }: WorkerOptions): Promise<Worker> {
  const { sql, log } = parts
  const open_pools = await openPools(parts, database_url, concurrency)
  const tool_care = parts.careForTools()
  const unlisten = await Promise.all([
    listenForLostClaims(sql, parts.tellClaim),
    listenForToolChecks(sql, tool_care.checkNow),
  ])
  const heartbeat = startHeartbeat(parts, concurrency, () => open_pools.map(pool => pool.id()))
  checkMedia(parts).catch((fault: unknown) => log.warn({ err: fault }, 'could not check MEDIA_DIR'))
  repairQueue(parts).catch((fault: unknown) => log.warn({ err: fault }, 'could not repair the queue'))

  return {
    async stop() {
      await heartbeat.stop()
      tool_care.stop()
      await Promise.all([...unlisten.map(end => end()), ...open_pools.map(pool => pool.stop())])
      const stopped = open_pools.map(pool => pool.id())
      await forgetWorkers(sql, stopped)
    },
  }
}

/** A pool without tasks is not opened. */
function openPools(parts: WorkerParts, database_url: string, concurrency: number) {
  const { sql, log } = parts
  // Skipped jobs keep their place in the queue. If the flags cannot be read, nothing is skipped: the claim checks again.
  const forbiddenFlags = () => skippedFlags(sql, parts.host_limits).catch(() => [])
  const onOpen = (id: string) => void beatWorker(sql, id).catch(() => {})
  const plans = Object.values<PoolPlan>(pools).map(({ tasks, ...plan }) => ({ ...plan, taskList: tasks(parts) }))
  return Promise.all(
    plans
      .filter(({ taskList }) => Object.keys(taskList).length > 0)
      .map(({ jobs_at_once, skips_blocked, has_clock, ...plan }) =>
        keepPool({
          ...{ ...plan, log, onOpen, database_url },
          concurrency: jobs_at_once === 'WORKER_CONCURRENCY' ? concurrency : jobs_at_once,
          ...(skips_blocked && { forbiddenFlags }),
          ...(has_clock ? { crontabFile } : { parsedCronItems: [] }),
        }),
      ),
  )
}

/** What runs when; the plain `graphile-worker` command reads the same file. */
export const crontabFile = fileURLToPath(new URL('crontab', import.meta.url))

function startHeartbeat(parts: WorkerParts, slots: number, pool_ids: () => string[]) {
  const { sql, log } = parts
  const pulse = openPulse()
  let recovering: Promise<void> | undefined
  let reported_id: string | undefined
  const beat = async () => {
    const storage = (await storageTrouble(parts.files)) ?? null
    const report = { ...parts.toolReport(), slots, storage }
    const skipped = await skippedFlags(sql, parts.host_limits)
    // The pool of downloads is the first in `pools.ts`.
    const [downloads_pool_id = '', ...others] = pool_ids()
    // The pool broke, and another one is open.
    if (reported_id !== undefined && reported_id !== downloads_pool_id) await endReport(sql, reported_id)
    reported_id = downloads_pool_id
    await beatWorker(sql, downloads_pool_id, report, skipped)
    await beatPools(sql, others)
    await pulse.beat()
    recovering ??= recover(parts).finally(() => {
      recovering = undefined
    })
    await recovering
  }
  const beatOrLog = () => beat().catch((fault: unknown) => log.warn({ err: fault }, 'could not send a heartbeat'))
  const timer = setInterval(beatOrLog, beat_ms)
  void beatOrLog()
  return {
    stop() {
      clearInterval(timer)
      return pulse.end()
    },
  }
}
