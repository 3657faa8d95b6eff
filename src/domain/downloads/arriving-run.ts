/**
 * The worker's side of a video that is played while it is downloaded (`arriving.ts`): one run records what has arrived, for its viewers.
 */
import { setTimeout } from 'node:timers/promises'
import type { RunStart } from '../../db/downloads/run-types.ts'
import type { Progress } from '../../schema/downloads/download.ts'
import type { ArrivingState } from '../../schema/downloads/run.ts'
import type { Files } from '../../store/files.ts'
import type { Run } from '../../store/work.ts'
import type { Arriving } from '../../ytdlp/process/download-context.ts'
import { arrivingKey } from './arriving.ts'
import { lackOfDisk, type RoomLimits } from './room.ts'

/** Milliseconds between two checks whether a viewer waits for the video. */
const look_ms = 500
/** Milliseconds between two states of the run that are written. */
const state_ms = 2000

/** `room`: segments take as many bytes as the file once more, so they are made only where the disk has room for both. */
type ArrivingRunParts = { files: Files; room: RoomLimits; is_sharing: boolean }
type StartedRun = Run & Pick<RunStart, 'video' | 'quality'>

export type ArrivingRun = Arriving & {
  isWatched(): boolean
  report(progress: Progress): void
  /** From now on, only the person of the run can watch what arrives. */
  keepPrivate(): Promise<void>
  end(): Promise<void>
}

/**
 * Makes segments of the video of one run once a viewer waits for them. `isWatched`: whether one has. `report`: how far the download is.
 * `end`: removes the segments, because the file is in its place, or another run makes new segments.
 */
export function arrivingRun({ files, room, is_sharing }: ArrivingRunParts, run: StartedRun): ArrivingRun {
  const keyIf = (is_shared: boolean) =>
    arrivingKey({ ...run.video, user_id: run.user_id, quality: run.quality }, is_shared)
  let key = keyIf(is_sharing)
  const ended = new AbortController()
  let facts: Pick<ArrivingState, 'duration_s' | 'is_whole_only' | 'has_all' | 'lacks_room'> | undefined
  let ends_at: number | null = null
  let recorded_at = Number.NEGATIVE_INFINITY
  let bytes = { got: 0, total: 0 }
  const writeState = async () => {
    if (!facts || ended.signal.aborted) return
    recorded_at = performance.now()
    await files.arriving.writeState(key, JSON.stringify({ ...facts, ends_at } satisfies ArrivingState))
  }
  let is_watched = false
  const viewer = async () => {
    const own_key = key
    await whenWanted(files, own_key, ended.signal)
    if (key === own_key) is_watched = true
  }
  let wanted = viewer()
  return {
    get wanted() {
      return wanted
    },
    isWatched: () => is_watched,
    async keepPrivate() {
      await files.arriving.forget(key, run.claim).catch(() => {})
      key = keyIf(false)
      facts = undefined
      // It may have been another person who watched.
      is_watched = false
      wanted = viewer()
    },
    async newFolder() {
      if (await lackOfDisk({ files, room }, 2 * bytes.total - bytes.got)) {
        facts = { duration_s: null, ...facts, is_whole_only: true, lacks_room: true }
        await writeState()
        throw new Error('The disk has no room for segments.')
      }
      return files.arriving.newFolder(key, run.claim)
    },
    async say(about) {
      facts = about
      await writeState()
    },
    report({ phase, eta_seconds, downloaded_bytes, total_bytes }) {
      bytes = { got: downloaded_bytes ?? 0, total: total_bytes ?? 0 }
      // yt-dlp tells only of the transfer how long it takes.
      ends_at = phase === 'downloading' && eta_seconds !== null ? Date.now() + eta_seconds * 1000 : null
      if (performance.now() - recorded_at > state_ms) writeState().catch(() => {})
    },
    async end() {
      ended.abort()
      await files.arriving.forget(key, run.claim).catch(() => {})
    },
  }
}

/** Resolves when a viewer waits for the video; never, if there is no viewer. */
async function whenWanted(files: Files, key: string, signal: AbortSignal): Promise<void> {
  while (!(await files.arriving.isWanted(key).catch(() => false))) {
    await setTimeout(look_ms, undefined, { signal }).catch(() => {})
    if (signal.aborted) await new Promise(() => {})
  }
}
