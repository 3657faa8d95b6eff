/** Imports one planned file: brings it into a work folder, converts it where browsers could not play it, and gives it to the library. */
import { lstat, symlink } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { TakenFile, TakenOver } from '../../db/downloads/taken-over.ts'
import type { Library } from '../../db/library.ts'
import type { SubtitleFile } from '../../schema/sources/subtitles.ts'
import type { Files } from '../../store/files.ts'
import { placeOf } from '../../store/paths.ts'
import type { Run } from '../../store/work.ts'
import { convertFile, subtitlesInside } from '../../ytdlp/run/convert-file.ts'
import { withInner } from '../../ytdlp/run/subtitles.ts'
import { lackOfRoom, overQuota, type RoomLimits } from '../downloads/room.ts'
import { saveAddedVideo } from '../saving/save-feed.ts'
import type { VideoAddress } from './addresses.ts'
import { areOnOneDisk, bringFile, type Manner } from './bring-file.ts'
import { entryOfFile } from './entry-of-file.ts'
import { keepFresh } from './fresh-folder.ts'
import type { PlannedFile } from './plan.ts'
import { bytesOf } from './raw-path.ts'
import { probed, type Reading } from './read-file.ts'
import { bringSubtitles } from './subtitles.ts'

export type Importing = Reading & {
  library: Library
  files: Files
  manner: Manner
  room: RoomLimits
  umask: number
}

/** `stopped`: the import cannot continue. `skipped`: this file is not imported; the next run tries it again. */
export type Imported =
  | { outcome: 'imported'; file_size: number; download_path: string; is_copied: boolean }
  | { outcome: 'skipped'; reason: string }
  | { outcome: 'stopped'; reason: string }

const skipped = (reason: string): Imported => ({ outcome: 'skipped', reason })

/** Rejects when `signal` is aborted, and when the database or the disk fails. */
export async function importFile(importing: Importing, planned: PlannedFile, video: VideoAddress): Promise<Imported> {
  const { library, files } = importing
  if (!(await isUnchanged(planned))) return skipped('It has changed since the plan was made.')
  const run = { user_id: library.user_id, video_id: video.video_id, claim: crypto.randomUUID() }
  const folder = await files.workFolder(run)
  const fresh = keepFresh(folder)
  try {
    const no_room = await lack(importing, planned, folder)
    if (no_room) return { outcome: 'stopped', reason: no_room }
    const ready = await readyFile(importing, planned, folder)
    if (!(await isUnchanged(planned))) return skipped('It has changed while it was imported.')
    if ('reason' in ready) return skipped(ready.reason)
    const beside = planned.is_sound ? [] : await bringSubtitles(planned, folder)
    return await giveToLibrary(importing, planned, video, run, { ...ready, subtitles: withInner(beside, ready.inner) })
  } finally {
    fresh.end()
    await files.forgetWork(run)
  }
}

/** Whether the original is the file of which the plan was made. */
export const isUnchanged = async ({ path, size, modified_ms }: PlannedFile): Promise<boolean> => {
  const now = await lstat(bytesOf(path)).catch(() => undefined)
  return now?.isFile() === true && now.size === size && now.mtimeMs === modified_ms
}

/** Why there is no room, as a sentence. A file that is linked needs none on the disk, but counts to the quota. */
async function lack(
  { library, files, room, manner }: Importing,
  { path, size, media, video }: PlannedFile,
  folder: string,
) {
  const needs_none = manner !== 'copy' && media?.conversion === 'keep' && (await areOnOneDisk(path, folder))
  const progress = { phase: 'processing' as const, percent: null, speed: null, eta_seconds: null }
  const needed = { ...progress, downloaded_bytes: 0, total_bytes: needs_none ? 0 : size }
  const video_id = video?.video_id ?? ''
  const no_space = await lackOfRoom({ library, files, room: { ...room, quota_bytes: 0 } }, video_id, needed)
  return (no_space ?? (await overQuota({ library, room }, video_id, size)))?.sentence
}

