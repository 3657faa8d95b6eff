/** Makes plain text from titles (one line) and descriptions (with line breaks). The result contains no markup. Pure. */
import { cut, max_description, max_title } from '../../schema/values/stored.ts'
import { piecesOf, withoutEntities } from './html.ts'

/** `html`: it may contain markup. `text`: the feed declares that a `<` is a `<`. */
export type TextKind = 'html' | 'text'

/** One line of at most `max_title` characters; undefined when it is empty. */
export const titleOf = (text: string | undefined, kind: TextKind = 'html'): string | undefined =>
  somethingOf(plainText(text, kind, max_title).replace(/\s+/g, ' '), max_title)

/** At most `max_description` characters; undefined when it is empty. */
export const descriptionOf = (text: string | undefined, kind: TextKind = 'html'): string | undefined =>
  somethingOf(plainText(text, kind, max_description).replace(/\n{3,}/g, '\n\n'), max_description)

/**
 * So many characters of markup are read for each character that can be stored. A text of 5 MB would keep a parser busy for
 * seconds.
 */
const markup_per_character = 16

function plainText(text: string | undefined, kind: TextKind, most: number): string {
  if (text === undefined) return ''
  const read = text.slice(0, most * markup_per_character)
  if (kind === 'text') return clean(withWindowsSigns(read))
  return clean(withWindowsSigns(withoutEntities(hasTags(read) ? withoutTags(read) : read)))
}

const somethingOf = (text: string, most: number) => cut(text.trim(), most) || undefined

/**
 * No feed means the control characters U+0080–9F. They come from Windows-1252 that was declared as Latin-1; browsers show them
 * as characters of Windows-1252, too.
 */
const withWindowsSigns = (text: string): string =>
  text.replace(/[\u0080-\u009f]/g, control => windows_signs[control.charCodeAt(0) - 0x80] ?? '')

const windows_signs = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, n) => 0x80 + n))

/** Without the characters that Postgres refuses or a terminal obeys: NUL, other controls and lone surrogates. */
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
/** Only known names of HTML, because people write `<3` and `Map<string>` in titles. */
const tag = new RegExp(`<(?:/?(?:${[...known].join('|')})(?=[\\s/>])|!--)`, 'i')

export const hasTags = (text: string): boolean => tag.test(text)

function withoutTags(html: string): string {
  let text = ''
  for (const piece of piecesOf(html)) {
    // In HTML a line break of the source is a space.
    if ('text' in piece) text += piece.text.replace(/\s+/g, ' ')
    else if (breaks.has(piece.tag)) text += '\n'
    else if (!known.has(piece.tag)) text += `<${piece.is_end ? '/' : ''}${piece.tag}${piece.attributes}>`
  }
  return text.replace(/ +/g, ' ').replace(/ ?\n ?/g, '\n')
}
