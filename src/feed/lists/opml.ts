/**
 * Reads OPML as feed readers export it, and writes the followed channels as OPML 2.0, which every feed reader can import. Half of the files
 * in the wild are not well-formed (a bare `&`, a quote too many, no end), so each outline is read alone: an error in one outline costs no
 * other. Pure.
 */
import { withoutBidiControls } from '../../schema/values/direction.ts'
import { withoutEntities } from '../markup/html.ts'
import { isNamed, type RawLine, type Unread } from '../pages/addresses.ts'

export const isOpml = (text: string): boolean => /<(?:[\w.-]{1,50}:)?(?:opml|outline)[\s>/]/i.test(text)

/**
 * Every outline that has an address, at any depth; `null` for an episode. Its groups are the nearest folder around it, and its categories.
 * A folder around the whole list is no group, except in our own files.
 */
export function outlinesIn(text: string): RawLine[] {
  const is_ours = text.slice(0, 1000).includes(`<title>${our_title}<`)
  const lines = [...linesIn(text, is_ours)]
  const [first, ...others] = is_ours ? [] : lines.filter(isNamed)
  const around = first?.groups.filter(name => others.every(({ groups }) => groups.includes(name))) ?? []
  const notAround = (name: string) => !around.includes(name)
  return lines.map(line => (isNamed(line) ? { ...line, groups: line.groups.filter(notAround) } : line))
}

type GroupedLine = { address: string; title: string | undefined; groups: string[] } | Unread | null

function* linesIn(text: string, is_ours: boolean): Generator<GroupedLine> {
  /** For each open outline the nearest folder, which is the outline itself or around it. A channel is none, and may contain episodes. */
  const open: (string | undefined)[] = []
  for (const outline of outlineTextsIn(text.replace(/<!--[\s\S]*?(?:-->|$)/g, ''))) {
    const attributes = quotedAttributesIn(outline)
    const [address, written] = [firstValue(attributes, addresses), firstValue(attributes, titles)]
    // A title that still has an entity was escaped twice, except in our own files, where a title may contain `&amp;`.
    const title = is_ours ? written : written && withoutEntities(written)
    const folder = open.at(-1)
    const groups = [folder ?? [], categoriesIn(attributes.get('category') ?? '')].flat()
    if (isMadeOfPage(attributes)) yield 'pages_unread'
    else if (address) yield isChannel(attributes) ? { address, title, groups } : null
    // An odd quote hides where the tag ends. In `text="a/>b"`, the tag goes on.
    if (!/\/\s*>\s*(?:<|$)/.test(outline)) open.push(address ? folder : (title ?? folder))
    for (const _ of outline.matchAll(/<\/(?:[\w.-]{1,50}:)?outline/gi)) open.pop()
  }
}

/** The last names of paths such as `/News,/Home/Garden`. Words without a slash are no categories, but tags. */
const categoriesIn = (paths: string): string[] => paths.slice(0, 500).match(/(?<=\/)[^/,]+(?=,|$)/g) ?? []

/** Overcast lists the episodes of each podcast, too. An outline of type `include` is another list. */
const isChannel = (attributes: Map<string, string>): boolean =>
  !attributes.has('enclosureurl') && !/^(?:podcast-episode|include)$/i.test(attributes.get('type') ?? '')

/** FreshRSS makes feeds of pages without one, such as `HTML+XPath`. */
const isMadeOfPage = (attributes: Map<string, string>): boolean => /\+(?:xpath|dot)/i.test(attributes.get('type') ?? '')

/** The most reliable first. A page is good enough: its feed is found when the line is imported. */
const addresses = ['xmlurl', 'url', 'htmlurl']
const titles = ['title', 'text']

/** The text from each `<outline` to the next one. Quotes are ignored: an odd one would swallow the outlines after it. */
function* outlineTextsIn(text: string): Generator<string> {
  const start = /<(?:[\w.-]{1,50}:)?outline(?=[\s/>])/gi
  let from = -1
  for (let found = start.exec(text); found; found = start.exec(text)) {
    if (from !== -1) yield text.slice(from, found.index)
    from = start.lastIndex
  }
  if (from !== -1) yield text.slice(from)
}

/** By lower-case name, without entities; the first of a name counts. */
export function quotedAttributesIn(outline: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [, name = '', double, single] of outline.slice(0, 65_536).matchAll(attribute)) {
    const key = name.toLowerCase()
    if (!found.has(key)) found.set(key, withoutEntities(double ?? single ?? '').trim())
  }
  return found
}

/** A match never starts inside a name, so a very long name is scanned once. */
const attribute = /(?<![\w:.-])([\w:.-]{1,50})\s{0,10}=\s{0,10}(?:"([^"]*)"|'([^']*)')/g

const firstValue = (attributes: Map<string, string>, names: string[]) =>
  names.map(name => attributes.get(name)).find(value => value)

const our_title = 'Channels followed in Backlot'

type Exported = { title: string; rss_url: string; page_url?: string | null }

/** `now`: the time of the export. `groups`: folders. Titles are escaped. A channel in two groups is in both folders. */
export const opmlOf = (
  channels: Exported[],
  now: Date,
  groups: { name: string; channels: Exported[] }[] = [],
): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0">
  <head>
    <title>${our_title}</title>
    <dateCreated>${now.toUTCString()}</dateCreated>
  </head>
  <body>
${groups.map(folder).join('')}${channels.map(channel => outline(channel)).join('')}  </body>
</opml>
`

const folder = ({ name, channels }: { name: string; channels: Exported[] }) =>
  `    <outline text="${escaped(name)}" title="${escaped(name)}">
${channels.map(channel => `  ${outline(channel)}`).join('')}    </outline>\n`

const outline = ({ title, rss_url, page_url }: Exported) =>
  `    <outline type="rss" text="${escaped(title)}" title="${escaped(title)}" xmlUrl="${escaped(rss_url)}"${
    page_url == null ? '' : ` htmlUrl="${escaped(page_url)}"`
  }/>\n`

const escaped = (text: string) =>
  withoutBidiControls(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(/[\t\n\r]/g, ' ')
