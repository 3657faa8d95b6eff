/**
 * Searches everything one user follows. By relevance, videos whose title alone matches come first: those that have the typed letters before
 * those that have others for them (é for e). Then come those that match by their title and description together, then those in which the
 * words are only said; the newest first in each part. By date, all are one list.
 * `words.ts` decides what matches, `filters.ts` which videos fit, and `results.ts` how the rows are read.
 */
import { z } from 'zod'
import type { Channel } from '../../schema/channels/channel.ts'
import type { SearchSort } from '../../schema/search/saved-search.ts'
import { type Moment, max_results, type SearchHit } from '../../schema/search/search.ts'
import type { SearchFilter } from '../../schema/search/search-filters.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Page, Video } from '../../schema/videos/video.ts'
import { eachValue, type Piece, type Queryable, type Sql } from '../postgres/client.ts'
import { type Unplaced, withPlaces } from '../queue/places.ts'
import { channelColumns } from '../rows/channel-columns.ts'
import { decodeCursor, encodeCursor, paging } from '../rows/cursor.ts'
import { videoColumns, withViewing } from '../rows/video-columns.ts'
import { folded } from '../words/folded.ts'
import { highlightsOf, type MarkedRow, marks } from '../words/highlights.ts'
import { containing, isNamed } from '../words/letter-conditions.ts'
import { excludedIn, foldedSearch, piecesIn } from '../words/search-text.ts'
import { searching, usual_longest_ms } from '../words/searching.ts'
import { byLetters, byWords, everything, type Words } from '../words/words.ts'
import { addressesOf } from './addresses.ts'
import { fitting, idsOfFew, namingNone } from './filters.ts'
import {
  allWritten,
  among,
  type Rare,
  type Rest,
  rareRows,
  type SearchScope,
  spokenResults,
  unknown_rare,
  writtenResults,
} from './results.ts'
import { momentsFor } from './said.ts'

const way = z.enum(['words', 'letters'])
const count = z
  .string()
  .regex(/^\d{1,3}$/)
  .transform(Number)
  .refine(before => before < max_results)
/** Where the next page begins: the way the results were found, how many came before, and the part and the place of the last one. */
const placeIn = (sort: SearchSort) => z.tuple([way, count, z.enum(parts[sort]), z.string()])

/** `q`: the words; `''`: none, so that all videos that fit the filters are found. */
type Query = { q: string; filters?: SearchFilter[]; sort?: SearchSort; limit: number; cursor?: string | undefined }

/**
 * `longest_ms`: the limit of one query. `max_walked`: how many of the newest videos are read before the index is used. `max_fitting`: if no
 * more fit the filters, only these are searched. `max_rare`: if no more have the words, and none of the newest `max_newest` has, only these
 * are. Videos are searched by letters only where words find nothing.
 */
