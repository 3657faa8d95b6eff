/**
 * Which downloads may start now, and which run gives its slot to another person, over all workers and people. Reads what the database
 * knows; the decisions are in `domain/downloads/slots.ts`.
 */
import { heldFlags, heldUntil } from '../../src/db/downloads/everyone/holds.ts'
import { blockedFlags, type HostLimits, hostFreeAt } from '../../src/db/downloads/everyone/hosts.ts'
import { isBeingFetched } from '../../src/db/downloads/everyone/shared-files.ts'
import { isAnyWaiting, readSlotQueue } from '../../src/db/downloads/everyone/slots.ts'
import type { EarliestStart, StartRequest } from '../../src/db/downloads/run-types.ts'
import { type Everyone, everyoneIn } from '../../src/db/everyone.ts'
import type { Queryable } from '../../src/db/postgres/client.ts'
import { download_flag } from '../../src/db/queue/flags.ts'
import { removeDownloads } from '../../src/db/queue/queue.ts'
import { lockVideo } from '../../src/db/queue/same-video.ts'
import { dead_after_s } from '../../src/domain/downloads/recovery.ts'
import { crowdsHost, fairShareFlags, yieldsSlot } from '../../src/domain/downloads/slots.ts'
import { currentTime } from '../../src/runtime/clock.ts'
import type { SlotQueue } from '../../src/schema/downloads/run.ts'
import type { TaskParts } from './task-parts.ts'

/** Who has and wants slots now, with the places at each host. */
async function slotQueue(
  sql: Everyone<Queryable>,
  { host_concurrency, isOurs }: Pick<HostLimits, 'host_concurrency' | 'isOurs'>,
): Promise<SlotQueue> {
  const placesAt = (host: string | null) =>
    host === null || isOurs(host) ? Number.POSITIVE_INFINITY : host_concurrency
  return { ...(await readSlotQueue(sql, dead_after_s)), placesAt }
}

/** The flags of jobs that workers skip, because they would have to put them back into the queue at once. */
export async function skippedFlags(sql: Everyone, host_limits: HostLimits): Promise<string[]> {
  const [blocked, held, queue] = await Promise.all([
    blockedFlags(sql, host_limits),
    heldFlags(sql),
    slotQueue(sql, host_limits),
  ])
  return [...fairShareFlags(queue), ...blocked, ...held]
}

/** Milliseconds for which the flags count. All idle workers of a process ask for them at the same moment. */
const flags_count_ms = 1000

type FlagParts = Pick<TaskParts, 'sql' | 'host_limits' | 'hoursBeginAt'>

/** Reads the flags of the jobs that this process skips, only while a download waits. Unread flags skip nothing: the claim checks again. */
export function flagReader({ sql, host_limits, hoursBeginAt }: FlagParts) {
  const read = async () => ((await isAnyWaiting(sql)) ? await skippedFlags(sql, host_limits) : [])
  let flags = Promise.resolve<string[]>([])
  let read_at = Number.NEGATIVE_INFINITY
  return async (): Promise<string[]> => {
    if (hoursBeginAt()) return [download_flag]
    if (performance.now() - read_at > flags_count_ms) {
      read_at = performance.now()
      flags = read().catch(() => [])
    }
    return flags
  }
}

/** A download that waits for another run of the same video is tried after this time, even if no end of that run was reported. */
const run_lost_ms = 300_000

type Decide = (tx: Everyone<Queryable>, request: StartRequest) => ReturnType<EarliestStart>

/** Decides when a download may start, while it is claimed. `is_sharing`: it waits while another one fetches the same video. */
const startDecidedBy =
  (is_sharing: boolean, decide: Decide): EarliestStart =>
  async (claiming, request) => {
    const tx = everyoneIn(claiming)
    const { address_hash } = request
    if (is_sharing && address_hash !== null) {
      await lockVideo(tx, address_hash)
      if (await isBeingFetched(tx, { ...request, address_hash }))
        return { free_at: new Date(currentTime().getTime() + run_lost_ms) }
    }
    return decide(tx, request)
  }

/** Decides when a download may start that takes a slot. */
export const earliestStart = (host_limits: HostLimits, is_sharing = false): EarliestStart =>
  startDecidedBy(is_sharing, async (tx, request) => {
    const { user_id, video_host, by } = request
    const held = by === 'rule' ? await heldUntil(tx, user_id, video_host ?? '') : undefined
    const free_at = held ?? (video_host === null ? undefined : await hostFreeAt(host_limits)(tx, video_host, request))
    return free_at && { free_at }
  })

/** Milliseconds after which a download that was taken outside of the hours is tried again, unless the hours begin before. */
const outside_ms = 300_000

/**
 * Decides by the hours first. Outside of them, workers skip every download, so this one was taken in the moment in which the hours ended,
 * or an older release queued it without the flag.
 */
export const withinHours =
  (hoursBeginAt: () => Date | undefined, decide: EarliestStart): EarliestStart =>
  async (tx, request) => {
    const begin_at = hoursBeginAt()
    if (!begin_at) return decide(tx, request)
    return { free_at: new Date(Math.min(begin_at.getTime(), currentTime().getTime() + outside_ms)) }
  }

/** A person with this many running downloads starts no further download to watch at once; it waits in the queue. */
const max_runs_to_watch = 6
/** No event tells that one of these runs has ended, so the download is tried again after this time. */
const retry_ms = 5000
/** Downloads from one host beyond HOST_CONCURRENCY that may run because people watch them. */
const more_at_host = 4

/**
 * Decides when a download may start that its person wants to watch. It takes no slot, does not wait between two downloads of a host, and
 * leaves the queue. A host that asked us to slow down is left alone in any case.
 */
export const startToWatch = (host_limits: HostLimits, is_sharing = false): EarliestStart =>
  startDecidedBy(is_sharing, async (tx, request) => {
    const { user_id, video_id, video_host } = request
    const queue = await slotQueue(tx, host_limits)
    const own_runs = queue.runs.filter(run => run.user_id === user_id)
    if (own_runs.length >= max_runs_to_watch || crowdsHost(queue, request))
      return { free_at: new Date(currentTime().getTime() + retry_ms) }
    const host_concurrency = host_limits.host_concurrency + more_at_host
    const to_watch = { ...host_limits, host_pause_seconds: 0, host_concurrency }
    const free_at = video_host === null ? undefined : await hostFreeAt(to_watch)(tx, video_host, request)
    if (free_at) return { free_at }
    await removeDownloads(tx, user_id, [video_id])
    return undefined
  })

/** Whether a run gives its slot to another person. */
export const yieldsSlotNow = (sql: Everyone, host_limits: HostLimits) => async (claim: string) =>
  yieldsSlot(await slotQueue(sql, host_limits), claim)
