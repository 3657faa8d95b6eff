/**
 * Plays a video while it is downloaded: a run makes segments while a viewer waits for them, and the player reads them.
 * `ytdlp/fetch/hls-segments.ts` makes the segments; `arriving-run.ts` is the side of the worker.
 *
 * People who want the same file of the same video watch the same download, as they would get the same file. With SHARE_FILES=off, each
 * person watches their own download.
 */
import { setTimeout } from 'node:timers/promises'
import type { Library } from '../../db/library.ts'
import { DomainError } from '../../errors.ts'
import type { Quality } from '../../schema/downloads/quality.ts'
import { ArrivingState } from '../../schema/downloads/run.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Video } from '../../schema/videos/video.ts'
import type { ArrivingFile, ArrivingKey, ArrivingVideos } from '../../store/arriving.ts'
import type { Files } from '../../store/files.ts'
import { getVideo } from '../get.ts'
import { requestDownloads } from './downloads.ts'
import { addressHash } from './shared-files.ts'

/** A video that is downloaded. */
type DownloadedVideo = Pick<Video, 'video_id' | 'video_url' | 'availability'> & { user_id: UserId; quality: Quality }

/** A video that its site has closed is not shared. */
export const arrivingKey = (video: DownloadedVideo, is_sharing: boolean): ArrivingKey =>
  is_sharing && !is_closed.has(video.availability ?? '')
    ? `${addressHash(video.video_url)}-${video.quality}`
    : `${video.user_id}-${addressHash(video.video_id)}-${video.quality}`

const is_closed = new Set(['members_only', 'private', 'removed'])

/** Starts the download before the person's other downloads. If the file is on disk, it only returns the video. */
export async function watchNow(library: Library, files: Files, video_id: string, is_sharing: boolean): Promise<Video> {
  const video = await getVideo(library, video_id)
  await requestDownloads(library, files, [video_id])
  const wanted = await getVideo(library, video_id)
  if (wanted.download_status === 'completed') return wanted
  // Before the run starts, which then finds that its video is wanted.
  for (const key of await keysOf(library, video, is_sharing)) await files.arriving.want(key)
  await library.downloads.watchNow(video_id)
  return wanted
}

/**
 * Starts a download again that a viewer still waits for: its job is gone when its worker died. A download that is paused, or that waits for
 * its next attempt, starts when its time comes.
 */
export async function watchAgain(library: Library, video_id: string): Promise<void> {
  const { queued, download_status, paused_at, site_rests_until } = await getVideo(library, video_id)
  const waits_for_worker = queued && download_status === 'pending' && !paused_at && !site_rests_until
  if (waits_for_worker) await library.downloads.watchNow(video_id)
}

/** The keys of a video that is downloaded, or waits for its download. Its owner may have changed the quality since the download began. */
async function keysOf(library: Library, video: Video, is_sharing: boolean): Promise<ArrivingKey[]> {
  const quality = await library.downloads.qualityNow(video.video_id)
  const fetched = { ...video, user_id: library.user_id, quality }
  return [...new Set([arrivingKey(fetched, is_sharing), arrivingKey(fetched, false)])]
}

/** `folder`: names the segments of one run. `playlist`: as ffmpeg wrote it, without a last part that may be cut off. */
export type ArrivingPlaylist = { folder: string; playlist: string; duration_s: number | null }

/** The longest wait in milliseconds: shorter than the time that a server that stops leaves to its answers. */
const longest_wait_ms = 1500
/** Milliseconds between two looks for more parts, and between two checks whether the download of a waiting viewer has ended. */
const part_ms = 40
const check_ms = 500

/**
 * `seen`: the last part that the player knows, as `lastPartOf` names the part; empty before the first one. `undefined`: the player needs an
 * answer at once.
 */
type PlaylistRequest = { video_id: string; seen?: string | undefined }

/**
 * A request for the playlist tells the run that a viewer waits for the video or watches it. Waits a moment for a part after `seen`. Throws
 * `not_found` with a reason while nothing can be played, with `retry_after_s` unless the download has ended.
 */
