/**
 * OPML, as feed readers export it. Half of it in the wild is not well-formed (a bare `&`, a quote too many, no end), so
 * it is read outline by outline and never as a document: what is wrong with one costs that one. Pure.
 */
import { withoutEntities } from '../markup/entities.ts'
import type { RawLine } from './parse-list.ts'
import { our_title } from './write-opml.ts'

export const isOpml = (text: string): boolean => /<(?:opml|outline)[\s>/]/i.test(text)

/** Every outline that has an address, however deep. Folders have none and are no lines; episodes are `null`. */
export function* outlinesIn(text: string): Generator<RawLine> {
  const is_ours = text.slice(0, 1000).includes(`<title>${our_title}<`)
  for (const outline of pieces(text.replace(/<!--[\s\S]*?(?:-->|$)/g, ''))) {
    const attributes = attributesIn(outline)
    const [address, title] = [firstOf(attributes, addresses), firstOf(attributes, titles)]
    if (!address) continue
    // A title that still has an entity was escaped twice. Ours are never, so they may say `&amp;` and mean it.
    yield isChannel(attributes) ? { address, title: is_ours ? title : title && withoutEntities(title) } : null
  }
}

/** Overcast lists the episodes of each podcast beside it. What is included is another list. */
const isChannel = (attributes: Map<string, string>): boolean =>
  !attributes.has('enclosureurl') && !/^(?:podcast-episode|include)$/i.test(attributes.get('type') ?? '')

/** In the order of trust. A page may stand for its feed: it is asked which. */
const addresses = ['xmlurl', 'url', 'htmlurl']
const titles = ['title', 'text']

/** From one `<outline` to the next. Quotes are not looked at: an odd one would swallow the outlines after it. */
function* pieces(text: string): Generator<string> {
  const start = /<outline(?=[\s/>])/gi
  let from = -1
  for (let found = start.exec(text); found; found = start.exec(text)) {
    if (from !== -1) yield text.slice(from, found.index)
    from = start.lastIndex
  }
  if (from !== -1) yield text.slice(from)
}

/** By lower-case name; the first of a name counts. */
function attributesIn(outline: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [, name = '', double, single] of outline.slice(0, 65_536).matchAll(attribute)) {
    const key = name.toLowerCase()
    if (!found.has(key)) found.set(key, withoutEntities(double ?? single ?? '').trim())
  }
  return found
}

/** A name begins in no other, so that a long one is walked once. */
const attribute = /(?<![\w:.-])([\w:.-]{1,50})\s{0,10}=\s{0,10}(?:"([^"]*)"|'([^']*)')/g

const firstOf = (attributes: Map<string, string>, names: string[]) =>
  names.map(name => attributes.get(name)).find(value => value)
