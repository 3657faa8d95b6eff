/**
 * Reads HTML as a stream of tags and text, in one pass, even if it is broken, and builds no tree. Makes plain text from titles (one line)
 * and descriptions (with line breaks). Reads entities and the HTTP header `Link`. Pure.
 */
import { decodeHTMLStrict } from 'entities'
import { cut, max_description, max_title } from '../../schema/values/stored.ts'
import { clean } from './clean.ts'
import { webUrlOf } from './web-url.ts'

export type Piece =
  | { text: string }
  /** In lower case; `is_end` for `</p>`. */
  | { tag: string; is_end: boolean; attributes: string }

/** Leaves out comments, declarations, and the contents of scripts and styles. */
export function* piecesOf(html: string): Generator<Piece> {
  let at = 0
  for (let open = nextMarkup(html, at); open !== -1; open = nextMarkup(html, at)) {
    if (open > at) yield { text: html.slice(at, open) }
    const [piece, end] = markupAt(html, open)
    if (piece) yield piece
    at = end
  }
  if (at < html.length) yield { text: html.slice(at) }
}

/** A `<` that opens nothing belongs to the text around it: a million of them must not become a million pieces. */
function nextMarkup(html: string, from: number): number {
  opening.lastIndex = from
  return opening.exec(html)?.index ?? -1
}
const opening = /<(?=[!?]|\/?[a-zA-Z])/g

function markupAt(html: string, open: number): [Piece | undefined, number] {
  if (html.startsWith('<!--', open)) return [undefined, after(html, '-->', open + 4)]
  if (/[!?]/.test(html.charAt(open + 1))) return [undefined, after(html, '>', open)]
  const [, slash, name] = /^<(\/?)([a-zA-Z][a-zA-Z0-9:-]{0,40})/.exec(html.slice(open, open + 48)) ?? []
  if (name === undefined) return [undefined, open + 1]
  const start = open + 1 + (slash?.length ?? 0) + name.length
  const end = endOfTag(html, start)
  const tag = name.toLowerCase()
  const piece = { tag, is_end: slash === '/', attributes: html.slice(start, end) }
  return [piece, tag in silent && !piece.is_end ? endOfSilent(html, tag, end) : end + 1]
}

/** Elements whose contents are not text for people. */
const silent = { script: true, style: true }

function endOfSilent(html: string, tag: string, from: number): number {
  for (let at = html.indexOf('</', from); at !== -1; at = html.indexOf('</', at + 2)) {
    if (html.slice(at + 2, at + 2 + tag.length).toLowerCase() === tag) return at
  }
  return html.length
}

/** The closing `>`, not one inside a quoted attribute. Searches character by character only where needed: tags may be megabytes long. */
function endOfTag(html: string, from: number): number {
  const sign = /[>"']/g
  sign.lastIndex = from
  for (let found = sign.exec(html); found; found = sign.exec(html)) {
    if (found[0] === '>') return found.index
    const close = html.indexOf(found[0], found.index + 1)
    // After a lone quote the next `>` ends the tag.
    if (close === -1) return after(html, '>', found.index) - 1
    sign.lastIndex = close + 1
  }
  return html.length
}

function after(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from)
  return at === -1 ? html.length : at + mark.length
}

/** The attributes of a tag by lower-case name, with their entities; the first of a name counts. `''`: no value. */
export function attributesIn(text: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [, key = '', double, single, bare] of text.slice(0, 4096).matchAll(attribute)) {
    const name = key.toLowerCase()
    if (!found.has(name)) found.set(name, double ?? single ?? bare ?? '')
  }
  return found
}

/** A match never fails inside a name and never starts inside one, so a very long name is scanned once. */
const attribute = /(?<![^\s"'/])([^\s"'=<>/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g

/**
 * `&eacute;` and `&#233;` → é. The package knows all 2,125 names of HTML; XML parsers know five.
 * Decodes once, so `&amp;lt;` becomes `&lt;`. Unknown names stay unchanged, and so do known ones without a semicolon, because
 * those are more often parts of addresses (`?a=1&copy=2`). Takes time in proportion to the text.
 */
export const withoutEntities = (text: string): string => (text.includes('&') ? decodeHTMLStrict(text) : text)

type HeaderLink = { href: string; rel: string; type: string; title: string | undefined }

/**
 * The links in the HTTP header `Link` (RFC 8288). `url`: the document's own. Without `;` and `,` the parameters of a link read like the
 * attributes of a tag.
 */
export const linksInHeader = (header: string, url: string): HeaderLink[] =>
  Array.from(header.matchAll(/<([^<>]*)>([^<>]*)/g)).flatMap(([, target, parameters = '']) => {
    const href = webUrlOf(target, url)
    if (href === undefined) return []
    const attributes = attributesIn(parameters.replace(/[;,]/g, ' '))
    return [
      { href, rel: attributes.get('rel') ?? '', type: attributes.get('type') ?? '', title: attributes.get('title') },
    ]
  })

/** `html`: it may contain markup. `text`: the feed declares that a `<` is a `<`. */
export type TextKind = 'html' | 'text'

/** One line of at most `max_title` characters, without markup; undefined when it is empty. */
export const titleOf = (text: string | undefined, kind: TextKind = 'html'): string | undefined =>
  somethingOf(plainText(text, kind, max_title).replace(/\s+/g, ' '), max_title)

/** At most `max_description` characters, without markup; undefined when it is empty. */
export const descriptionOf = (text: string | undefined, kind: TextKind = 'html'): string | undefined =>
  somethingOf(plainText(text, kind, max_description).replace(/\n{3,}/g, '\n\n'), max_description)

/**
 * This many characters of markup are read for each character that can be stored. A text of 5 MB would keep a parser busy for seconds.
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

const block_tags =
  'address article aside blockquote dd div dl dt figure figcaption footer h1 h2 h3 h4 h5 h6 header hr li ol p pre section table tr ul'
const line_breaks = new Set(['br', ...block_tags.split(' ')])
const inline_tags =
  'a abbr acronym audio b big center cite code del em embed font form i iframe img input ins kbd label mark meta noscript ' +
  'object param q s samp script small source span strike strong style sub sup svg tbody td th thead time tt u var video wbr'
const known_tags = new Set([...line_breaks, ...inline_tags.split(' ')])
/** Only known names of HTML, because people write `<3` and `Map<string>` in titles. */
const tag = new RegExp(`<(?:/?(?:${[...known_tags].join('|')})(?=[\\s/>])|!--)`, 'i')

export const hasTags = (text: string): boolean => tag.test(text)

function withoutTags(html: string): string {
  let text = ''
  for (const piece of piecesOf(html)) {
    // In HTML a line break of the source is a space.
    if ('text' in piece) text += piece.text.replace(/\s+/g, ' ')
    else if (line_breaks.has(piece.tag)) text += '\n'
    else if (!known_tags.has(piece.tag)) text += `<${piece.is_end ? '/' : ''}${piece.tag}${piece.attributes}>`
  }
  return text.replace(/ +/g, ' ').replace(/ ?\n ?/g, '\n')
}
