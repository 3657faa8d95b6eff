/**
 * The lines of a list, as the reader of every format returns them; and the only reader of addresses in other text, such as what a person
 * pastes or shares, a yt-dlp batch file, Markdown, TOML or prose. Pure.
 */
import type { ListKind } from '../../schema/imports/import.ts'
import { withoutPunctuation, written_address } from '../../schema/values/address.ts'
import { clean } from '../markup/clean.ts'
import { isChannelId, isYouTube } from '../platforms/youtube.ts'

/** One item as the list writes it, unchecked; `groups`: the names of those it is in. */
type NamedLine = { address: string; title?: string | undefined; groups?: string[] | undefined }

/** What another app keeps and we do not read, as the field of `ImportContent` that counts it. */
export type Unread = 'playlists_unread' | 'pages_unread'

/** `null`: a line that names no channel. */
export type RawLine = NamedLine | Unread | null

export const isNamed = <Line extends NamedLine>(line: Line | Unread | null): line is Line =>
  typeof line === 'object' && line !== null

export type RawList = {
  kind: ListKind
  lines: Iterable<RawLine>
  /** Whether the items themselves say which channels are followed. */
  says_followed?: boolean
}

/** Every address of every line, in order; `null` for each line without one. Blank lines are ignored. */
export function* addressesIn(text: string): Generator<RawLine> {
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    const text_of_line = line.trim()
    if (text_of_line === '') continue
    const found = isComment(text_of_line) ? [] : foundIn(text_of_line)
    if (found.length === 0) yield null
    else yield* found
  }
}

/** The characters that begin a comment in files of yt-dlp and newsboat. */
const isComment = (line: string): boolean => /^[#;\]]/.test(line)

/** The first address in what a person pasted or shared, as it is written there; undefined: there is none. */
export const addressIn = (text: string): string | undefined => foundIn(text, writtenIn)[0]?.address

function foundIn(line: string, webIn = webAddressesIn): Found[] {
  const web = webIn(line)
  return web.length > 0 ? web : barelyNamedIn(line)
}

type Found = { address: string; title?: string }

/** Addresses with http://, https:// or www. in a line that may be the row of a table. */
export const webAddressesIn = (line: string): Found[] =>
  writtenIn(line).map(found => ({ ...found, address: withoutPunctuation(withoutCell(found.address)) }))

/** The label of a Markdown link becomes the title. */
function writtenIn(line: string): Found[] {
  if (!/:\/\/|www\./i.test(line)) return []
  let end = 0
  return [...line.matchAll(written_address)].flatMap(({ 0: found, index }) => {
    const before = line.slice(Math.max(end, index - 600), index)
    end = index + found.length
    const [, title] = /\[([^[\]]+)\]\(\s*<?$/.exec(before) ?? []
    const [mark = ''] = emphasis.exec(before) ?? []
    const [first = '', ...others] = found
      .split(/(?<=[,;)\]])(?=https?:\/\/)/i)
      .map(one => withoutPunctuation(one.slice(0, max_address_characters)))
    const address = mark !== '' && first.endsWith(mark) ? first.slice(0, -mark.length) : first
    return [title === undefined ? { address } : { address, title }, ...others.map(address => ({ address }))]
  })
}

/** The signs of Markdown before words, and again behind them. An address may have an underscore at its end. */
const emphasis = /(?<![_~])[_~]{1,3}$/

/** Longer addresses fail anyway, so the rest of an address is not examined. */
const max_address_characters = 4096

/** `https://a.example/feed,Title` is two cells. A comma that may be part of the address stays. */
function withoutCell(found: string): string {
  const [, address = found, next] = /^([^,;]*)[,;](.*)$/.exec(found) ?? []
  if (next === undefined) return found
  const is_youtube = isYouTube(URL.parse(address)?.hostname ?? '')
  return is_youtube || (!address.includes('?') && /^\p{L}[^/=&?#%.]*$/u.test(next)) ? address : found
}

/** Finds addresses without http://: a handle, an identifier of a channel of YouTube, or the name of a site. */
function barelyNamedIn(line: string): Found[] {
  if (!/[@＠.]|:\/\/|UC/.test(line)) return []
  const words = clean(line)
    .replace(/\s#.*/g, '')
    .split(/[\s<>"'`]+/, max_words)
    .map(word => withoutPunctuation(word.replace(/^[^\p{L}\p{N}@＠]+/u, '')))
    .filter(word => word !== '')
  const ids = words.filter(isChannelId)
  if (ids.length > 0) return ids.map(address => ({ address }))
  const [first = ''] = words
  const is_alone = words.length === 1
  // Among other words, `end.Next` is more likely two sentences than a site, unless a path follows, and `name@host` is an address of e-mail.
  if (/^[@＠][\p{L}\p{M}\p{N}\p{Join_Control}_.·-]+$/u.test(first) || (is_alone && isMeantAsAddress(first)))
    return [{ address: first }]
  return words.filter(word => site_with_path.test(word) || isFullHandle(word)).map(address => ({ address }))
}

const max_words = 1000

const isFullHandle = (word: string): boolean => /^[@＠]/.test(word) && peertube_handle.test(word)

/** How PeerTube names a channel of any server: `@channel@host`, `channel@host` or `acct:channel@host`. */
export const peertube_handle = /^(?:acct:)?[@＠]?([\w.-]{1,100})[@＠]((?:[\p{L}\d-]+\.)+\p{L}[\p{L}\d-]+(?::\d+)?)$/iu

/** Something that was meant as an address is kept, so that the import can report it as failed. An id of eleven characters is a video's. */
const isMeantAsAddress = (word: string): boolean =>
  /^(?:UC(?![\w-]{9}$)[\w-]+|[a-z][a-z\d+.-]*:\/\/\S+|(?:feed:)?[\p{L}\d-]+(?:\.[\p{L}\d-]+)+(?:[/:?#]\S*)?)$/iu.test(
    word,
  ) || peertube_handle.test(word)

const site_with_path = /^(?:[\p{L}\d-]+\.)+\p{L}{2,}\/\S+$/u
