/** Makes and revokes links to videos. */
import type { Library } from '../../db/library.ts'
import { DomainError, noRoomFor } from '../../errors.ts'
import { extensionOf } from '../../schema/downloads/quality.ts'
import { type LinkRequest, max_links, type NewLink } from '../../schema/links/link.ts'
import type { Video } from '../../schema/videos/video.ts'
import { getVideo, not_on_disk } from '../get.ts'

/** `site`: the address of this service, with which the address of the link begins. */
export async function createLink(
  library: Library,
  site: string,
  { video_id, kind, hours }: LinkRequest,
): Promise<NewLink> {
  const file_name = fileNameOf(await getVideo(library, video_id))
  if (!file_name) throw new DomainError('conflict', not_on_disk)
  const made = await library.secrets.make({ kind, opens: { video_id }, lasts_s: hours * 3600 })
  if (typeof made === 'string') throw noRoomFor(max_links, 'links', 'Revoke')
  const page = `${site}/s/${made.token}`
  const url = kind === 'share' ? page : `${page}/${encodeURIComponent(file_name)}`
  return { link_id: made.secret_id, url, expires_at: made.expires_at }
}

export async function revokeLink({ secrets }: Library, link_id: string): Promise<void> {
  if (!(await secrets.revoke(['play', 'share', 'podcast'], link_id)))
    throw new DomainError('not_found', 'You have no such link.')
}

/** The last part of the address of the file. `undefined`: the video is not on disk. */
export const fileNameOf = ({ video_id, download_path }: Video): string | undefined =>
  download_path === null ? undefined : `${video_id}.${extensionOf(download_path)}`
