/** Pictures of channels as feeds name them, and of entries in what is said of them in HTML, for feeds that name none. Pure. */
import { withoutEntities } from '../markup/entities.ts'
import { attributesIn, piecesOf } from '../markup/html.ts'
import { webUrlOf } from '../markup/web-url.ts'

/** The first of a channel's that a page may show. */
export const channelPicture = (pictures: (string | undefined)[], base: string): string | undefined =>
  pictures.flatMap(picture => webUrlOf(picture, base) ?? [])[0]

/** Of an entry, in the order in which the feed names them; addresses may be relative or none at all. */
export type Picture = { url: string | undefined; width?: number }

/** Of the address, wide enough for a card: the smallest such one of those that have a size. Null when there is none. */
export function entryPicture(pictures: (Picture | string | undefined)[], base: string): string | null {
  const usable = pictures.flatMap(given => {
    const { url: written, width = 0 } = typeof given === 'object' ? given : { url: given }
    const url = webUrlOf(written, base)
    return url === undefined || isFace(url) ? [] : [{ url, width }]
  })
  const [first] = usable
  if (!first) return null
  // The first counts most, unless the feed gives the same picture in sizes to choose from.
  const sized = first.width > 0 ? usable.filter(({ width }) => width > 0) : []
  const [wide] = sized.filter(({ width }) => width >= card_width).sort((a, b) => a.width - b.width)
  const [widest] = sized.toSorted((a, b) => b.width - a.width)
  return (wide ?? widest ?? first).url
}

/** Pixels, on a screen with two for each one of the page's. */
const card_width = 640

/** Pictures of authors, which would be the same on every entry. */
const isFace = (url: string): boolean => faces.test(url)
const faces =
  /^(?:https?:)?\/\/(?:[\w-]+\.)*(?:gravatar\.com\/avatar|(?:sec)?cdn\.libravatar\.org\/avatar|avatars\d?\.githubusercontent\.com|twimg\.com\/profile_images|ui-avatars\.com)[/?]/i

/** Its address as written. Counters of readers, of a dot's size, are no pictures, and authors are not shown. */
export function pictureIn(html: string | undefined): string | undefined {
  if (html === undefined || !/<img\s/i.test(html)) return undefined
  for (const piece of piecesOf(html)) {
    if (!('tag' in piece) || piece.tag !== 'img' || piece.is_end) continue
    const attributes = attributesIn(piece.attributes)
    const src = attributes.get('src')?.trim()
    const isDot = ['width', 'height'].some(side => /^[0-3](px)?$/.test(attributes.get(side)?.trim() ?? ''))
    if (src && !isDot && !src.startsWith('data:') && !isFace(src)) return withoutEntities(src)
  }
  return undefined
}
