/**
 * Watches a video while it is downloaded. People who want the same file of the same video watch the same download, as they would get the
 * same file; with SHARE_FILES=off each watches their own.
 */
import type { Library } from '../../db/library.ts'
import { DomainError } from '../../errors.ts'
import type { Quality } from '../../schema/downloads/quality.ts'
import { ArrivingNote } from '../../schema/downloads/run.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Video } from '../../schema/videos/video.ts'
import type { ArrivingFile, ArrivingKey, ArrivingVideos } from '../../store/arriving.ts'
import type { Files } from '../../store/files.ts'
import { getVideo } from '../get.ts'
import { addressHash } from './address-hash.ts'
import { requestDownloads } from './downloads.ts'

type Fetched = Pick<Video, 'video_id' | 'video_url' | 'availability'> & { user_id: UserId; quality: Quality }

/** A video that its site has closed is shared with no one. */
export const arrivingKey = (video: Fetched, is_sharing: boolean): ArrivingKey =>
  is_sharing && !is_closed.has(video.availability ?? '')
    ? `${addressHash(video.video_url)}-${video.quality}`
    : `${video.user_id}-${addressHash(video.video_id)}-${video.quality}`

const is_closed = new Set(['members_only', 'private', 'removed'])

/** Starts the download before the person's other ones. Does nothing more where the file is there already. */
export async function watchNow(library: Library, files: Files, video_id: string, is_sharing: boolean): Promise<Video> {
  const video = await getVideo(library, video_id)
  await requestDownloads(library, files, [video_id])
  const wanted = await getVideo(library, video_id)
  if (wanted.download_status === 'completed') return wanted
  await library.downloads.watchNow(video_id)
  for (const key of await keysOf(library, video, is_sharing)) await files.arriving.want(key)
  return wanted
}

/**
 * Starts a download again that a viewer still waits for: its job is gone when its worker died. A paused one, and one that waits for its next
 * attempt, start when their time comes.
 */
export async function watchAgain(library: Library, video_id: string): Promise<void> {
  const { queued, download_status, paused_at, site_rests_until } = await getVideo(library, video_id)
  const waits_for_worker = queued && download_status === 'pending' && !paused_at && !site_rests_until
  if (waits_for_worker) await library.downloads.watchNow(video_id)
}

/** One that is being downloaded, or waits for it. Its owner may have changed the quality since the download began. */
async function keysOf(library: Library, video: Video, is_sharing: boolean): Promise<ArrivingKey[]> {
  const quality = await library.downloads.qualityNow(video.video_id)
  const fetched = { ...video, user_id: library.user_id, quality }
  return [...new Set([arrivingKey(fetched, is_sharing), arrivingKey(fetched, false)])]
}

/** `folder`: names the segments of one run. `playlist`: as ffmpeg wrote it, without a last part that may be cut off. */
export type ArrivingPlaylist = { folder: string; playlist: string; duration_s: number | null }

/**
 * Who asks for the playlist waits for the video or watches it. Throws `not_found` with a reason while nothing can be played, with
 * `retry_after_s` unless the download has ended.
 */
export async function arrivingPlaylist(
  library: Library,
  files: Files,
  video_id: string,
  is_sharing: boolean,
): Promise<ArrivingPlaylist> {
  const video = await movingVideo(library, video_id)
  let note: ArrivingNote | undefined
  for (const key of await keysOf(library, video, is_sharing)) {
    await files.arriving.want(key)
    note ??= await noteOf(files.arriving, key)
    const folder = await files.arriving.newest(key)
    const text = folder && (await textOf(await files.arriving.open(key, folder, 'index.m3u8')))
    const playlist = note?.has_all ? text : wholeParts(text ?? '')
    if (folder && playlist?.includes('#EXTINF')) return { folder, playlist, duration_s: note?.duration_s ?? null }
  }
  throw new DomainError('not_found', note?.is_whole_only ? wholeOnly(note) : waitingWords(video), { retry_after_s: 2 })
}

/** ffmpeg also ends a playlist when its worker died, and the last part may then be cut off within a picture. */
function wholeParts(playlist: string): string {
  const is_ended = playlist.includes('#EXT-X-ENDLIST')
  return is_ended ? playlist.slice(0, playlist.lastIndexOf('#EXTINF')) : playlist
}

/** What the person who pressed Watch waits for. */
function waitingWords({ download_status, download_error, paused_by, site_rests_until }: Video): string {
  if (download_status === 'downloading') return 'Waiting for the first part of the video…'
  if (paused_by === 'video') return 'This download is paused. Resume it to watch the video.'
  if (paused_by === 'all') return 'All downloads are paused. Resume them to watch this video.'
  if (paused_by === 'site') return 'Downloads from its site are paused. Resume them to watch this video.'
  if (site_rests_until) return 'Its site asked us to slow down. The download starts when the pause of the site ends.'
  if (download_status === 'failed') return `${download_error ?? 'The download failed.'} It is tried again later.`
  return 'The download starts in a moment…'
}

/** The caller closes it. */
export async function arrivingSegment(
  library: Library,
  files: Files,
  { video_id, folder, name }: { video_id: string; folder: string; name: string },
  is_sharing: boolean,
): Promise<ArrivingFile> {
  const video = await movingVideo(library, video_id)
  for (const key of await keysOf(library, video, is_sharing)) {
    const file = await files.arriving.open(key, folder, name)
    if (file) return file
  }
  throw new DomainError('not_found', 'This part of the video is gone. Load the video again.')
}

async function movingVideo(library: Library, video_id: string): Promise<Video> {
  const video = await getVideo(library, video_id)
  if (video.download_status !== 'downloading' && !video.queued)
    throw new DomainError('not_found', video.download_error ?? 'This video is not being downloaded any more.')
  return video
}

function wholeOnly({ ends_at, lacks_room }: ArrivingNote): string {
  const sentence = lacks_room
    ? 'The disk is too full to play the video before it is complete.'
    : 'This format can be played only when it is complete.'
  const left_s = ends_at === null ? 0 : Math.round((ends_at - Date.now()) / 1000)
  if (left_s <= 0) return sentence
  return `${sentence} About ${left_s < 90 ? `${left_s} seconds` : `${Math.round(left_s / 60)} minutes`} left.`
}

async function noteOf(arriving: ArrivingVideos, key: ArrivingKey): Promise<ArrivingNote | undefined> {
  const text = await arriving.noted(key)
  return text === undefined ? undefined : ArrivingNote.safeParse(JSON.parse(text)).data
}

/** Ten thousand segments have a playlist of half a megabyte. */
const max_playlist_bytes = 2_000_000

/** `undefined`: it is missing, or larger than any playlist of ours. */
async function textOf(file: ArrivingFile | undefined): Promise<string | undefined> {
  if (!file) return undefined
  try {
    if (file.size > max_playlist_bytes) return undefined
    return await file.source.readFile('utf8')
  } finally {
    await file.source.close()
  }
}
