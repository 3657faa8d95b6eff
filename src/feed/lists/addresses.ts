/** Addresses among other text: one on each line, as a batch file of yt-dlp, Markdown, TOML or prose has them. Pure. */
import { clean } from '../markup/text.ts'
import { isChannelId, isYouTube } from '../platforms/youtube.ts'
import type { RawLine } from './list.ts'

/** Every address of every line, in order; `null` for each line that names none. Blank lines are no lines. */
export function* addressesIn(text: string): Generator<RawLine> {
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    const plain = line.trim()
    if (plain === '') continue
    const found = isRemark(plain) ? [] : foundIn(plain)
    if (found.length === 0) yield null
    else yield* found
  }
}

/** The signs with which yt-dlp and newsboat begin a line that means nothing. */
const isRemark = (line: string): boolean => /^[#;\]]/.test(line)

function foundIn(line: string): { address: string; title?: string }[] {
  const web = webAddressesIn(line)
  return web.length > 0 ? web : barelyNamedIn(line)
}

/** Those with http:// or https://, and the label of a Markdown link as their title. */
export function webAddressesIn(line: string): { address: string; title?: string }[] {
  if (!line.includes('://')) return []
  let end = 0
  return [...line.matchAll(web_address)].flatMap(({ 0: found, index }) => {
    const before = line.slice(Math.max(end, index - 600), index)
    end = index + found.length
    const [, title] = /\[([^[\]]+)\]\(\s*<?$/.exec(before) ?? []
    const [first = '', ...others] = found.split(/(?<=[,;)\]])(?=https?:\/\/)/i).map(trimmed)
    return [
      title === undefined ? { address: first } : { address: first, title },
      ...others.map(address => ({ address })),
    ]
  })
}

/** Neither spaces, nor what no address has unescaped, nor the punctuation of other scripts. */
const web_address = /(?:feed:)?https?:\/\/[^\s<>"'`|\\^{}“”„«»‘’‹›…、。，；：！？（）【】「」『』《》]+/gi

/** Longer ones fail anyway; the rest costs no time. */
const longest = 4096

/** Without what follows the address: punctuation, the end of a bracket, the next cell of a table. */
function trimmed(found: string): string {
  const address = withoutCell(found.slice(0, longest))
  const open = { ')': count(address, '('), ']': count(address, '[') }
  const closed = { ')': count(address, ')'), ']': count(address, ']') }
  let end = address.length
  for (; end > 0; end -= 1) {
    const last = address[end - 1] ?? ''
    if (last === ')' || last === ']') {
      // One that closes a bracket of the address itself belongs to it.
      if (closed[last] <= open[last]) break
      closed[last] -= 1
    } else if (!/[.,;:!?*]/.test(last)) break
  }
  return address.slice(0, end)
}

const count = (text: string, sign: string) => text.split(sign).length - 1

/** `https://a.example/feed,Title` is a cell and the next. Commas that the address itself may have stay. */
function withoutCell(found: string): string {
  const [, address = found, next] = /^([^,;]*)[,;](.*)$/.exec(found) ?? []
  if (next === undefined) return found
  const is_youtube = isYouTube(URL.parse(address)?.hostname ?? '')
  return is_youtube || (!address.includes('?') && /^\p{L}[^/=&?#%.]*$/u.test(next)) ? address : found
}

/** Without http://: a handle or an identifier of YouTube, or the name of a site. */
function barelyNamedIn(line: string): { address: string; title?: string }[] {
  if (!/[@.]|:\/\/|UC/.test(line)) return []
  const words = clean(line)
    .replace(/\s#.*$/, '')
    .replace(/^[-*•]\s+/, '')
    .split(/\s+/, most_words)
    .map(word => word.replace(/^[<("'*]+|[>)"'*,;]+$/g, ''))
    .filter(word => word !== '')
  const ids = words.filter(isChannelId)
  if (ids.length > 0) return ids.map(address => ({ address }))
  const [first = ''] = words
  // Among other words a name without a path may as well be the end of one sentence and the next.
  if (/^@[\w.-]+$/.test(first) || (words.length === 1 && isMeantAsAddress(first))) return [{ address: first }]
  return words.filter(word => site_with_path.test(word)).map(address => ({ address }))
}

const most_words = 1000

/** What is no address but was meant as one is kept: it fails under its own name. */
const isMeantAsAddress = (word: string): boolean =>
  /^(?:UC[\w-]+|[a-z][a-z\d+.-]*:\/\/\S+|(?:feed:)?[\p{L}\d-]+(?:\.[\p{L}\d-]+)+(?:[/:?#]\S*)?)$/iu.test(word)

const site_with_path = /^(?:[\p{L}\d-]+\.)+\p{L}{2,}\/\S+$/u
