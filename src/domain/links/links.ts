/** Makes and revokes links, and finds what the secret in the address of a link opens. */
import { linkHash, newLinkToken } from '../../auth/passwords.ts'
import type { Library } from '../../db/library.ts'
import type { LinkOwners, OpenedLink } from '../../db/links/link-owners.ts'
import { DomainError, noRoomFor, nothingHere } from '../../errors.ts'
import { extensionOf } from '../../schema/downloads/quality.ts'
import { type LinkKind, type LinkRequest, max_links, type NewLink } from '../../schema/links/link.ts'
import type { Video } from '../../schema/videos/video.ts'
import { getVideo, not_on_disk } from '../get.ts'

/** `site`: the address of this service, with which the address of the link begins. */
export async function createLink(library: Library, site: string, wanted: LinkRequest): Promise<NewLink> {
  const video = await getVideo(library, wanted.video_id)
  const file_name = fileNameOf(video)
  if (!file_name) throw new DomainError('conflict', not_on_disk)
  const { secret, hash } = newLinkSecret()
  const link = await library.links.add({ ...wanted, hash })
  if (!link) throw noRoomFor(max_links, 'links', 'Revoke')
  const page = `${site}/s/${secret}`
  return { ...link, url: wanted.kind === 'share' ? page : `${page}/${encodeURIComponent(file_name)}` }
}

export async function revokeLink(library: Library, link_id: string): Promise<void> {
  if (!(await library.links.revoke(link_id))) throw new DomainError('not_found', 'You have no such link.')
}

/** The secret of a new link, and its hash. Only the hash is stored. */
export function newLinkSecret(): { secret: string; hash: string } {
  const secret = newLinkToken()
  return { secret, hash: linkHash(secret) ?? '' }
}

/** Throws `not_found`, also when the link has expired or its owner is locked. */
export async function openLink(owners: LinkOwners, secret: string, kinds: LinkKind[]): Promise<OpenedLink> {
  const hash = linkHash(secret)
  const link = hash && (await owners.find(hash, kinds))
  if (!link) throw nothingHere()
  return link
}

/** The last part of the address of the file. `undefined`: the video is not on disk. */
export const fileNameOf = ({ video_id, download_path }: Video): string | undefined =>
  download_path === null ? undefined : `${video_id}.${extensionOf(download_path)}`
