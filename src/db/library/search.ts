/** Searches everything one user follows, the best first. `words.ts` decides what matches, and how well. */
import { z } from 'zod'
import type { Channel } from '../../schema/channel.ts'
import { most_found, type SearchHit } from '../../schema/search.ts'
import type { UserId } from '../../schema/user.ts'
import type { Page, Video } from '../../schema/video.ts'
import type { Sql } from '../postgres/client.ts'
import { type Unplaced, withPlaces } from '../queue/places.ts'
import { highlightsOf, type MarkedRow, marks } from '../search/highlights.ts'
import { searching, usual_longest_ms } from '../search/searching.ts'
import { piecesIn, straight } from '../search/typed.ts'
import { byLetters, byWords, containing, type Words } from '../search/words.ts'
import { channelColumns } from './channel-columns.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { videoColumns, withViewing } from './video-columns.ts'

type Row = Unplaced<Video> & MarkedRow
/** Where the next page begins: the way the results were found, and how many came before. */
const Place = z.tuple([
  z.enum(['words', 'letters']),
  z
    .string()
    .regex(/^\d{1,3}$/)
    .transform(Number)
    .refine(offset => offset < most_found),
])

export interface Search {
  /** The best first, each video once. Throws `invalid` on a cursor that is not one of ours. */
  videos(of: { q: string; limit: number; cursor?: string | undefined }): Promise<Page<SearchHit>>
  /** The channels whose title has all the words, in any case. */
  channels(q: string, limit: number): Promise<Channel[]>
}

/** `longest_ms`: the limit of one query. Videos are searched by letters only where words find nothing. */
export function searchOf(sql: Sql, user_id: UserId, longest_ms = usual_longest_ms): Search {
  const bestOf = (words: Words, limit: number, offset: number) =>
    best(sql, { user_id, longest_ms }, words, limit, offset)

  return {
    async videos({ q, limit, cursor }) {
      const [by, offset] = cursor === undefined ? (['words', 0] as const) : decodeCursor(cursor, Place)
      const most = Math.min(limit, most_found - offset)
      const words = by === 'words' ? await byWords(sql, q) : undefined
      const found = words ? await bestOf(words, most + 1, offset) : []
      const is_by_words = found.length > 0 || (offset > 0 && words !== undefined)
      const how = words && is_by_words ? words : byLetters(sql, user_id, q)
      const rows = how === words ? found : await bestOf(how, most + 1, offset)
      const next = offset + most
      return {
        entries: (await withPlaces(sql, user_id, rows.slice(0, most))).map(row => withHighlights(row, how)),
        next_cursor:
          rows.length > most && next < most_found ? encodeCursor([how === words ? 'words' : 'letters', next]) : null,
      }
    },

    channels: (q, limit) => sql<Channel[]>`
      select   ${channelColumns(sql)}
      from     channels c
      where    c.user_id = ${user_id}
      and      title ilike all(${piecesIn(straight(q)).map(containing)})
      order by length(title), lower(title), channel_id
      limit    ${limit}`,
  }
}

/** Ranking reads all words of a video. Of many matches, only those with a word in the title, and then the newest, are ranked. */
const best = (
  sql: Sql,
  { user_id, longest_ms }: { user_id: UserId; longest_ms: number },
  words: Words,
  limit: number,
  offset: number,
): Promise<Row[]> =>
  searching(sql, { by: words.query === undefined ? 'letters' : 'words', longest_ms }, async tx => {
    return tx<Row[]>`
      with matching as materialized (
        select entry.id, entry.video_id, entry.sort_at, entry.title
        from   video_entries entry
        where  entry.user_id = ${user_id} and ${words.match}
      ),
      promising as (
        select   id
        from     matching
        order by title ilike any(${words.pieces.map(containing)}) desc, sort_at desc, id desc
        limit    ${most_ranked}
      ),
      once as (
        select   distinct on (entry.video_id) entry.id, entry.sort_at, ${words.rank} as rank
        from     promising
        join     video_entries entry using (id)
        where    entry.user_id = ${user_id}
        order by entry.video_id, rank desc, entry.id
      ),
      best as (
        select   *
        from     once
        order by rank desc, sort_at desc, id desc
        limit    ${limit}
        offset   ${offset}
      )
      select   ${videoColumns(tx)}, ${marks(tx, words.query)}
      from     best
      join     video_entries entry on entry.id = best.id and entry.user_id = ${user_id}
      join     channels channel using (user_id, channel_id)
      ${withViewing(tx)}
      order by best.rank desc, best.sort_at desc, best.id desc`
  })

const most_ranked = 2000

const withHighlights = ({ marked_title, marked_description, ...video }: Row & Video, words: Words): SearchHit => ({
  ...video,
  highlights: highlightsOf({ ...video, marked_title, marked_description }, words),
})
