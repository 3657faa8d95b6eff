/** Reads tables: `subscriptions.csv` of Google Takeout, and any other table with a column of addresses. Pure. */

import { type RawLine, webAddressesIn } from '../pages/addresses.ts'
import { channelPageOf, isChannelId } from '../platforms/youtube.ts'

/** Recognised by an identifier in the first column, because the header and the file name are in the account's language. */
export const isTakeout = (text: string): boolean => takeoutSeparator(text) !== undefined

/**
 * Whether it is the table of subscriptions. Other tables in a Takeout archive begin with the identifier of the account's own
 * channel, but only this one has the channel's address next to it.
 */
export const isSubscriptions = (text: string): boolean =>
  /^"?(UC[A-Za-z0-9_-]{22})"?[ \t]*[,;\t][ \t]*"?https?:\/\/[^\s,;"]*\1/m.test(text.slice(0, 10_000))

/** A playlist of Takeout has rows of the id of a video and a time; in older ones, after a table of the playlist itself. */
export const isPlaylist = (text: string): boolean =>
  /^"?[\w-]{11}"?[ \t]*[,;\t][ \t]*"?\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\w:+. -]{0,20}[ \t,;"]*\r?$/m.test(
    text.slice(0, 20_000),
  )

/** A row that is neither a channel nor the header is kept unchanged, so that the import can report it as failed. */
export function* takeoutLinesIn(text: string): Generator<RawLine> {
  let is_first = true
  for (const [id = '', url = '', title, ...more] of rowsIn(text, takeoutSeparator(text) ?? ',')) {
    const others = [url, title ?? '', ...more].filter(isChannelId)
    if (isChannelId(id)) yield { address: channelPageOf(id), title: others.length > 0 ? undefined : title }
    else if (/^https?:/i.test(url)) yield { address: url, title }
    else if (!is_first && id !== '') yield { address: id, title }
    for (const other of others) yield { address: channelPageOf(other) }
    is_first = false
  }
}

/** Spreadsheet programs in some countries save it with semicolons or tabs. */
const takeoutSeparator = (text: string): string | undefined =>
  /^"?UC[A-Za-z0-9_-]{22}"?[ \t]*([,;\t])/m.exec(text.slice(0, 10_000))?.[1]

/** `has_handles`: its column has handles instead of addresses. */
type Table = { separator: string; width: number; has_header: boolean; has_handles: boolean }

/**
 * Undefined: not a table. Commas prove nothing, because addresses contain commas. A header does, or cells with words next to
 * the addresses. Handles count where each row has one.
 */
export function tableIn(text: string, has_handles = false): Table | undefined {
  const head = text.slice(0, 20_000)
  const [names, isOne] = has_handles ? [isHandle, isHandle] : [namesOne, isAddress]
  for (const separator of [',', ';', '\t']) {
    const [first = [], ...others] = [...rowsIn(head, separator, 21)].slice(0, 20)
    const rows = others.filter(row => row.some(names))
    const has_header = first.length > 1 && !first.some(names)
    const all = has_header ? rows : [first, ...rows]
    const width = first.length
    const column = rows[0]?.findIndex(isOne) ?? -1
    if (width < 2 || column < 0 || (has_handles && rows.length < others.length)) continue
    if (!all.every(row => row.length === width && row.findIndex(isOne) === column)) continue
    const has_words = all.flat().some(cell => !namesOne(cell) && /\p{L}.*\s|\s.*\p{L}|[^\u0000-\u007f]/u.test(cell))
    // In `?list=1,2,3` the next cells belong to the address.
    const isCut = (cell: string, next = '') => namesOne(cell) && cell.includes('=') && /^\d+$/.test(next)
    const is_cut = all.some(row => row.some((cell, at) => isCut(cell, row[at + 1])))
    if (has_header || (has_words && !is_cut && !has_handles)) return { separator, width, has_header, has_handles }
  }
  return has_handles ? undefined : tableIn(text, true)
}

/** The addresses of each row. The title is the first other cell with a letter. */
export function* tableLinesIn(text: string, { separator, width, has_header, has_handles }: Table): Generator<RawLine> {
  let is_header = has_header
  for (const row of rowsIn(text, separator)) {
    const handle = has_handles ? row.find(isHandle) : undefined
    // In a row of another width the commas may belong to an address.
    const found = row.length === width ? row.flatMap(webAddressesIn) : webAddressesIn(row.join(separator))
    const title = row.find(cell => !namesOne(cell) && !isHandle(cell) && /\p{L}/u.test(cell))
    if (handle) yield { address: handle, title }
    else if (found.length > 0) yield* found.map(line => ({ title, ...line }))
    else if (!is_header && row.some(cell => cell !== '')) yield null
    is_header = false
  }
}

const isAddress = (cell: string): boolean => /^<?(?:feed:)?https?:\/\/\S+$/i.test(cell)

const namesOne = (cell: string): boolean => /https?:\/\//i.test(cell)

const isHandle = (cell: string): boolean => /^[@＠]\S+$/.test(cell)

/** More rows than any list may have, so that a hostile file is not read to its end. */
const max_rows = 20_000

/** RFC 4180, with stray quotes taken literally. Cells are trimmed; a quoted cell may span several lines. */
function* rowsIn(text: string, separator: string, most = max_rows): Generator<string[]> {
  const cell = new RegExp(`[ ]*(?:"([^"]*(?:""[^"]*)*)"[ ]*|([^${separator}\\r\\n]*))(${separator}|\\r?\\n|\\r|$)`, 'y')
  const blank = /[\r\n]*/y
  let row: string[] = []
  for (let rows = 0; rows < most && cell.lastIndex < text.length; ) {
    const [, quoted, bare = '', end] = cell.exec(text) ?? []
    row.push((quoted?.replaceAll('""', '"') ?? bare).trim())
    if (end === separator) continue
    yield row
    row = []
    rows += 1
    blank.lastIndex = cell.lastIndex
    blank.test(text)
    cell.lastIndex = blank.lastIndex
  }
}
