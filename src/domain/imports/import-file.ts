/** Imports one planned file: brings it into a work folder, converts it where browsers could not play it, and gives it to the library. */
import { lstat, symlink, utimes } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import type { CompletedWithFile, FileInHand } from '../../db/downloads/completed-with-file.ts'
import type { Library } from '../../db/library.ts'
import { currentTime } from '../../runtime/clock.ts'
import { every } from '../../runtime/every.ts'
import { extensionOf } from '../../schema/downloads/quality.ts'
import type { LookedVideo } from '../../schema/sources/listing.ts'
import type { SubtitleFile } from '../../schema/sources/subtitles.ts'
import type { Files } from '../../store/files.ts'
import { placeOf } from '../../store/paths.ts'
import type { Run } from '../../store/work.ts'
import { VideoInfo } from '../../ytdlp/ask/video-info.ts'
import { probeFile } from '../../ytdlp/convert/ffmpeg.ts'
import { withInner } from '../../ytdlp/convert/inner-subtitles.ts'
import { convertFile, extensionOfOwn, subtitlesInside } from '../../ytdlp/convert/playable.ts'
import { streamsIn } from '../../ytdlp/convert/streams.ts'
import { lackOfRoom, overQuota, type RoomLimits } from '../downloads/room.ts'
import { saveAddedVideo } from '../saving/save-feed.ts'
import { entryOfLook } from '../videos/looked-entry.ts'
import type { VideoAddress } from './addresses.ts'
import { areOnOneDisk, bringFile, type Manner } from './bring-file.ts'
import { bringSubtitles } from './bring-subtitles.ts'
import { channelIn, titleIn } from './file-names.ts'
import type { FoundFile } from './judge.ts'
import { joinedMetadata, type Metadata, tagMetadata } from './metadata.ts'
import type { PlannedFile } from './plan.ts'
import { bytesOf, folderOf, nameOf, textOf } from './raw-path.ts'
import { metadataBeside, probed, type ReadingParts } from './read-found-file.ts'

export type FileImportParts = ReadingParts & {
  library: Library
  files: Files
  manner: Manner
  room: RoomLimits
  umask: number
}

/** A file of which the video is known. */
export type WantedFile = PlannedFile & { video: VideoAddress }

/**
 * `stopped`: the import cannot continue. `skipped`: this file is not imported; the next run tries it again. `unread_subtitles`: the names
 * of files next to it that are left out, because they could not be read.
 */
export type FileImportOutcome =
  | {
      outcome: 'imported'
      file_size: number
      download_path: string
      is_copied: boolean
      unread_subtitles?: string[]
    }
  | { outcome: 'skipped'; reason: string }
  | { outcome: 'stopped'; reason: string }

const skipped = (reason: string): FileImportOutcome => ({ outcome: 'skipped', reason })

/** Rejects when `signal` is aborted, and when the database or the disk fails. */
export async function importFile(importing: FileImportParts, planned: WantedFile): Promise<FileImportOutcome> {
  const { library, files } = importing
  if (!(await isUnchanged(planned))) return skipped('It has changed since the plan was made.')
  const run = { user_id: library.user_id, video_id: planned.video.video_id, claim: crypto.randomUUID() }
  const folder = await files.workFolder(run)
  const touching = keepFresh(folder)
  try {
    const no_room = await lack(importing, planned, folder)
    if (no_room) return { outcome: 'stopped', reason: no_room }
    const { subtitle_languages: languages } = await library.settings.get()
    const ready = await readyFile(importing, planned, { folder, languages })
    if (!(await isUnchanged(planned))) return skipped('It has changed while it was imported.')
    if ('reason' in ready) return skipped(ready.reason)
    const { brought, unread } = await bringSubtitles(importing, planned, folder)
    const outcome = await giveToLibrary(importing, planned, run, {
      ...ready,
      subtitles: withInner(brought, ready.inner, { spoken: null, preferred: languages }),
    })
    return outcome.outcome === 'imported' ? { ...outcome, unread_subtitles: unread } : outcome
  } finally {
    clearInterval(touching)
    await files.forgetWork(run)
  }
}

/** Whether the original is the file of which the plan was made. */
export const isUnchanged = async ({ path, size, modified_ms }: PlannedFile): Promise<boolean> => {
  const now = await lstat(bytesOf(path)).catch(() => undefined)
  return now?.isFile() === true && now.size === size && now.mtimeMs === modified_ms
}

/** Why there is no room, as a sentence. A linked file needs no room on the disk, but counts to the quota. */
async function lack(
  { library, files, room, manner }: FileImportParts,
  { path, size, media, video: { video_id } }: WantedFile,
  folder: string,
) {
  const needs_none = manner !== 'copy' && media?.conversion === 'keep' && (await areOnOneDisk(path, folder))
  const progress = { phase: 'processing' as const, percent: null, speed: null, eta_seconds: null }
  const needed = { ...progress, downloaded_bytes: 0, total_bytes: needs_none ? 0 : size }
  const no_space = await lackOfRoom({ library, files, room: { ...room, quota_bytes: 0 } }, video_id, needed)
  return (no_space ?? (await overQuota({ library, room }, video_id, size)))?.sentence
}

/** `inner`: the subtitles inside the file. */
type ReadyFile = { file: string; is_copied: boolean; inner: SubtitleFile[] }