export function searchOf(
  sql: Sql,
  user_id: UserId,
  {
    longest_ms = usual_longest_ms,
    max_walked = usual_max_walked,
    max_fitting = usual_max_fitting,
    max_newest = usual_max_newest,
    max_rare = usual_max_rare,
  } = {},
) {
  /** The filters as a condition, which is simple if few videos fit. */
  async function limitedBy(filters: SearchFilter[]): Promise<Pick<SearchScope, 'fits' | 'few'>> {
    const fits = fitting(sql, user_id, filters)
    if (filters.length === 0) return { fits }
    const few = await searching(sql, { by: 'words', longest_ms }, tx => idsOfFew(tx, user_id, fits, max_fitting))
    return few ? { fits: row => sql`${row}.id = any(${few})`, few } : { fits }
  }

  return {
    ...addressesOf(sql, user_id),

    /** Each video once. Throws `invalid` on a cursor that did not come from here. */
    async videos({ q, filters = [], sort = 'relevance', limit, cursor }: Query): Promise<Page<SearchHit>> {
      const [by, before, part, last] =
        cursor === undefined ? (['words', 0] as const) : decodeCursor(cursor, placeIn(sort))
      const most = Math.min(limit, max_results - before)
      const limits = await limitedBy(filters)
      if (limits.few?.length === 0) return { entries: [], next_cursor: null }
      const read = (words: Words) =>
        searching(sql, { by: words.by, longest_ms }, async tx => {
          const whose = { user_id, ...limits, max_walked, words }
          const rare = limits.few ? unknown_rare : await rareRows(tx, whose, { max_newest, max_rare })
          const rows = await rowsAfter(tx, { ...whose, rare }, { parts: parts[sort], part, last }, most + 1)
          const in_speech = rare.said?.length === 0 ? [] : rows.slice(0, most).map(({ video_id }) => video_id)
          return { rows, moments: await momentsFor(tx, user_id, words, in_speech) }
        })
      const words = q === '' ? everything(sql) : by === 'words' ? await byWords(sql, q) : undefined
      const found = words && (await read(words))
      const is_by_words = found !== undefined && (found.rows.length > 0 || before > 0 || q === '')
      const how = words && is_by_words ? words : byLetters(sql, user_id, q, { reaches_all: limits.few !== undefined })
      const { rows, moments } = is_by_words ? found : await read(how)
      const shown = rows.slice(0, most)
      const end = rows.length > most && before + most < max_results ? shown.at(-1) : undefined
      return {
        entries: (await withPlaces(sql, user_id, shown)).map(row => withHighlights(row, how, moments)),
        next_cursor: end
          ? encodeCursor([is_by_words ? 'words' : 'letters', before + most, end.part, encodeCursor([end.place])])
          : null,
      }
    },

    /** The channels whose title has all the words and no excluded one, in any case. */
    channels: (q: string, limit: number): Promise<Channel[]> => sql<Channel[]>`
      select   ${channelColumns(sql)}
      from     channels c
      where    c.user_id = ${user_id}
      and      ${piecesIn(foldedSearch(q))
        .map(part => isNamed(sql, sql`title`, part))
        .reduce((all, one) => sql`${all} and ${one}`)}
      and      not (${excludedIn(foldedSearch(q)).reduce((any, part) => sql`${any} or ${isNamed(sql, sql`title`, part)}`, sql`false`)})
      order by folded(title) ilike all(${piecesIn(foldedSearch(q)).map(containing)}) desc,
               length(title), lower(title), channel_id
      limit    ${limit}`,

    /** The names of channels that have this part, as a filter finds them; the shortest first. */
    channelNames: (part: string, limit: number): Promise<string[]> =>
      eachValue<string>(sql`
        select   title
        from     channels
        where    user_id = ${user_id} and ${isNamed(sql, sql`title`, folded(part))}
        order by folded(title) ilike ${containing(folded(part))} desc, length(title), lower(title), channel_id
        limit    ${limit}`),

    /** The filters whose name is in no name of a channel or group. */
    namingNone: (filters: SearchFilter[]): Promise<SearchFilter[]> => namingNone(sql, user_id, filters),
  }
}

/**
 * A walk reads a video in about 10 µs. A word that does not fill a page of 25 from so many videos is in less than about a
 * twentieth of them, which the index then finds in about the same time.
 */
const usual_max_walked = 1000
/** Reading the newest, and the rare, takes about a millisecond each. */
const usual_max_newest = 100
const usual_max_rare = 200
/** Rare filters read the whole library, so only once. Reading so many videos for each part takes about 10 ms. */
const usual_max_fitting = 1000

const withHighlights = (
  { marked_title, marked_description, part: _, place: __, ...video }: FoundRow & Video,
  words: Words,
  moments: Map<string, Moment[]>,
): SearchHit => ({
  ...video,
  moments: moments.get(video.video_id) ?? [],
  highlights: highlightsOf({ ...video, marked_title, marked_description }, words),
})

const by_relevance = ['exact', 'folded', 'elsewhere', 'said'] as const
const by_date = ['any'] as const
const parts = { relevance: by_relevance, newest: by_date }
type Part = (typeof by_relevance | typeof by_date)[number]
type FoundRow = Unplaced<Video> & MarkedRow & { part: Part; place: string }
/** `titles`: both parts of matching titles. `written`: these and `elsewhere`, where few match. */
type PartToRead = Part | 'titles' | 'written'
type Whose = SearchScope & { rare: Rare }

