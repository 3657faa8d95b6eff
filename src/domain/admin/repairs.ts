/**
 * Repairs of the service, for the page and for the command line: ends pauses, requests failed downloads again, looks for a newer yt-dlp.
 */
import type { ServiceDesk } from '../../db/admin/service-desk.ts'
import type { Library } from '../../db/library.ts'
import type { Service } from '../../db/service/service.ts'
import { DomainError } from '../../errors.ts'
import type { Requested } from '../../schema/downloads/download-api.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Files } from '../../store/files.ts'
import { requestDownloads } from '../downloads/downloads.ts'
import { dead_after_s } from '../downloads/recovery.ts'

/** Ends every pause of this host, for all people. Returns how many there were; throws `conflict` if there was none. */
export async function endPauses(desk: ServiceDesk, host: string): Promise<number> {
  const ended = await desk.endPauses(host.trim().toLowerCase())
  if (ended === 0) throw new DomainError('conflict', `${host} is not paused.`)
  return ended
}

/** Requests the failed downloads of all people again. `host`: absent, from any. */
export async function retryForAll(
  desk: ServiceDesk,
  libraryOf: (user_id: UserId) => Library,
  files: Files,
  host?: string,
): Promise<Requested[]> {
  const failed = Map.groupBy(await desk.beginRetry(host), ({ user_id }) => user_id)
  const requested: Requested[] = []
  for (const [user_id, jobs] of failed) {
    const video_ids = jobs.map(({ video_id }) => video_id)
    requested.push(...(await requestDownloads(libraryOf(user_id), files, video_ids)))
  }
  return requested
}

/** Makes the workers look for a newer yt-dlp now. Throws `conflict` where no worker would. */
export async function checkTools(desk: ServiceDesk, service: Service): Promise<void> {
  const workers = await service.workers(dead_after_s)
  if (workers.length === 0) throw new DomainError('conflict', 'No worker is running. Start one, then try again.')
  if (!workers.some(({ renewal }) => renewal))
    throw new DomainError('conflict', 'Backlot does not update this yt-dlp. Update it on its machine.')
  await desk.checkTools()
}
