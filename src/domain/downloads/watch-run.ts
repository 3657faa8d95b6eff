/**
 * Sends the heartbeats of one run, and ends the run early when it must end. A run that cannot reach the database for as long as
 * a run without heartbeats is allowed to live stops itself: another run may have begun by then, and two must never write one file.
 *
 * The heartbeat is in the database, so it works across machines and needs no list of processes. A run without a
 * heartbeat for 15 seconds is checked again 5 seconds later, because the database itself may have been away; then it
 * has lost its claim.
 */
import type { Library } from '../../db/library.ts'
import { every } from '../../runtime/every.ts'
import { joined } from '../../runtime/within.ts'
import type { Progress } from '../../schema/downloads/download.ts'
import type { Run } from '../../store/work.ts'
import type { Failure } from '../../ytdlp/failures/failure.ts'
import { dead_after_s } from './recovery.ts'

/**
 * Why a run ended early. `stopping`: this worker stops. `paused`: by its person. `hours`: those of downloads have ended. `rate`: it takes
 * long because of our own rate. `lost`: it was cancelled, or another run has it. `cut_off`: it cannot reach the database. `yields`: it
 * gives its slot to another person. A `Failure`: there is no room for the file.
 */
export type EarlyEnd = 'stopping' | 'paused' | 'hours' | 'rate' | 'lost' | 'cut_off' | 'yields' | Failure

export type RunWatch = {
  /** Aborted when the run must end; `why` then gives the reason. */
  signal: AbortSignal
  why(): EarlyEnd | undefined
  report(progress: Progress): void
  /** From now on the run keeps its slot: nothing is left to fetch, and what is sent to a distant storage has no speed here. */
  keepSlot(): void
  /** The first and the latest number of bytes that was reported; `null`: none was. */
  fetched(): FetchedBytes
  end(): void
}
export type FetchedBytes = { first_bytes: number | null; last_bytes: number | null }

export type WatchOptions = {
  library: Library
  /** Aborted when this worker stops; the download then goes back into the queue. */
  stopping: AbortSignal
  /** Calls `onDoubt` when the claim may be lost. Returns a function that stops watching. */
  watchClaim?: ((claim: string, onDoubt: () => void) => () => void) | undefined
  /** Why there is no room for the file; checked every few seconds. */
  lackOfRoom(progress: Progress): Promise<Failure | undefined>
  /** Milliseconds between two checks of room and slots. */
  check_ms?: number | undefined
  /** Whether this run gives its slot to another person; without it, it never does. */
  yieldsSlot?: ((claim: string) => Promise<boolean>) | undefined
  /** Whether the hours of downloads have ended; absent: this run goes on at any hour, as one that is watched does. */
  isOutsideHours?: (() => boolean | undefined) | undefined
  /** Bytes per second that our own rate leaves to this run now; `undefined`, as for a watched run: no limit. */
  shareNow?: (() => number | undefined) | undefined
  /** A run that our own rate slows down ends after so many milliseconds, and another one goes on. */
  longest_paced_ms?: number | undefined
}

/** Milliseconds between two heartbeats. Each one also writes the progress. */
const beat_ms = 1000
const every_5_s = 5000
/** Before the time after which yt-dlp is stopped, and the download fails for good (`longest_ms` of `ytdlp/fetch/download.ts`). */
const two_and_a_half_hours = 2.5 * 3_600_000

export const preparing: Progress = {
  phase: 'preparing',
  percent: null,
  downloaded_bytes: null,
  total_bytes: null,
  speed: null,
  eta_seconds: null,
}

/** Everything is on this machine. */
const is_fetched = new Set<Progress['phase']>(['merging', 'converting', 'processing'])

export function watchRun(options: WatchOptions, { video_id, claim }: Run): RunWatch {
  const { library, stopping, watchClaim, lackOfRoom, yieldsSlot, isOutsideHours, shareNow } = options
  const { check_ms = every_5_s, longest_paced_ms = two_and_a_half_hours } = options
  const ended = new AbortController()
  let why: EarlyEnd | undefined
  let progress = preparing
  let first_bytes: number | null = null
  let keeps_slot = false
  const endFor = (reason: EarlyEnd | undefined) => {
    if (!reason) return
    why ??= reason
    ended.abort()
  }
  /** The database, or the disk, may be unavailable for a moment: that is no reason to end. */
  const endUnlessUnknown = (reason: Promise<EarlyEnd | undefined> | undefined) =>
    reason?.then(
      found => keeps_slot || endFor(found),
      () => {},
    )

  let answered_at = performance.now()
  const beat = async () => {
    const sent_at = performance.now()
    const answer = await library.downloads.beat(video_id, claim, progress)
    if (answer === false) return endFor('lost')
    if (answer === 'paused' && !keeps_slot) return endFor('paused')
    answered_at = sent_at
  }
  const beatOrMiss = () => beat().catch(() => {})
  const beatOnce = joined(beatOrMiss)
  const tick = () => {
    if (performance.now() - answered_at > dead_after_s * 1000) endFor('cut_off')
    void beatOnce()
  }

  const checkSlot = () => void endUnlessUnknown(yieldsSlot?.(claim).then(yields => (yields ? 'yields' : undefined)))
  const checkRoom = () => void endUnlessUnknown(lackOfRoom(progress))
  const began_at = performance.now()
  let is_paced = false
  const checkTimes = () => {
    is_paced ||= shareNow?.() !== undefined
    // What is left to do needs no line.
    if (is_fetched.has(progress.phase)) return
    if (isOutsideHours?.()) endFor('hours')
    if (is_paced && performance.now() - began_at > longest_paced_ms) endFor('rate')
  }

  const beating = every(beat_ms, tick)
  const judging = [checkRoom, checkSlot, checkTimes].map(check => every(check_ms, check))
  const unwatch = watchClaim?.(claim, () => void beatOrMiss())
  const onStop = () => endFor('stopping')
  if (stopping.aborted) onStop()
  else stopping.addEventListener('abort', onStop, { once: true })

  return {
    signal: ended.signal,
    why: () => why,
    report: latest => {
      progress = latest
      first_bytes ??= latest.downloaded_bytes
    },
    fetched: () => ({ first_bytes, last_bytes: progress.downloaded_bytes }),
    keepSlot() {
      keeps_slot = true
      for (const timer of judging) clearInterval(timer)
    },
    end() {
      for (const timer of [beating, ...judging]) clearInterval(timer)
      unwatch?.()
      stopping.removeEventListener('abort', onStop)
    },
  }
}
