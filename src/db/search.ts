/** Searching everything one user follows, the best first. What is good, and what is found at all, `words` says. */
import { DomainError } from '../errors.ts'
import type { Channel } from '../schema/channel.ts'
import { type Found, most_found } from '../schema/search.ts'
import type { UserId } from '../schema/user.ts'
import type { Video } from '../schema/video.ts'
import { channelColumns } from './channels.ts'
import type { Queryable } from './client.ts'
import { byLetters, byWords, marks } from './highlights.ts'
import type { Library } from './library.ts'
import { type Unplaced, withPlaces } from './queue.ts'
import { piecesIn, straight } from './typed.ts'
import { videoColumns } from './videos.ts'
import { containing, type Words, wordsOf } from './words.ts'

type Row = Unplaced<Video> & { marked_title: string; marked_description: string | null }

export function searchOf(sql: Queryable, user_id: UserId): Library['search'] {
  const mine = sql`entry.user_id = ${user_id}`

  return {
    async videos({ q, limit, cursor }) {
      const offset = cursor === undefined ? 0 : decode(cursor)
      const words = await wordsOf(sql, user_id, q)
      const rows = await sql<Row[]>`
        with matching as (
          select   entry.id, entry.video_id, entry.sort_at, ${words.rank} as rank
          from     video_entries entry
          where    ${mine} and ${words.match}
          order by entry.sort_at desc
          limit    ${most_ranked}
        ),
        once as (
          select   distinct on (video_id) *
          from     matching
          order by video_id, rank desc, id
        ),
        best as (
          select   id, rank
          from     once
          order by rank desc, sort_at desc, id desc
          limit    ${Math.min(limit, most_found - offset) + 1}
          offset   ${offset}
        )
        select   ${videoColumns(sql)}, ${words.query === undefined ? sql`''` : marks(sql, words.query)}
        from     best
        join     video_entries entry on entry.id = best.id and ${mine}
        join     channels channel using (user_id, channel_id)
        order by best.rank desc, entry.sort_at desc, entry.id desc`
      const shown = rows.slice(0, Math.min(limit, most_found - offset))
      const next = offset + shown.length
      return {
        entries: (await withPlaces(sql, user_id, shown)).map(row => withHighlights(row, words)),
        next_cursor: rows.length > shown.length && next < most_found ? encode(next) : null,
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

/** The newest of all that match; more than anybody pages through, and bounded work for a word that stands everywhere. */
const most_ranked = 20_000

const withHighlights = ({ marked_title, marked_description, ...video }: Row & Video, words: Words): Found => ({
  ...video,
  highlights: words.query === undefined ? byLetters(video, words.pieces) : byWords(marked_title, marked_description),
})

const encode = (offset: number) => Buffer.from(`found ${offset}`).toString('base64url')

function decode(cursor: string): number {
  const [, offset] = /^found (\d{1,3})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (offset === undefined || Number(offset) >= most_found)
    throw new DomainError('invalid', 'This is not a place in the results. Start from the first page.', {
      fields: { cursor: 'Use the next_cursor of the page before.' },
    })
  return Number(offset)
}
