/** Reads HTML as a stream of tags and text, in one pass, even if it is broken; its entities; and the HTTP header `Link`. Builds no tree. Pure. */
import { decodeHTMLStrict } from 'entities'
import { webUrlOf } from './web-url.ts'

type Piece =
  | { text: string }
  /** In lower case; `is_end` for `</p>`. */
  | { tag: string; is_end: boolean; attributes: string }

/** Without comments, declarations, and the contents of scripts and styles. */
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

export type HeaderLink = { href: string; rel: string; type: string; title: string | undefined }

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
