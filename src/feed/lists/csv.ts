/**
 * `subscriptions.csv` of Google Takeout: identifier, address and title of each channel. Its header is in the language of
 * the account, so only what stands in the first column tells it. Pure.
 */
import { addressOfId, isChannelId } from './addresses.ts'
import type { RawLine } from './parse-list.ts'

export const isTakeout = (text: string): boolean => separatorIn(text) !== undefined

/** A row that is neither a channel nor the header is kept as it stands, and fails by itself. */
export function* takeoutLinesIn(text: string): Generator<RawLine> {
  let is_first = true
  for (const [id = '', url = '', title] of rowsIn(text, separatorIn(text) ?? ',')) {
    if (isChannelId(id)) yield { address: addressOfId(id), title }
    else if (/^https?:/i.test(url)) yield { address: url, title }
    else if (!is_first && id !== '') yield { address: id, title }
    is_first = false
  }
}

/** Spreadsheets that saved it again in other countries wrote a semicolon, or a tab. */
const separatorIn = (text: string): string | undefined =>
  /^"?UC[A-Za-z0-9_-]{22}"?[ \t]*([,;\t])/m.exec(text.slice(0, 10_000))?.[1]

/** More than any list may have, so that a hostile one is not walked to its end. */
const most_rows = 20_000

/** RFC 4180, with stray quotes taken as they stand. Cells are trimmed; a quoted one may go over several lines. */
function* rowsIn(text: string, separator: string): Generator<string[]> {
  const cell = new RegExp(`[ ]*(?:"([^"]*(?:""[^"]*)*)"[ ]*|([^${separator}\\r\\n]*))(${separator}|\\r?\\n|\\r|$)`, 'y')
  const blank = /[\r\n]*/y
  let row: string[] = []
  for (let rows = 0; rows < most_rows && cell.lastIndex < text.length; ) {
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
