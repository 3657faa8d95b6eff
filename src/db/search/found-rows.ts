/** Reads the rows that a search found, with what a result shows, one part of the results after the other. */
import type { UserId } from '../../schema/values/user.ts'
import type { Video } from '../../schema/videos/video.ts'
import type { Piece, Queryable } from '../postgres/client.ts'
import type { Unplaced } from '../queue/places.ts'
import { paging } from '../rows/cursor.ts'
import { videoColumns, withViewing } from '../rows/video-columns.ts'
import { type MarkedRow, marks } from '../words/highlights.ts'
import type { Words } from '../words/words.ts'
import type { Fits } from './filters.ts'
import { found } from './found.ts'
import { foundSaid } from './found-said.ts'

const by_relevance = ['exact', 'folded', 'elsewhere', 'said'] as const
const by_date = ['any'] as const
export const parts = { relevance: by_relevance, newest: by_date }
type Part = (typeof by_relevance | typeof by_date)[number]
export type FoundRow = Unplaced<Video> & MarkedRow & { part: Part; place: string }
/** `titles`: both parts of matching titles. */
type Read = Part | 'titles'

/** `last`: a cursor inside `part`. Both `undefined`: at the beginning. */
type After = { parts: readonly Part[]; part: Part | undefined; last: string | undefined }
type Whose = { user_id: UserId; words: Words; fits: Fits; few?: number[] | undefined; most_walked: number }

/** A part is read only if those before it do not fill the page. */
export async function rowsAfter(
  tx: Queryable,
  whose: Whose,
  { parts, ...after }: After,
  limit: number,
): Promise<FoundRow[]> {
  const is_beginning = parts === by_relevance && after.part === undefined
  const titles = is_beginning ? await bestTitles(tx, whose, limit) : undefined
  const rows = titles ?? []
  const first = titles ? 'elsewhere' : after.part
  for (const part of parts.slice(first && parts.indexOf(first))) {
    const last = part === after.part ? after.last : undefined
    if (rows.length < limit) rows.push(...(await rowsOfPart(tx, whose, { part, last }, limit - rows.length)))
  }
  return rows
}

/**
 * Both parts of titles at once, as most searches find only titles in the typed letters, or few. `undefined`: there are more, and each part
 * must be read apart.
 */
async function bestTitles(tx: Queryable, whose: Whose, limit: number): Promise<FoundRow[] | undefined> {
  const rows = await rowsOfPart(tx, whose, { part: 'titles', last: undefined }, limit)
  const { exact = [], folded = [] } = Object.groupBy(rows, ({ part }) => part)
  return rows.length < limit || folded.length === 0 ? [...exact, ...folded] : undefined
}

const keys = (tx: Queryable, row = tx``) => [
  { by: tx`${row}sort_at`, type: 'time' as const },
  { by: tx`${row}id`, type: 'integer' as const },
]

async function rowsOfPart(
  tx: Queryable,
  whose: Whose,
  { part, last }: { part: Read; last: string | undefined },
  limit: number,
): Promise<FoundRow[]> {
  const { after } = paging(tx, keys(tx), 'desc', last)
  const { place, order } = paging(tx, keys(tx, tx`entry.`), 'desc', undefined)
  const { user_id, words } = whose
  const found = foundIn(tx, part, { ...whose, after, limit })
  if (!found) return []
  return tx<FoundRow[]>`
    with found as materialized (${found})
    select   ${videoColumns(tx)}, ${marks(tx, words.marked_by)}, ${partOf(tx, part, words)} as part, ${place} as place
    from     (select * from found order by sort_at desc, id desc limit ${limit}) found
    join     video_entries entry on entry.id = found.id and entry.user_id = ${user_id}
    join     channels channel using (user_id, channel_id)
    ${withViewing(tx)}
    order by ${order}`
}

const partOf = (tx: Queryable, part: Read, words: Words) =>
  part === 'titles' ? tx`case when ${words.isExact(tx`entry`)} then 'exact' else 'folded' end` : tx`${part}::text`

/** `undefined`: nothing that is said can match. */
function foundIn(tx: Queryable, part: Read, whose: Whose & { after: Piece; limit: number }): Piece | undefined {
  const { said } = whose.words
  const inSaid = said && foundSaid(tx, whose, said)
  if (part === 'said') return inSaid
  if (part !== 'any') return found(tx, { ...whose, where: part })
  const written = found(tx, { ...whose, where: 'either' })
  return inSaid ? tx`(${written}) union all (${inSaid})` : written
}