export async function arrivingPlaylist(
  library: Library,
  files: Files,
  { video_id, seen }: PlaylistRequest,
  is_sharing: boolean,
): Promise<ArrivingPlaylist> {
  const until = performance.now() + (seen === undefined ? 0 : longest_wait_ms)
  for (;;) {
    const video = await movingVideo(library, video_id)
    const keys = await keysOf(library, video, is_sharing)
    for (const key of keys) await files.arriving.want(key)
    const check_at = Math.min(until, performance.now() + check_ms)
    const arrived = await arrivedAfter(files.arriving, keys, seen, check_at)
    const { state, folder, playlist } = arrived
    const is_over = performance.now() >= until || state?.is_whole_only
    if (playlist && (is_over || lastPartOf(arrived) !== seen))
      return { folder, playlist, duration_s: state?.duration_s ?? null }
    if (is_over)
      throw new DomainError('not_found', state?.is_whole_only ? wholeOnly(state) : waitingWords(video), {
        retry_after_s: 2,
      })
  }
}

/** `playlist`: empty until a part has arrived. */
type Arrived = Pick<ArrivingPlaylist, 'folder' | 'playlist'> & { state?: ArrivingState | undefined }

async function arrivedAfter(
  arriving: ArrivingVideos,
  keys: ArrivingKey[],
  seen: string | undefined,
  until: number,
): Promise<Arrived> {
  for (;;) {
    const arrived = await arrivedNow(arriving, keys, seen !== undefined)
    const is_new = arrived.playlist !== '' && lastPartOf(arrived) !== seen
    if (is_new || arrived.state?.is_whole_only || performance.now() >= until) return arrived
    await setTimeout(part_ms)
  }
}

/**
 * While both are made, the early parts may end a moment before the whole ones. A player that goes to the whole ones and back drops
 * pictures up to the next key frame.
 */
const early_lag_s = 1

/** `takes_early`: the player also takes parts that do not begin with a key frame. */
async function arrivedNow(arriving: ArrivingVideos, keys: ArrivingKey[], takes_early: boolean): Promise<Arrived> {
  let state: ArrivingState | undefined
  for (const key of keys) {
    state ??= await stateOf(arriving, key)
    const folder = await arriving.newest(key)
    if (!folder) continue
    const read = async (name: string) => (await textOf(await arriving.open(key, folder, name))) ?? ''
    const whole = await read('index.m3u8')
    const playlist = state?.has_all ? whole : wholeParts(whole)
    const early = takes_early && !state?.has_all ? wholeParts(await read('early.m3u8')) : ''
    const early_s = secondsIn(early)
    const longest = early_s > 0 && early_s + early_lag_s > secondsIn(playlist) ? early : playlist
    if (secondsIn(longest) > 0) return { folder, playlist: longest, state }
  }
  return { folder: '', playlist: '', state }
}

/** Names the last part that has arrived: its run and its file. */
export const lastPartOf = ({ folder, playlist }: Pick<ArrivingPlaylist, 'folder' | 'playlist'>): string =>
  `${folder}/${playlist.split('\n').findLast(line => line !== '' && !line.startsWith('#')) ?? ''}`

const secondsIn = (playlist: string): number =>
  [...playlist.matchAll(/^#EXTINF:([\d.]+)/gm)].reduce((sum, [, seconds]) => sum + Number(seconds), 0)

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

/** The caller closes the file. */
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

function wholeOnly({ ends_at, lacks_room }: ArrivingState): string {
  const sentence = lacks_room
    ? 'The disk is too full to play the video before it is complete.'
    : 'This format can be played only when it is complete.'
  const left_s = ends_at === null ? 0 : Math.round((ends_at - Date.now()) / 1000)
  if (left_s <= 0) return sentence
  return `${sentence} About ${left_s < 90 ? `${left_s} seconds` : `${Math.round(left_s / 60)} minutes`} left.`
}

async function stateOf(arriving: ArrivingVideos, key: ArrivingKey): Promise<ArrivingState | undefined> {
  const text = await arriving.readState(key)
  return text === undefined ? undefined : ArrivingState.safeParse(JSON.parse(text)).data
}

/** Ten thousand segments have a playlist of half a megabyte. */
const max_playlist_bytes = 2_000_000

/** `undefined`: the file is missing, or larger than any playlist of ours. */
async function textOf(file: ArrivingFile | undefined): Promise<string | undefined> {
  if (!file) return undefined
  try {
    if (file.size > max_playlist_bytes) return undefined
    return await file.source.readFile('utf8')
  } finally {
    await file.source.close()
  }
}
