/** Pauses and resumes downloads: some, those of a site, or all; and puts one before the others. */
import { all_sites } from '../../db/downloads/pauses.ts'
import type { Library } from '../../db/library.ts'
import { DomainError } from '../../errors.ts'
import type { Download } from '../../schema/downloads/download.ts'
import type { PauseRequest, ProbeResult } from '../../schema/downloads/download-api.ts'
import { getDownload } from './downloads.ts'

/** Returns how many single downloads were paused; `undefined` where a site or everything was. */
export async function pauseDownloads(library: Library, which: PauseRequest): Promise<number | undefined> {
  if ('video_ids' in which) return (await library.downloads.pause(which.video_ids)).length
  if (!(await library.downloads.pauseSite('host' in which ? which.host : all_sites))) throw noSuchSite()
  return undefined
}

const noSuchSite = () => new DomainError('not_found', 'Your library has no videos from this site.')

/** As `pauseDownloads`. `all`: also what was paused one by one, or by its site. */
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

/** Before the person's other downloads. Those of others keep their turns. */
export const downloadNext = (library: Library, video_id: string): Promise<Download> =>
  steered(library, video_id, () => library.downloads.downloadNext(video_id))

/** Starts one download from a site before its pause ends. */
export const trySite = (library: Library, host: string): Promise<ProbeResult> => library.downloads.tryHost(host)

async function steered(library: Library, video_id: string, steer: () => Promise<unknown>): Promise<Download> {
  await getDownload(library, video_id)
  await steer()
  return getDownload(library, video_id)
}
