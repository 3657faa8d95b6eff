/** Parses XML into elements with resolved prefixes and lower-case names. Refuses what is unsafe in XML. */
import { XMLParser } from 'fast-xml-parser'
import { DomainError } from '../../errors.ts'
import { type Element, entriesIn } from './element.ts'
import { type Format, openingsIn, wellFormed } from './markup.ts'
import { readTolerantly } from './tolerant.ts'

export { childOf, childrenOf, type Element, entriesIn, textAt, textIn } from './element.ts'

/** The name of the first element, without its prefix, in lower case; undefined when there is none. */
export const rootNameOf = (text: string): string | undefined => rootOf(text)?.[2]?.toLowerCase()

/** The prefix of the first element, then its name; undefined when there is none. */
function rootOf(text: string): RegExpExecArray | null | undefined {
  let at = text.indexOf('<')
  while (at !== -1) {
    const end = text.startsWith('<!--', at)
      ? '-->'
      : text.startsWith('<?', at) || text.startsWith('<!', at)
        ? '>'
        : undefined
    if (end === undefined) break
    const close = text.indexOf(end, at)
    at = close === -1 ? -1 : text.indexOf('<', close)
  }
  return at === -1 ? undefined : /^<(?:([\w.-]{1,50}):)?([A-Za-z_][\w.-]{0,50})/.exec(text.slice(at, at + 110))
}

/**
 * Throws `not_a_feed`. `fast-xml-parser` reads well-formed documents. The tolerant reader reads a document that is broken, breaks
 * off, or would lose entries otherwise.
 * Atom's elements have no prefix in an Atom document, and `atom:` in others.
 */
export function elementOf(text: string, root: string): Element {
  // Only the part in brackets can define entities, and no feed needs it. The search ends at `<`, so it is short.
  if (/<!DOCTYPE[^<>[]*\[/i.test(text)) throw unsafe('It defines its own entities, which is not allowed.')
  const format = { root, entry: root === 'feed' ? 'entry' : 'item', nameIn: namesOf(text, root) }
  const start = text.indexOf('<')
  const markup = start === -1 ? '' : text.slice(start)
  const element = readStrictly(markup, format) ?? readTolerantly(markup, format)
  if (element === undefined) throw unsafe('It is not complete.')
  return element
}

const unsafe = (reason: string) => new DomainError('not_a_feed', `This feed cannot be read. ${reason}`)

/** Undefined when the text is not well-formed, or when not all entries that open in it were found. */
function readStrictly(text: string, format: Format): Element | undefined {
  const { root, entry, nameIn } = format
  const checked = wellFormed(text, format)
  for (const node of parsed(checked?.text ?? text, nameIn, checked !== undefined) ?? []) {
    const element = elementFrom(node)
    if (element.name === root || element.name.endsWith(`:${root}`)) {
      const entries = checked?.entries ?? openingsIn(text, format).length
      return entriesIn(element, entry).length === entries ? element : undefined
    }
  }
  return undefined
}

type RawNode = { [name: string]: RawNode[] | Record<string, unknown> | string }

function parsed(text: string, nameIn: (name: string) => string, is_valid: boolean): RawNode[] | undefined {
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    ignoreDeclaration: true,
    ignorePiTags: true,
    allowBooleanAttributes: true,
    // As text, because an id such as `0012` or `0x12` is not a number.
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    htmlEntities: true,
    // Entities cannot be defined, so the size of the document is limit enough.
    processEntities: { enabled: true, maxExpandedLength: Number.POSITIVE_INFINITY },
    maxNestedTags: 100,
    jPath: false,
    transformTagName: nameIn,
    transformAttributeName: name => name.toLowerCase(),
  })
  try {
    return parser.parse(text, is_valid ? false : { allowBooleanAttributes: true }) as RawNode[]
  } catch {
    return undefined
  }
}

function elementFrom(node: RawNode): Element {
  for (const name in node) {
    if (name === ':@') continue
    const content = node[name]
    const children = Array.isArray(content) ? content.map(childFrom) : []
    return { name, attributes: attributesFrom(node[':@']), children }
  }
  return { name: '', attributes: {}, children: [] }
}

/** Attributes without a value are ignored. */
function attributesFrom(found: RawNode[string] = {}): Record<string, string> {
  const attributes: Record<string, string> = {}
  for (const [name, value] of Object.entries(found)) if (typeof value === 'string') attributes[name] = value
  return attributes
}

const childFrom = (node: RawNode): Element | string =>
  typeof node['#text'] === 'string' ? node['#text'] : elementFrom(node)

/** The prefix for a namespace, by a part of its address. `''`: elements of the format itself. */
const namespaces: [RegExp, string][] = [
  [/search\.yahoo\.com\/mrss|\/mrss\/?$|\/rss\/1\.0\/modules\/media/, 'media:'],
  [/itunes\.(apple\.)?com|itunes/i, 'itunes:'],
  [/purl\.org\/dc\/(elements|terms)/, 'dc:'],
  [/rss\/1\.0\/modules\/content/, 'content:'],
  [/rss\/1\.0\/modules\/syndication/, 'sy:'],
  [/youtube\.com\/xml\/schemas/, 'yt:'],
  [/podcastindex\.org\/namespace|podcastindex-org\/podcast-namespace/i, 'podcast:'],
  [/www\.w3\.org\/2005\/Atom|purl\.org\/atom/, 'atom:'],
  [/www\.w3\.org\/1999\/02\/22-rdf-syntax-ns/, 'rdf:'],
  [/www\.w3\.org\/1999\/xhtml/, 'xhtml:'],
  [/purl\.org\/rss\/1\.0\/?$|my\.netscape\.com\/rdf|backend\.userland\.com|blogs\.law\.harvard\.edu/, ''],
]

/** Names with the usual prefix, whatever prefix the document declares. Undeclared prefixes stay. */
function namesOf(text: string, root: string): (name: string) => string {
  const prefixes = new Map<string, string>()
  for (const [, prefix = '', address = ''] of text.matchAll(
    /\sxmlns(?::([\w.-]{1,50}))?\s{0,9}=\s{0,9}["']([^"'<>]{0,200})["']/g,
  )) {
    const usual = namespaces.find(([pattern]) => pattern.test(address))?.[1]
    if (prefix !== '' && usual !== undefined && !prefixes.has(prefix)) prefixes.set(prefix, usual)
  }
  // A prefix of the root is that of the format, whatever it is declared to be.
  const own = rootOf(text)?.[1]
  if (own !== undefined && !prefixes.has(own)) prefixes.set(own, '')
  const seen = new Map<string, string>()
  return name => {
    const known = seen.get(name)
    if (known !== undefined) return known
    const [, prefix, local = name] = /^([^:]*):(.*)$/s.exec(name) ?? []
    const usual = prefix === undefined ? '' : (prefixes.get(prefix) ?? `${prefix}:`)
    const full = (usual === 'atom:' && root === 'feed' ? local : usual + local).toLowerCase()
    seen.set(name, full)
    return full
  }
}
