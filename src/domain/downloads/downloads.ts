/**
 * Requests, cancels, pauses and deletes downloads. `perform-download.ts` runs them.
 *
 * Cancel never deletes a file: the file may have arrived since the page was shown.
 */
import { all_sites } from '../../db/downloads/pauses.ts'
import type { RequestResult } from '../../db/downloads/requests.ts'
import type { Library } from '../../db/library.ts'
import { DomainError } from '../../errors.ts'
import { currentTime } from '../../runtime/clock.ts'
import { type Download, isOnlyCopy } from '../../schema/downloads/download.ts'
import type { AllOf, Cancelled, PauseRequest, Removed, Requested } from '../../schema/downloads/download-api.ts'
import type { Quality } from '../../schema/downloads/quality.ts'
import type { Files, Store } from '../../store/files.ts'
import { noSuchVideo, orThrow } from '../get.ts'
import { deleteFile, recovered } from './deletions.ts'

/** Requesting twice queues once. A completed download whose file is missing is queued again. */
export async function requestDownloads(library: Library, files: Files, video_ids: string[]): Promise<Requested[]> {
  const wanted = [...new Set(video_ids)]
  await resetMissingFiles(library, files, wanted)
  const results = await library.downloads.request(wanted)
  return video_ids.map(video_id => ({ video_id, result: results.get(video_id) ?? 'not_found' }))
}

/** Requests all failed downloads again that have no further attempt planned. */
export const retryFailed = async (library: Library, files: Files): Promise<Requested[]> =>
  requestDownloads(library, files, await library.videos.idsOnShelf('failed', max_at_once))

/** Downloads that one request changes. A person with more downloads repeats the request. */
const max_at_once = 5000

type Asked = { result: RequestResult; download: Download }

export async function requestDownload(library: Library, files: Files, video_id: string): Promise<Asked> {
  const [requested] = await requestDownloads(library, files, [video_id])
  return { result: requested?.result ?? 'not_found', download: await getDownload(library, video_id) }
}

/**
 * Requests a download in a quality of its own. A file of another quality is deleted first, as a person deletes it, so that it can be
 * restored; the quality counts until the new file goes, or its download is cancelled.
 */
export async function requestInQuality(
  library: Library,
  store: Store,
  video_id: string,
  quality: Quality,
): Promise<Asked> {
  const download = await getDownload(library, video_id)
  if (download.download_status === 'downloading')
    throw new DomainError('conflict', 'This video is downloading now. Cancel it first, or wait until it is on disk.')
  if (isSuch(download, quality)) return { result: 'already_completed', download }
  if (download.download_status === 'completed' && isOnlyCopy(download))
    throw new DomainError('conflict', 'Its site no longer offers this video. Your file is the only copy, so it stays.')
  await deleteFile(library, store, video_id, { guard: { other_than_quality: quality } })
  await library.downloads.want(video_id, quality)
  return requestDownload(library, store.files, video_id)
}

/** Whether the file is what this quality would give, although it was downloaded in another one. */
const isSuch = ({ file }: Download, quality: Quality) => quality === 'compatible' && file?.is_compatible === true

/** Cancels a download that waits or runs, and deletes a completed file. The video stays in the library. */
export async function dropDownload(library: Library, store: Store, video_id: string): Promise<Download> {
  const { download_status } = await getDownload(library, video_id)
  if (download_status === 'completed') await deleteFile(library, store, video_id)
  else await cancelDownload(library, store.files, video_id)
  return getDownload(library, video_id)
}

/** `false`: the download neither waits nor runs. A completed file stays. */
export async function cancelDownload(library: Library, files: Files, video_id: string): Promise<boolean> {
  const cancelled = await library.downloads.cancel(video_id)
  if (cancelled) await files.forgetWork({ user_id: library.user_id, video_id })
  return cancelled
}

/**
 * Cancels downloads that wait or run, and dismisses failed ones. Completed files stay. `cancelled_at`: one time for all of them, by which
 * `queueAgain` finds them.
 */
export async function cancelDownloads(
  library: Library,
  files: Files,
  chosen: { video_ids: string[] } | { all: AllOf },
  cancelled_at = currentTime(),
): Promise<Cancelled[]> {
  const wanted = 'all' in chosen ? await library.videos.idsOnShelf(chosen.all, max_at_once) : chosen.video_ids
  const cancelled = new Set(await library.downloads.cancelAll([...new Set(wanted)], cancelled_at))
  for (const video_id of cancelled) await files.forgetWork({ user_id: library.user_id, video_id })
  const known = await knownAmong(library, wanted)
  return wanted.map(video_id => ({
    video_id,
    result: cancelled.has(video_id) ? 'cancelled' : known.has(video_id) ? 'not_waiting' : 'not_found',
  }))
}

