/**
 * The signs of life of one run, and whatever ends it before its time. A run that cannot reach the database for as long as
 * others need to think it dead stops by itself: by then another may have begun, and two must never write the same file.
 */
import type { Library } from '../../db/library/library.ts'
import type { Progress } from '../../schema/download.ts'
import type { Failure } from '../../ytdlp/run/failure.ts'
import type { Run } from './files.ts'
import { dead_after_s } from './recovery.ts'
import { slices, speedometer, type YieldReason } from './slots.ts'

/** `lost`: it was cancelled, or another run has it; a yield reason: it gives up its slot; a failure: there is no room to go on. */
export type Early = 'stopping' | 'lost' | 'cut_off' | YieldReason | Failure

export type Life = {
  /** Aborted when the run must end; `why` then says what for. */
  signal: AbortSignal
  why(): Early | undefined
  tell(progress: Progress): void
  /** The first and the latest count of bytes; `null`: none was told. */
  fetched(): { first_bytes: number | null; last_bytes: number | null }
  end(): void
}

export type LifeOptions = {
  library: Library
  stopping: AbortSignal
  /** Calls back as soon as the claim may be lost. Returns how to stop watching. */
  watchClaim?: ((claim: string, onDoubt: () => void) => () => void) | undefined
  /** What stands against going on, looked at every few seconds. */
  lackOfRoom(progress: Progress): Promise<Failure | undefined>
  /** How often room and slots are looked at. */
  look_ms?: number | undefined
  /** Whether this run gives up its slot to others. */
  yieldReasonOf?: ((claim: string, is_slow: boolean) => Promise<YieldReason | undefined>) | undefined
}

/** How often a run gives a sign of life, which is also how often its progress is written. */
const beat_ms = 1000
const every_5_s = 5000

export const preparing: Progress = {
  phase: 'preparing',
  percent: null,
  downloaded_bytes: null,
  total_bytes: null,
  speed: null,
  eta_seconds: null,
}

export function beginLife(
  { library, stopping, watchClaim, lackOfRoom, yieldReasonOf, look_ms = every_5_s }: LifeOptions,
  { video_id, claim }: Run,
): Life {
  const ended = new AbortController()
  let why: Early | undefined
  let progress = preparing
  let first_bytes: number | null = null
  const speedNow = speedometer()
  const endFor = (reason: Early) => {
    why ??= reason
    ended.abort()
  }

  let heard_at = performance.now()
  const beat = async () => {
    const asked_at = performance.now()
    if (!(await library.downloads.beat(video_id, claim, progress))) return endFor('lost')
    heard_at = asked_at
  }
  // A database that is away for a moment is no reason to stop.
  const beatOrMiss = () => beat().catch(() => {})
  let is_beating = false
  const tick = () => {
    if (performance.now() - heard_at > dead_after_s * 1000) endFor('cut_off')
    if (is_beating) return
    is_beating = true
    beatOrMiss().finally(() => {
      is_beating = false
    })
  }
  const look = () =>
    lackOfRoom(progress).then(
      lack => lack && endFor(lack),
      () => {},
    )

  const yieldIfNeeded = () => {
    const speed = speedNow(performance.now(), progress.downloaded_bytes ?? 0)
    // What does not say how much has come is not judged by it.
    const is_known = progress.phase === 'preparing' || progress.downloaded_bytes !== null
    const is_slow = is_known && speed !== undefined && speed < slices.slow_bytes_s
    yieldReasonOf?.(claim, is_slow).then(
      reason => reason && endFor(reason),
      () => {},
    )
  }

  const timers = [setInterval(tick, beat_ms), setInterval(look, look_ms), setInterval(yieldIfNeeded, look_ms)]
  const unwatch = watchClaim?.(claim, () => void beatOrMiss())
  const onStop = () => endFor('stopping')
  if (stopping.aborted) onStop()
  else stopping.addEventListener('abort', onStop, { once: true })

  return {
    signal: ended.signal,
    why: () => why,
    tell: latest => {
      progress = latest
      first_bytes ??= latest.downloaded_bytes
    },
    fetched: () => ({ first_bytes, last_bytes: progress.downloaded_bytes }),
    end() {
      for (const timer of timers) clearInterval(timer)
      unwatch?.()
      stopping.removeEventListener('abort', onStop)
    },
  }
}
