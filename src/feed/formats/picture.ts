/** Chooses the pictures of channels and entries, from what feeds name and from images in HTML. Pure. */
import { attributesIn, piecesOf, withoutEntities } from '../markup/html.ts'
import { webUrlOf } from '../markup/web-url.ts'

/** The first picture of a channel whose address is fit for a page. */
export const channelPicture = (pictures: (string | undefined)[], base: string): string | undefined =>
  pictures.flatMap(picture => webUrlOf(picture, base) ?? [])[0]

/** A picture of an entry as the feed names it; the address may be relative, or not valid. */
export type Picture = { url: string | undefined; width?: number }

/** Of the pictures with a size, the smallest that is wide enough for a card; else the first. `null`: there is none. */
export function entryPicture(pictures: (Picture | string | undefined)[], base: string): string | null {
  const usable = pictures.flatMap(given => {
    const { url: written, width = 0 } = typeof given === 'object' ? given : { url: given }
    const url = webUrlOf(written, base)
    return url === undefined || isFace(url) ? [] : [{ url, width }]
  })
  const [first] = usable
  if (!first) return null
  // The first one is best, unless the feed offers several sizes.
  const sized = first.width > 0 ? usable.filter(({ width }) => width > 0) : []
  const [wide] = sized.filter(({ width }) => width >= card_width).sort((a, b) => a.width - b.width)
  const [widest] = sized.toSorted((a, b) => b.width - a.width)
  return (wide ?? widest ?? first).url
}

/** Pixels, for a screen with two pixels per CSS pixel. */
const card_width = 640

/** Whether it is the picture of an author, which would be the same for every entry. */
const isFace = (url: string): boolean => faces.test(url)
const faces =
  /^(?:https?:)?\/\/(?:[\w-]+\.)*(?:gravatar\.com\/avatar|(?:sec)?cdn\.libravatar\.org\/avatar|avatars\d?\.githubusercontent\.com|twimg\.com\/profile_images|ui-avatars\.com)[/?]/i

/** The address of the first image, as written. Tracking pixels and pictures of authors do not count. */
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