/** Requests the downloads again that were cancelled together. */
export async function queueAgain(library: Library, cancelled_at: Date): Promise<Requested[]> {
  const results = await library.downloads.requestAgain(cancelled_at)
  return [...results].map(([video_id, result]) => ({ video_id, result }))
}

/** Deletes completed files. Downloads that wait or run continue. `deleted_at`: the time of all of these deletions. */
export async function removeFiles(
  library: Library,
  store: Store,
  video_ids: string[],
  deleted_at = currentTime(),
): Promise<Removed[]> {
  const known = await knownAmong(library, video_ids)
  const removed = new Set<string>()
  for (const video_id of known)
    if (await deleteFile(library, store, video_id, { deletion: { deleted_at } })) removed.add(video_id)
  return video_ids.map(video_id => ({
    video_id,
    result: removed.has(video_id) ? 'removed' : known.has(video_id) ? 'not_on_disk' : 'not_found',
  }))
}

/** Deletes the files of these videos. Returns how many files were deleted, and their total size in bytes. */
export async function removeCounted(
  library: Library,
  store: Store,
  video_ids: string[],
  deleted_at?: Date,
): Promise<{ files: number; bytes: number }> {
  const bytes = await library.space.of(video_ids)
  const results = await removeFiles(library, store, video_ids, deleted_at)
  const removed = new Set(results.filter(({ result }) => result === 'removed').map(({ video_id }) => video_id))
  return { files: removed.size, bytes: [...removed].reduce((sum, video_id) => sum + (bytes.get(video_id) ?? 0), 0) }
}

/** The files of some videos. `only_copies`: how many of these files no site offers any more. */
type FilesOnDisk = { video_ids: string[]; bytes: number; only_copies: number }

/** Which of these videos are on disk, and how many bytes deleting them would free. */
export async function filesAmong(library: Library, video_ids: string[]): Promise<FilesOnDisk> {
  const bytes = await library.space.of(video_ids)
  const there = [...bytes.keys()]
  return {
    video_ids: there,
    bytes: bytes.values().reduce((sum, size) => sum + size, 0),
    only_copies: await library.bin.onlyCopies(there),
  }
}

const knownAmong = async (library: Library, video_ids: string[]) =>
  new Set((await library.videos.statuses(video_ids)).map(({ video_id }) => video_id))

/** A pinned file stays on disk, whatever the rule of its channel says. */
export async function pinDownload(library: Library, video_id: string, pinned: boolean): Promise<Download> {
  await library.rules.pin(video_id, pinned)
  return getDownload(library, video_id)
}

/** Pauses single downloads, a site, or everything. Returns how many single downloads were paused; `undefined` for a site or everything. */
export async function pauseDownloads(library: Library, which: PauseRequest): Promise<number | undefined> {
  if ('video_ids' in which) return (await library.downloads.pause(which.video_ids)).length
  if (!(await library.downloads.pauseSite('host' in which ? which.host : all_sites))) throw noSuchSite()
  return undefined
}

const noSuchSite = () => new DomainError('not_found', 'Your library has no videos from this site.')

/** Returns the same as `pauseDownloads`. `all`: also downloads that were paused one by one, or with their site. */
export async function resumeDownloads(library: Library, which: PauseRequest): Promise<number | undefined> {
  if ('video_ids' in which) return (await library.downloads.resume(which.video_ids)).length
  if ('host' in which) await library.downloads.resumeSite(which.host)
  else await library.downloads.resumeAll()
  return undefined
}

export const pauseDownload = (library: Library, video_id: string): Promise<Download> =>
  steered(library, video_id, () => library.downloads.pause([video_id]))

export const resumeDownload = (library: Library, video_id: string): Promise<Download> =>
  steered(library, video_id, () => library.downloads.resume([video_id]))

/** Puts a download before the person's other downloads. Downloads of other people keep their turns. */
export const downloadNext = (library: Library, video_id: string): Promise<Download> =>
  steered(library, video_id, () => library.downloads.downloadNext(video_id))

async function steered(library: Library, video_id: string, steer: () => Promise<unknown>): Promise<Download> {
  await getDownload(library, video_id)
  await steer()
  return getDownload(library, video_id)
}

export const getDownload = async (library: Library, video_id: string): Promise<Download> =>
  orThrow(await library.videos.status(video_id), noSuchVideo)

async function resetMissingFiles(library: Library, files: Files, video_ids: string[]): Promise<void> {
  for (const { video_id, download_path } of await library.videos.statuses(video_ids)) {
    if (download_path && !(await files.exists(download_path)))
      await library.downloads.findFile(video_id, recovered(files))
  }
}
