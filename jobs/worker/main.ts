/** A worker process: its pools of graphile-worker, its heartbeat, the recovery from dead workers, and a graceful stop. */
import { fileURLToPath } from 'node:url'
import { bytesInBin } from '../../src/db/bin/everyone/bin.ts'
import {
  beatPools,
  beatWorker,
  countFailed,
  forgetWorkers,
  listenForLostClaims,
} from '../../src/db/service/everyone/operations.ts'
import { storageTrouble } from '../../src/domain/downloads/room.ts'
import { most_watched, skippedFlags } from '../tasks/download-slots.ts'
import { recover, repairQueue } from '../tasks/recover.ts'
import { checkMedia } from '../tasks/update-media.ts'
import { taskLists, type WorkerParts } from './parts.ts'
import { keepPool } from './pool.ts'

export { pool_options } from './pool.ts'

export type Worker = { stop(): Promise<void> }
type Options = {
  database_url: string
  /** Downloads at once. */
  concurrency: number
}

/** Jobs at once in each of the other pools. They mostly wait for other servers. Watched downloads start although all slots are taken. One job for pictures fetches those of one host. */
export const most = {
  watched: most_watched,
  shares: 2,
  feeds: 48,
  imports: 3,
  listings: 2,
  looks: 2,
  media: 2,
  pictures: 12,
  care: 1,
}
/** The next part of an import becomes free without a notification when the part before it ends, so this pool polls often. */
const imports_poll_ms = 500

/** Milliseconds between two heartbeats of a worker; each one also looks for dead workers. */
const beat_ms = 2000

export async function startWorker(parts: WorkerParts, { database_url, concurrency }: Options): Promise<Worker> {
  const { sql, log } = parts
  const { downloads, watched, shares, feeds, imports, listings, looks, media, pictures, care } = taskLists(parts)
  // Skipped jobs keep their place in the queue. If the flags cannot be read, nothing is skipped: the claim checks again.
  const forbiddenFlags = () => skippedFlags(sql, parts.host_limits).catch(() => [])
  const onOpen = (id: string) => void beatWorker(sql, id).catch(() => {})
  const each = { log, onOpen, database_url, parsedCronItems: [] }
  const pools = await Promise.all([
    keepPool({ ...each, concurrency, taskList: downloads, forbiddenFlags }),
    keepPool({ ...each, concurrency: most.watched, taskList: watched }),
    keepPool({ ...each, concurrency: most.shares, taskList: shares }),
    keepPool({ ...each, concurrency: most.feeds, takes_many: true, taskList: feeds }),
    keepPool({ ...each, concurrency: most.imports, taskList: imports, pollInterval: imports_poll_ms }),
    keepPool({ ...each, concurrency: most.listings, taskList: listings }),
    keepPool({ ...each, concurrency: most.looks, taskList: looks }),
    ...(parts.media ? [keepPool({ ...each, concurrency: most.media, taskList: media })] : []),
    keepPool({ ...each, concurrency: most.pictures, takes_many: true, taskList: pictures }),
    keepPool({ log, onOpen, database_url, concurrency: most.care, taskList: care, crontabFile }),
  ])
  const unlisten = await listenForLostClaims(sql, parts.tellClaim)
  const tool_care = parts.careForTools()
  const heartbeat = startHeartbeat(parts, concurrency, () => pools.map(pool => pool.id()))
  checkMedia(parts).catch((fault: unknown) => log.warn({ err: fault }, 'could not check MEDIA_DIR'))
  repairQueue(parts).catch((fault: unknown) => log.warn({ err: fault }, 'could not repair the queue'))

  return {
    async stop() {
      heartbeat.stop()
      tool_care.stop()
      await Promise.all([unlisten(), ...pools.map(pool => pool.stop())])
      const stopped = pools.map(pool => pool.id())
      await forgetWorkers(sql, stopped)
    },
  }
}

/** What runs when; the plain `graphile-worker` command reads the same file. */
export const crontabFile = fileURLToPath(new URL('crontab', import.meta.url))

function startHeartbeat(parts: WorkerParts, slots: number, pool_ids: () => string[]) {
  const { sql, log } = parts
  let recovering: Promise<void> | undefined
  let bin_bytes = 0
  let summed_at = 0
  const beat = async () => {
    // The sum reads all deleted files, so it is made once a minute.
    if (Date.now() - summed_at > 60_000) {
      bin_bytes = await bytesInBin(sql)
      summed_at = Date.now()
    }
    const storage = (await storageTrouble(parts.files)) ?? null
    const report = { ...parts.toolReport(), ...(await countFailed(sql)), bin_bytes, slots, storage }
    const skipped = await skippedFlags(sql, parts.host_limits)
    const [downloads = '', ...others] = pool_ids()
    await beatWorker(sql, downloads, report, skipped)
    await beatPools(sql, others)
    recovering ??= recover(parts).finally(() => {
      recovering = undefined
    })
    await recovering
  }
  const beatOrLog = () => beat().catch((fault: unknown) => log.warn({ err: fault }, 'could not send a heartbeat'))
  const timer = setInterval(beatOrLog, beat_ms)
  void beatOrLog()
  return { stop: () => clearInterval(timer) }
}