/** `inner`: the subtitles inside the file. */
type Ready = { file: string; is_copied: boolean; inner: SubtitleFile[] }

/** The file that the library gets, in the work folder. */
async function readyFile(
  importing: Importing,
  planned: PlannedFile,
  folder: string,
): Promise<Ready | { reason: string }> {
  const { path, is_sound, media } = planned
  const probe = await probed(importing, path)
  if (!probe) return { reason: 'ffprobe can no longer read it.' }
  const own = { folder, probe, is_sound, signal: importing.signal }
  const innerOf = async (file: string) => (is_sound ? [] : subtitlesInside(importing.tools, { ...own, file }))
  if (media?.conversion === 'keep') {
    const file = join(folder, is_sound ? 'taken.m4a' : 'taken.mp4')
    const { is_linked } = await bringFile(path, file, importing.manner, importing.umask)
    return { file, is_copied: importing.manner === 'link' && !is_linked, inner: await innerOf(file) }
  }
  // A link to it, because the conversion removes a file that it cannot read.
  const link = join(folder, `taken-source${extname(path).replace(/[^.\w]/g, '')}`)
  await symlink(bytesOf(path), link)
  const inner = await innerOf(link)
  const made = await convertFile(importing.tools, { ...own, file: link })
  return 'failure' in made
    ? { reason: `It could not be converted: ${made.failure.detail || made.failure.sentence}` }
    : { ...made, is_copied: false, inner }
}

type Finished = Ready & { subtitles: SubtitleFile[] }

async function giveToLibrary(
  { library, files }: Importing,
  planned: PlannedFile,
  { video_id, video_url }: VideoAddress,
  run: Run,
  { file, is_copied, subtitles }: Finished,
): Promise<Imported> {
  const extension = planned.is_sound ? 'm4a' : 'mp4'
  /** Stages the file for its place, which depends on the ids of the video and of its channel. */
  const give = async (
    place: { channel_id: string; video_id: string },
    to: (file: TakenFile) => Promise<TakenOver | undefined>,
  ) => {
    const download_path = placeOf({ user_id: library.user_id, ...place, extension })
    const { file_size, put, drop } = await files.stage(file, download_path, subtitles)
    const languages = subtitles.map(({ language }) => language)
    const in_file = planned.media?.in_file
    const kept = { claim: run.claim, download_path, file_size, subtitles: languages, in_file, put, purge: files.purge }
    const taken = await to(kept).catch(async (fault: unknown) => {
      await drop().catch(() => {})
      throw fault
    })
    if (taken !== 'completed') await drop()
    return { taken, imported: { outcome: 'imported' as const, file_size, download_path, is_copied } }
  }
  const giveKnown = async (id: string): Promise<Imported> => {
    const known = await library.videos.find(id)
    if (!known) return skipped(refusals.gone)
    await library.added.mark(id)
    const { taken, imported } = await give(known, taken => library.downloads.takeOver(id, taken))
    return taken === 'completed' || taken === undefined ? imported : skipped(refusals[taken])
  }
  if (await library.videos.find(video_id)) return giveKnown(video_id)
  const made = await entryOfFile(planned, video_url)
  if (!made) return skipped('The address of its video cannot be stored.')
  let stored_id = made.entry.video_id
  const { taken, imported } = await give({ ...made.channel, video_id: stored_id }, async taken => {
    const added = await saveAddedVideo(library, made.channel, made.entry, taken)
    stored_id = added.video_id
    return added.taken_over
  })
  // The library knows the video under another id, so the file has another place.
  if (taken === undefined) return giveKnown(stored_id)
  return taken === 'completed' ? imported : skipped(refusals[taken])
}

const refusals = {
  has_file: 'The library got a file of this video in the meantime.',
  running: 'The video is being downloaded now.',
  gone: 'The video was removed from the library in the meantime.',
}