/** The file that the library gets, in the work folder. */
async function readyFile(
  importing: FileImportParts,
  planned: PlannedFile,
  { folder, languages }: { folder: string; languages: string[] },
): Promise<ReadyFile | { reason: string }> {
  const { path, is_sound, media } = planned
  const probe = await probed(importing, path)
  if (!probe) return { reason: 'ffprobe can no longer read it.' }
  const own = { folder, probe, is_sound, languages, signal: importing.signal }
  const innerOf = async (file: string) => (is_sound ? [] : subtitlesInside(importing.tools, { ...own, file }))
  if (media?.conversion === 'keep') {
    const file = join(folder, `taken.${extensionOfOwn(probe, is_sound)}`)
    const { is_linked } = await bringFile(path, file, importing.manner, importing.umask)
    return { file, is_copied: importing.manner === 'link' && !is_linked, inner: await innerOf(file) }
  }
  // A link to the original, because the conversion removes a file that it cannot read.
  const link = join(folder, `taken-source${extname(path).replace(/[^.\w]/g, '')}`)
  await symlink(bytesOf(path), link)
  const inner = await innerOf(link)
  const made = await convertFile(importing.tools, { ...own, file: link })
  return 'failure' in made
    ? { reason: `It could not be converted: ${made.failure.detail || made.failure.sentence}` }
    : { ...made, is_copied: false, inner }
}

type ReadyWithSubtitles = ReadyFile & { subtitles: SubtitleFile[] }

async function giveToLibrary(
  { library, files, tools, signal }: FileImportParts,
  planned: WantedFile,
  run: Run,
  { file, is_copied, subtitles }: ReadyWithSubtitles,
): Promise<FileImportOutcome> {
  const { video_id, video_url } = planned.video
  const extension = extensionOf(file)
  // The plan has the length and the chapters of the original. What the finished file contains is read now.
  const streams = streamsIn(await probeFile(tools, { file, folder: dirname(file), signal }))
  const in_file = planned.media ? { ...planned.media.in_file, streams } : undefined
  /** Stages the file for its place, which depends on the ids of the video and of its channel. */
  const give = async (
    place: { channel_id: string; video_id: string },
    to: (file: FileInHand) => Promise<CompletedWithFile | undefined>,
  ) => {
    const download_path = placeOf({ user_id: library.user_id, ...place, extension })
    const { file_size, put, drop } = await files.stage(file, download_path, subtitles)
    const languages = subtitles.map(({ language }) => language)
    const kept = { claim: run.claim, download_path, file_size, subtitles: languages, in_file, put, purge: files.purge }
    const result = await to(kept).catch(async (fault: unknown) => {
      await drop().catch(() => {})
      throw fault
    })
    if (result !== 'completed') await drop()
    return { result, imported: { outcome: 'imported' as const, file_size, download_path, is_copied } }
  }
  const giveKnown = async (id: string): Promise<FileImportOutcome> => {
    const known = await library.videos.find(id)
    if (!known) return skipped(refusals.gone)
    await library.added.mark(id)
    const { result, imported } = await give(known, file => library.downloads.completeWithFile(id, file))
    return result === 'completed' || result === undefined ? imported : skipped(refusals[result])
  }
  if (await library.videos.find(video_id)) return giveKnown(video_id)
  const made = await entryOfFile(planned, video_url)
  if (!made) return skipped('The address of its video cannot be stored.')
  let stored_id = made.entry.video_id
  const { result, imported } = await give({ ...made.channel, video_id: stored_id }, async file => {
    const added = await saveAddedVideo(library, made.channel, made.entry, file)
    stored_id = added.video_id
    return added.completed
  })
  // The library knows the video under another id, so the file has another place.
  if (result === undefined) return giveKnown(stored_id)
  return result === 'completed' ? imported : skipped(refusals[result])
}

const refusals = {
  has_file: 'The library got a file of this video in the meantime.',
  running: 'The video is being downloaded now.',
  gone: 'The video was removed from the library in the meantime.',
}

/** Milliseconds between two touches of a work folder. */
const every_ms = 10 * 60_000

/** Keeps a work folder that no download has claimed: housekeeping removes such folders when they have not changed for an hour. */
const keepFresh = (folder: string) =>
  every(every_ms, () => {
    const now = currentTime()
    // A failure does no harm: the next time is early enough.
    utimes(folder, now, now).catch(() => {})
  })

/**
 * Makes from a file the entry of a video that its library does not have, and the channel that the entry belongs to. `undefined`: the
 * address cannot be stored.
 */
async function entryOfFile(file: FoundFile, video_url: string): Promise<ReturnType<typeof entryOfLook> | undefined> {
  const sources = [
    ...(await metadataBeside(file.path)),
    tagMetadata(new Map(Object.entries(file.tags))),
    ...byPlace(file, video_url),
  ]
  const looked = joinedMetadata(sources, video_url)
  return looked && entryOfLook({ ...looked, ...dateOf(looked, file) }, video_url)
}

/**
 * If nothing says when the video was published, the date of the file is used: the video was published before that, and yt-dlp even gives
 * files the date of their video. Without a date, a thousand old videos would be the first ones in New.
 */
const dateOf = ({ published_at, published_precision }: LookedVideo, { modified_ms }: FoundFile) =>
  published_at === null && modified_ms > 0 && modified_ms < currentTime().getTime()
    ? { published_at: new Date(modified_ms), published_precision: 'approximate' as const }
    : { published_at, published_precision }

/** The name of the folder gives the channel, the name of the file the title, and the file itself the length. */
function byPlace({ path, ids, media }: FoundFile, video_url: string): Metadata[] {
  const channel = channelIn(textOf(nameOf(folderOf(path))))
  const folder = { channel_id: channel?.channel_id, channel: channel && (channel.title ?? channel.channel_id) }
  const id = ids.find(({ id }) => video_url.endsWith(id)) ?? ids.find(({ by }) => by !== 'words')
  const name = { title: titleIn(textOf(nameOf(path)), id?.id), duration: media?.seconds }
  return [
    { from: 'folder', info: VideoInfo.parse(folder) },
    { from: 'file name', info: VideoInfo.parse(name) },
  ]
}