/** `last`: a cursor inside `part`. Both `undefined`: at the beginning. */
type PagePlace = { parts: readonly Part[]; part: Part | undefined; last: string | undefined }

/** `part`: the one whose rows follow; `undefined`: the first. */
type Begun = { rows: FoundRow[]; part?: Part | undefined }

/** Reads the rows that a search found, one part after the other. A part is read only if the parts before it do not fill the page. */
async function rowsAfter(tx: Queryable, whose: Whose, place: PagePlace, limit: number): Promise<FoundRow[]> {
  const { parts } = place
  const is_beginning = parts === by_relevance && place.part === undefined
  const { rows, part }: Begun = is_beginning ? await bestRows(tx, whose, limit) : { rows: [], part: place.part }
  for (const next of parts.slice(part && parts.indexOf(part))) {
    const last = next === place.part ? place.last : undefined
    if (rows.length < limit) rows.push(...(await rowsOfPart(tx, whose, { part: next, last }, limit - rows.length)))
  }
  return rows
}

/**
 * Reads several parts at once: all that match by their texts, if these are few, or both parts of titles, because most searches find only
 * titles in the typed letters, or few. No rows: there are more, and each part must be read apart.
 */
async function bestRows(tx: Queryable, whose: Whose, limit: number): Promise<Begun> {
  const is_rare = whose.rare.written !== null && whose.rare.written.length < limit
  const read = await rowsOfPart(tx, whose, { part: is_rare ? 'written' : 'titles', last: undefined }, limit)
  const { exact = [], folded: others = [], elsewhere = [] } = Object.groupBy(read, ({ part }) => part)
  if (is_rare) return { rows: firstOfEach([...exact, ...others, ...elsewhere]), part: 'said' }
  return read.length < limit || others.length === 0 ? { rows: [...exact, ...others], part: 'elsewhere' } : { rows: [] }
}

const firstOfEach = (rows: FoundRow[]) =>
  [...Map.groupBy(rows, ({ video_id }) => video_id).values()].flatMap(([row]) => row ?? [])

const keys = (tx: Queryable, row = tx``) => [
  { by: tx`${row}sort_at`, type: 'time' as const },
  { by: tx`${row}id`, type: 'integer' as const },
]

async function rowsOfPart(
  tx: Queryable,
  whose: Whose,
  { part, last }: { part: PartToRead; last: string | undefined },
  limit: number,
): Promise<FoundRow[]> {
  const { after } = paging(tx, keys(tx), 'desc', last)
  const { place, order } = paging(tx, keys(tx, tx`entry.`), 'desc', undefined)
  const { user_id, words } = whose
  const results = resultsOf(tx, part, { ...whose, after, limit })
  if (!results) return []
  return tx<FoundRow[]>`
    with found as materialized (${results})
    select   ${videoColumns(tx)}, ${marks(tx, words.marked_by)}, ${partOf(tx, part, words)} as part, ${place} as place
    from     (select * from found order by sort_at desc, id desc limit ${limit}) found
    join     video_entries entry on entry.id = found.id and entry.user_id = ${user_id}
    join     channels channel using (user_id, channel_id)
    ${withViewing(tx)}
    order by ${order}`
}

const partOf = (tx: Queryable, part: PartToRead, { inTitle, isExact }: Words) => {
  const entry = tx`entry`
  if (part !== 'titles' && part !== 'written') return tx`${part}::text`
  return tx`case when not (${inTitle(entry)}) then 'elsewhere' when ${isExact(entry)} then 'exact' else 'folded' end`
}

/** `undefined`: nothing that is said matches. */
function resultsOf(tx: Queryable, part: PartToRead, whose: Rest & Whose): Piece | undefined {
  const { said } = whose.words
  const { written, said: spoken } = whose.rare
  const inSaid = said && spoken?.length !== 0 ? spokenResults(tx, among(tx, whose, spoken), said) : undefined
  if (part === 'said') return inSaid
  const inTexts = among(tx, whose, written)
  if (part === 'written') return allWritten(tx, inTexts)
  if (part !== 'any') return writtenResults(tx, { ...inTexts, where: part })
  const either = writtenResults(tx, { ...inTexts, where: 'either' })
  return inSaid ? tx`(${either}) union all (${inSaid})` : either
}
