/** Asking for downloads and giving them up. The work itself is `perform-download.ts`. */
import type { Asked } from '../db/asked.ts'
import type { Library } from '../db/library.ts'
import { DomainError } from '../errors.ts'
import type { Download } from '../schema/download.ts'
import type { Files } from './files.ts'

export type Requested = { video_id: string; result: Asked }

/** Asking twice queues once. A completed one whose file has gone missing is queued again. */
export async function requestDownloads(library: Library, files: Files, video_ids: string[]): Promise<Requested[]> {
  const wanted = [...new Set(video_ids)]
  await noticeMissingFiles(library, files, wanted)
  const results = await library.downloads.request(wanted)
  return video_ids.map(video_id => ({ video_id, result: results.get(video_id) ?? 'not_found' }))
}

/** Asks again for all that failed and wait for no further attempt. */
export const retryFailed = async (library: Library, files: Files): Promise<Requested[]> =>
  requestDownloads(library, files, await library.videos.failed(most_retried))

/** So many at once; whoever has more asks again. */
const most_retried = 5000

export async function requestDownload(
  library: Library,
  files: Files,
  video_id: string,
): Promise<{ result: Asked; download: Download }> {
  const [requested] = await requestDownloads(library, files, [video_id])
  return { result: requested?.result ?? 'not_found', download: await getDownload(library, video_id) }
}

/** Cancels what waits or runs; deletes what is completed. The entry stays. */
export async function dropDownload(library: Library, files: Files, video_id: string): Promise<Download> {
  const { download_status } = await getDownload(library, video_id)
  if (download_status === 'completed') {
    await library.downloads.loseFile(video_id, files.remove)
  } else await cancelDownload(library, files, video_id)
  return getDownload(library, video_id)
}

/** `false`: nothing of it waits or runs. What is on disk stays. */
export async function cancelDownload(library: Library, files: Files, video_id: string): Promise<boolean> {
  const cancelled = await library.downloads.cancel(video_id)
  if (cancelled) await files.forgetWork({ user_id: library.user_id, video_id })
  return cancelled
}

/** What is pinned stays on disk, whatever the rule of its channel says. */
export async function pinDownload(library: Library, video_id: string, pinned: boolean): Promise<Download> {
  await library.rules.pin(video_id, pinned)
  return getDownload(library, video_id)
}

export async function getDownload(library: Library, video_id: string): Promise<Download> {
  const [download] = await library.videos.statuses([video_id])
  if (!download) throw new DomainError('not_found', 'There is no such video in the channels you follow.')
  return download
}

async function noticeMissingFiles(library: Library, files: Files, video_ids: string[]): Promise<void> {
  for (const { video_id, download_path } of await library.videos.statuses(video_ids)) {
    if (download_path && !(await files.exists(download_path))) await library.downloads.loseFile(video_id)
  }
}
