/** XML → elements whose names mean one thing: prefixes are resolved, case is lower. Ends what is unsafe or endless in XML. */
import { XMLParser } from 'fast-xml-parser'
import { DomainError } from '../errors.ts'

export type Element = { name: string; attributes: Record<string, string>; children: (Element | string)[] }

/** The name of the first element, without its prefix, in lower case; undefined when there is none. Reads no further. */
export function rootNameOf(text: string): string | undefined {
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
  return at === -1
    ? undefined
    : /^<(?:[\w.-]{1,50}:)?([A-Za-z_][\w.-]{0,50})/.exec(text.slice(at, at + 110))?.[1]?.toLowerCase()
}

/**
 * Throws `not_a_feed`. A text that breaks off is read as far as it goes.
 * The names of Atom's own elements carry no prefix in an Atom document and `atom:` elsewhere.
 */
export function elementOf(text: string, root: string): Element {
  // Only the part in brackets can define entities, and no feed needs it. `<` ends the search, so that it stays short.
  if (/<!DOCTYPE[^<>[]*\[/i.test(text)) throw unsafe('It defines its own entities, which is refused.')
  const nameIn = namesOf(text, root)
  for (const node of parse(text.slice(text.indexOf('<')), nameIn)) {
    const element = elementFrom(node)
    if (element.name === root || element.name.endsWith(`:${root}`)) return element
  }
  throw unsafe('It is not complete.')
}

const unsafe = (reason: string, cause?: unknown) =>
  new DomainError('not_a_feed', `The feed at this address can not be read. ${reason}`, { cause })

type RawNode = { [name: string]: RawNode[] | Record<string, string> | string }

function parse(text: string, nameIn: (name: string) => string): RawNode[] {
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    ignoreDeclaration: true,
    ignorePiTags: true,
    allowBooleanAttributes: true,
    // As text: an id such as `0012` or `0x12` is no number.
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    htmlEntities: true,
    // None can be defined, so only the bytes count, and the fetch counts those.
    processEntities: { enabled: true, maxExpandedLength: Number.POSITIVE_INFINITY },
    maxNestedTags: 100,
    jPath: false,
    transformTagName: nameIn,
    transformAttributeName: name => name.toLowerCase(),
  })
  try {
    return parser.parse(text) as RawNode[]
  } catch (cause) {
    throw unsafe('Its XML is broken.', cause)
  }
}

function elementFrom(node: RawNode): Element {
  const name = Object.keys(node).find(key => key !== ':@') ?? ''
  const content = node[name]
  const children = Array.isArray(content) ? content.map(childFrom) : []
  return { name, attributes: attributesFrom(node[':@']), children }
}

/** One without a value says nothing, whatever the parser takes it for. */
const attributesFrom = (found: RawNode[string] = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(found).filter((pair): pair is [string, string] => typeof pair[1] === 'string'))

const childFrom = (node: RawNode): Element | string =>
  typeof node['#text'] === 'string' ? node['#text'] : elementFrom(node)

/** What the product calls a namespace, by what its address has in it. `''`: the feed's own words. */
const namespaces: [RegExp, string][] = [
  [/search\.yahoo\.com\/mrss|\/mrss\/?$|\/rss\/1\.0\/modules\/media/, 'media:'],
  [/itunes\.(apple\.)?com|itunes/i, 'itunes:'],
  [/purl\.org\/dc\/(elements|terms)/, 'dc:'],
  [/rss\/1\.0\/modules\/content/, 'content:'],
  [/rss\/1\.0\/modules\/syndication/, 'sy:'],
  [/youtube\.com\/xml\/schemas/, 'yt:'],
  [/www\.w3\.org\/2005\/Atom|purl\.org\/atom/, 'atom:'],
  [/www\.w3\.org\/1999\/02\/22-rdf-syntax-ns/, 'rdf:'],
  [/www\.w3\.org\/1999\/xhtml/, 'xhtml:'],
  [/purl\.org\/rss\/1\.0\/?$|my\.netscape\.com\/rdf|backend\.userland\.com|blogs\.law\.harvard\.edu/, ''],
]

/** Names in their usual spelling, whatever prefix this document binds. Undeclared prefixes are taken at their word. */
function namesOf(text: string, root: string): (name: string) => string {
  const prefixes = new Map<string, string>()
  for (const [, prefix = '', address = ''] of text.matchAll(
    /\sxmlns(?::([\w.-]{1,50}))?\s{0,9}=\s{0,9}["']([^"'<>]{0,200})["']/g,
  )) {
    const usual = namespaces.find(([pattern]) => pattern.test(address))?.[1]
    if (prefix !== '' && usual !== undefined && !prefixes.has(prefix)) prefixes.set(prefix, usual)
  }
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

export const childrenOf = (element: Element | undefined, name: string): Element[] =>
  element?.children.filter((child): child is Element => typeof child !== 'string' && child.name === name) ?? []

export const childOf = (element: Element | undefined, name: string): Element | undefined => childrenOf(element, name)[0]

/** All text inside, in order, tags left out. */
export const textIn = (element: Element): string =>
  element.children.map(child => (typeof child === 'string' ? child : textIn(child))).join('')

/** The text of the first of these children that has any. */
export function textAt(element: Element | undefined, ...names: string[]): string | undefined {
  for (const name of names) {
    for (const child of childrenOf(element, name)) {
      const text = textIn(child)
      if (text.trim() !== '') return text
    }
  }
  return undefined
}
