/** Lets people watch the video of one run while the run downloads it. Making the segments is left to `ytdlp/run/arriving.ts`. */
import { setTimeout } from 'node:timers/promises'
import type { Started } from '../../db/downloads/run-types.ts'
import type { Progress } from '../../schema/downloads/download.ts'
import type { ArrivingNote } from '../../schema/downloads/run.ts'
import type { Files } from '../../store/files.ts'
import type { Run } from '../../store/work.ts'
import type { Arriving } from '../../ytdlp/run/download-context.ts'
import { arrivingKey } from './arriving.ts'
import { lackOfDisk, type RoomLimits } from './room.ts'

/** Milliseconds between two looks whether someone waits for it. */
const look_ms = 500
/** Milliseconds between two notes. */
const note_ms = 2000

/** `room`: segments take as much as the file once more, and only where the download has room all the same. */
type Options = { files: Files; room: RoomLimits; is_sharing: boolean }
type StartedRun = Run & Pick<Started, 'video' | 'quality'>

/** `report`: how far the download is. `end`: removes the segments, because the file is in its place, or another run makes new ones. */
export function arrivingRun(
  { files, room, is_sharing }: Options,
  run: StartedRun,
): Arriving & { report(progress: Progress): void; end(): Promise<void> } {
  const key = arrivingKey({ ...run.video, user_id: run.user_id, quality: run.quality }, is_sharing)
  const ended = new AbortController()
  let facts: Pick<ArrivingNote, 'duration_s' | 'is_whole_only' | 'has_all' | 'lacks_room'> | undefined
  let ends_at: number | null = null
  let noted_at = 0
  let bytes = { got: 0, total: 0 }
  const note = async () => {
    if (!facts || ended.signal.aborted) return
    noted_at = Date.now()
    await files.arriving.note(key, JSON.stringify({ ...facts, ends_at } satisfies ArrivingNote))
  }
  return {
    wanted: whenWanted(files, key, ended.signal),
    async newFolder() {
      if (await lackOfDisk({ files, room }, 2 * bytes.total - bytes.got)) {
        facts = { duration_s: null, ...facts, is_whole_only: true, lacks_room: true }
        await note()
        throw new Error('The disk has no room for segments.')
      }
      return files.arriving.newFolder(key, run.claim)
    },
    async say(about) {
      facts = about
      await note()
    },
    report({ phase, eta_seconds, downloaded_bytes, total_bytes }) {
      bytes = { got: downloaded_bytes ?? 0, total: total_bytes ?? 0 }
      // Only of the transfer it is known how long it takes.
      ends_at = phase === 'downloading' && eta_seconds !== null ? Date.now() + eta_seconds * 1000 : null
      if (Date.now() - noted_at > note_ms) note().catch(() => {})
    },
    async end() {
      ended.abort()
      await files.arriving.forget(key, run.claim).catch(() => {})
    },
  }
}

/** Never resolves when no one wants it. */
async function whenWanted(files: Files, key: string, signal: AbortSignal): Promise<void> {
  while (!(await files.arriving.isWanted(key).catch(() => false))) {
    await setTimeout(look_ms, undefined, { signal }).catch(() => {})
    if (signal.aborted) await new Promise(() => {})
  }
}
