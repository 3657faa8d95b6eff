/** Pictures of channels as feeds name them, and of entries in what is said of them in HTML, for feeds that name none. Pure. */
import { withoutEntities } from './entities.ts'
import { attributesIn, piecesOf } from './html.ts'
import { webUrlOf } from './web-url.ts'

/** The first of a channel's that a page may show. */
export const channelPicture = (pictures: (string | undefined)[], base: string): string | undefined =>
  pictures.flatMap(picture => webUrlOf(picture, base) ?? [])[0]

/** Its address as written. Counters of readers, of a dot's size, are no pictures. */
export function pictureIn(html: string | undefined): string | undefined {
  if (html === undefined || !/<img\s/i.test(html)) return undefined
  for (const piece of piecesOf(html)) {
    if (!('tag' in piece) || piece.tag !== 'img' || piece.is_end) continue
    const attributes = attributesIn(piece.attributes)
    const src = attributes.get('src')?.trim()
    const isDot = ['width', 'height'].some(side => /^[0-3](px)?$/.test(attributes.get(side)?.trim() ?? ''))
    if (src && !isDot && !src.startsWith('data:')) return withoutEntities(src)
  }
  return undefined
}
