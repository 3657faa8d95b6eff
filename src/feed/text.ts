/** What a feed says as plain text: titles on one line, descriptions with their line breaks. Nothing here is markup. Pure. */
import { withoutEntities } from './entities.ts'
import { piecesOf } from './html.ts'

/** `html`: markup, or so it may be. `text`: the feed vouches that a `<` is a `<`. */
export type TextKind = 'html' | 'text'

/** On one line, of at most 500 characters; undefined when nothing is left. */
export const titleOf = (text: string | undefined, kind: TextKind = 'html'): string | undefined =>
  somethingOf(shortened(plain(text, kind).replace(/\s+/g, ' ')))

/** Of any length; undefined when nothing is left. */
export const descriptionOf = (text: string | undefined, kind: TextKind = 'html'): string | undefined =>
  somethingOf(plain(text, kind).replace(/\n{3,}/g, '\n\n'))

function plain(text: string | undefined, kind: TextKind): string {
  if (text === undefined) return ''
  if (kind === 'text') return clean(text)
  return clean(withoutEntities(hasTags(text) ? withoutTags(text) : text))
}

/** In the middle of no letter. */
const shortened = (text: string) => (text.length > 500 ? `${clean(text.slice(0, 499))}…` : text)

const somethingOf = (text: string) => text.trim() || undefined

/** Without what Postgres refuses or a terminal obeys: NUL and other controls, halves of letters. */
export const clean = (text: string): string =>
  text
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|\p{Surrogate}/gu, '')

const blocks =
  'address article aside blockquote dd div dl dt figure figcaption footer h1 h2 h3 h4 h5 h6 header hr li ol p pre section table tr ul'
const breaks = new Set(['br', ...blocks.split(' ')])
const others =
  'a abbr acronym audio b big center cite code del em embed font form i iframe img input ins kbd label mark meta noscript ' +
  'object param q s samp script small source span strike strong style sub sup svg tbody td th thead time tt u var video wbr'
const known = new Set([...breaks, ...others.split(' ')])
/** Only of HTML's own names, because people write `<3` and `Map<string>` in titles. */
const tag = new RegExp(`<(?:/?(?:${[...known].join('|')})(?=[\\s/>])|!--)`, 'i')

export const hasTags = (text: string): boolean => tag.test(text)

function withoutTags(html: string): string {
  let text = ''
  for (const piece of piecesOf(html)) {
    // The source's own line breaks mean nothing in HTML.
    if ('text' in piece) text += piece.text.replace(/\s+/g, ' ')
    else if (breaks.has(piece.tag)) text += '\n'
    else if (!known.has(piece.tag)) text += `<${piece.is_end ? '/' : ''}${piece.tag}${piece.attributes}>`
  }
  return text.replace(/ +/g, ' ').replace(/ ?\n ?/g, '\n')
}
