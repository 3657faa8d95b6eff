/** Reading one user's videos, and where their downloads stand. Leaves every change to `channels` and `downloads`. */
import { DomainError } from '../../errors.ts'
import type { Download, DownloadStatus } from '../../schema/download.ts'
import type { FailingSite } from '../../schema/health.ts'
import type { UserId } from '../../schema/user.ts'
import type { Video } from '../../schema/video.ts'
import type { Piece, Queryable, Sql } from '../postgres/client.ts'
import { pausedUntil } from '../queue/host-pauses.ts'
import { type Unplaced, withPlaces } from '../queue/places.ts'
import { searching } from '../search/searching.ts'
import { wordsIn } from '../search/words.ts'
import type { Filter, Library } from './library.ts'
import { neighboursOf } from './neighbours.ts'
import { standingsOf } from './standings.ts'
import { downloadColumns, once, videoColumns, withViewing } from './video-columns.ts'

export function videosOf(sql: Sql, user_id: UserId): Library['videos'] {
  const mine = sql`entry.user_id = ${user_id}`

  const placed = <T extends Unplaced<Download>>(rows: T[]) => withPlaces(sql, user_id, rows)

  /** `match`: what is searched for, if anything is. */
  const matched = <T>(
    { q, channel_id }: Pick<Filter, 'q' | 'channel_id'>,
    work: (on: Queryable, match: Piece) => Promise<T>,
  ): Promise<T> =>
    q
      ? searching(sql, { by: 'words' }, async tx => work(tx, (await wordsIn(tx, user_id, q, channel_id)).match))
      : work(sql, sql`true`)

  return {
    ...standingsOf(sql, user_id),

    async list(filter) {
      const rows = await matched(
        filter,
        async (on, match) =>
          on<(Unplaced<Video> & { cursor: string })[]>`
          select   ${videoColumns(sql)}, entry.sort_at || '|' || entry.id as cursor
          from     video_entries entry
          join     channels channel using (user_id, channel_id)
          ${withViewing(sql)}
          where    ${mine}
          and      ${matching(sql, filter)}
          and      ${match}
          and      ${after(sql, filter.cursor)}
          order by entry.sort_at desc, entry.id desc
          limit    ${filter.limit + 1}`,
      )
      const entries = rows.slice(0, filter.limit)
      const last = rows.length > filter.limit ? entries.at(-1) : undefined
      return {
        entries: await placed(entries.map(({ cursor: _, ...video }) => video)),
        next_cursor: last ? encode(last.cursor) : null,
      }
    },

    find: video_id => findVideo(sql, user_id, video_id),

    neighbours: video => neighboursOf(sql, user_id, video),

    async statuses(video_ids) {
      const rows = await sql<Unplaced<Download>[]>`
        select   *
        from     (select distinct on (entry.video_id) ${downloadColumns(sql)}
                  from     video_entries entry
                  where    ${mine} and entry.video_id = any(${video_ids})
                  order by entry.video_id, entry.id) known
        order by array_position(${video_ids}::text[], video_id)`
      return placed(rows)
    },

    async counts({ channel_id, q, seen }) {
      const rows = await matched(
        { channel_id, q },
        async (on, match) =>
          on<{ status: DownloadStatus; count: number }[]>`
          select   lower(download_status::text) as status, count(*) as count
          from     video_entries entry
          ${seen === undefined ? sql`` : withViewing(sql)}
          where    ${mine} and entry.channel_id = ${channel_id}
          and      ${match}
          ${whetherSeen(sql, seen)}
          group by 1`,
      )
      const none = { pending: 0, downloading: 0, completed: 0, failed: 0 }
      return Object.assign(none, Object.fromEntries(rows.map(({ status, count }) => [status, count])))
    },

    failingSites: () => sql<FailingSite[]>`
      select   video_host as host,
               count(distinct video_id) filter (where standing = 'failed') as failed,
               (array_agg(download_error order by download_completed_at desc) filter (where download_status = 'FAILED'))[1]
                 as latest_error,
               ${pausedUntil(sql, sql`video_host`, user_id)} as rests_until
      from     video_entries entry
      where    ${mine} and video_host is not null
      and      standing in ('waiting', 'failed')
      group by video_host
      having   count(*) filter (where download_status = 'FAILED') > 0
      or       ${pausedUntil(sql, sql`video_host`, user_id)} is not null
      order by failed desc, host
      limit    50`,

    async bytesUsed(but_video_id) {
      const [total] = await sql<{ bytes: number }[]>`
        select coalesce(sum(coalesce(file_size, (download_progress->>'downloaded_bytes')::bigint)), 0)::bigint as bytes
        from   (select distinct on (video_id) file_size, download_progress
                from   video_entries entry
                where  ${mine} and video_id <> ${but_video_id}) kept`
      return total?.bytes ?? 0
    },
  }
}

export async function findVideo(sql: Queryable, user_id: UserId, video_id: string): Promise<Video | undefined> {
  const rows = await sql<Unplaced<Video>[]>`
    select   ${videoColumns(sql)}
    from     video_entries entry
    join     channels channel using (user_id, channel_id)
    ${withViewing(sql)}
    where    entry.user_id = ${user_id} and entry.video_id = ${video_id}
    order by entry.id
    limit    1`
  const [video] = await withPlaces(sql, user_id, rows)
  return video
}

function matching(sql: Queryable, { channel_id, status, seen }: Filter) {
  return sql`
    ${channel_id === undefined ? once(sql) : sql`entry.channel_id = ${channel_id}`}
    ${status === undefined ? sql`` : sql`and entry.download_status = ${status.toUpperCase()}`}
    ${whetherSeen(sql, seen)}`
}

const whetherSeen = (sql: Queryable, seen: boolean | undefined) =>
  seen === undefined ? sql`` : sql`and viewing.seen_at is ${seen ? sql`not null` : sql`null`}`

/** As text, because the driver keeps no more than milliseconds of a time. */
function after(sql: Queryable, cursor: string | undefined) {
  if (cursor === undefined) return sql`true`
  const { sort_at, id } = decode(cursor)
  return sql`(entry.sort_at, entry.id) < (${sort_at}::text::timestamptz, ${id}::bigint)`
}

const encode = (place: string) => Buffer.from(place).toString('base64url')

function decode(cursor: string): { sort_at: string; id: string } {
  const place = Buffer.from(cursor, 'base64url').toString()
  const [, sort_at, second = '', id] =
    /^((?!0000)(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?:\.\d{1,6})?\+00)\|(\d{1,18})$/.exec(place) ?? []
  if (!sort_at || !id || !isPossible(second.replace(' ', 'T')))
    throw new DomainError('invalid', 'This is not a place in the history. Start from its first page.', {
      fields: { cursor: 'Use the next_cursor of the page before.' },
    })
  return { sort_at, id }
}

/** No 30th of February: Postgres would not take it. */
const isPossible = (second: string): boolean => {
  const time = new Date(`${second}Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(second)
}
