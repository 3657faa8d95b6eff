/** Reading one user's videos and the states of their downloads. Leaves every change to `channels` and `downloads`. */
import type { PendingQuery } from 'postgres'
import type { DownloadStatus, StatusCounts } from '../../schema/downloads/download.ts'
import type { Chapter } from '../../schema/sources/facts.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { ListedVideo, Neighbours, Page, Video } from '../../schema/videos/video.ts'
import type { MonthOfVideos } from '../../schema/videos/video-api.ts'
import { shelvesOf, siteNoticesOf, statusesOf } from '../downloads/shelves.ts'
import { bytesUsedIn } from '../downloads/space.ts'
import { firstRow, firstValue, type Piece, type Queryable, type Sql } from '../postgres/client.ts'
import { type Unplaced, withPlaces } from '../queue/places.ts'
import { findChannel } from '../rows/channel-columns.ts'
import { pageOf, paging, rowsFor } from '../rows/cursor.ts'
import { findVideo, listedColumns, once, videoColumns, withViewing, withViewingOfEach } from '../rows/video-columns.ts'
import { matched } from '../words/words.ts'
import { fromMonth, isOfMarked, isSet, matching, orderBy, type VideoFilter } from './video-filter.ts'

export type { VideoFilter } from './video-filter.ts'

type CountedVideos = Pick<VideoFilter, 'q' | 'seen'> & { channel_id: string }

export function videosOf(sql: Sql, user_id: UserId) {
  const mine = sql`entry.user_id = ${user_id}`

  /** A page of videos with these columns. */
  async function page(columns: Piece, filter: VideoFilter): Promise<Page<Video>> {
    const sort = filter.sort ?? 'newest'
    const { keys, direction } = orderBy(sql, sort)
    const { place, after, order } = paging(sql, keys, direction, filter.cursor)
    const read = await matched(
      sql,
      user_id,
      filter,
      async (on, match) =>
        on<(Unplaced<Video> & { place: string })[]>`
          select   ${columns}, ${place} as place
          from     video_entries entry
          -- The videos are read first, in their order: "offset 0" keeps Postgres from reading them channel by channel.
          cross join lateral (
            select title from channels
            where  channels.user_id = entry.user_id and channels.channel_id = entry.channel_id
            offset 0) channel
          ${isOfMarked(filter) ? withViewing(sql) : withViewingOfEach(sql)}
          where    ${mine}
          and      ${matching(sql, user_id, filter)}
          and      ${match}
          and      ${fromMonth(sql, filter.month, sort)}
          and      ${after}
          order by ${order}
          limit    ${rowsFor(sql, filter.limit)}`,
    )
    const { rows, next_cursor } = pageOf(read, filter.limit)
    return { entries: await withPlaces(sql, user_id, rows), next_cursor }
  }

  return {
    ...shelvesOf(sql, user_id),
    ...siteNoticesOf(sql, user_id),
    ...statusesOf(sql, user_id),
    ...monthsOf(sql, user_id),

    /** Throws `invalid` on a cursor that did not come from here. */
    list: (filter: VideoFilter): Promise<Page<Video>> => page(videoColumns(sql), filter),

    /** Videos without descriptions, for pages. Throws `invalid` on a cursor that did not come from here. */
    listed: (filter: VideoFilter): Promise<Page<ListedVideo>> => page(listedColumns(sql), filter),

    find: (video_id: string): Promise<Video | undefined> => findVideo(sql, user_id, video_id),

    /** Its chapters as its site named them, by time; none: none are known. */
    async chapters(video_id: string): Promise<Chapter[]> {
      const chapters = await firstValue<Chapter[] | null>(sql`
        select   chapters
        from     video_entries entry
        where    ${mine} and video_id = ${video_id}
        order by id
        limit    1`)
      return chapters ?? []
    },

    /** A few videos before and after it in the list of its channel. */
    neighbours: (video: Pick<Video, 'channel_id' | 'video_id'>): Promise<Neighbours> =>
      neighboursOf(sql, user_id, video),

    /** How many videos of a channel are in each state, of those that fit `q` and `seen`; undefined: there is no such channel. */
    async counts({ channel_id, q, seen }: CountedVideos): Promise<StatusCounts | undefined> {
      if (!q && seen === undefined) return countsOf(sql, user_id, channel_id)
      const rows = await matched(
        sql,
        user_id,
        { channel_id, q },
        async (on, match) =>
          on<{ status: DownloadStatus; count: number }[]>`
          select   lower(download_status::text) as status, count(*) as count
          from     video_entries entry
          ${seen === undefined ? sql`` : withViewing(sql)}
          where    ${mine} and entry.channel_id = ${channel_id}
          and      ${match}
          ${isSet(sql, 'seen_at', seen)}
          group by 1`,
      )
      if (rows.length === 0 && !(await findChannel(sql, user_id, channel_id))) return undefined
      const found = Object.fromEntries(rows.map(({ status, count }) => [status, count]))
      return { pending: 0, downloading: 0, completed: 0, failed: 0, ...found }
    },

    /** Bytes of the files of all other videos, and of what their running downloads have fetched so far. */
    bytesUsed: (but_video_id: string): Promise<number> => bytesUsedIn(sql, user_id, but_video_id),
  }
}

/**
 * How many videos of a channel have each status. The channel stores the number of all its videos. Few have another status than pending, so
 * only those are counted.
 */
const countsOf = (sql: Queryable, user_id: UserId, channel_id: string) =>
  firstRow(sql<StatusCounts[]>`
    select     channel.entry_count - others.count as pending, others.downloading, others.completed, others.failed
    from       channels channel
    cross join lateral (
      select count(*),
             count(*) filter (where entry.download_status = 'DOWNLOADING') as downloading,
             count(*) filter (where entry.download_status = 'COMPLETED')   as completed,
             count(*) filter (where entry.download_status = 'FAILED')      as failed
      from   video_entries entry
      where  entry.user_id = channel.user_id and entry.channel_id = channel.channel_id
      and    entry.download_status <> 'PENDING') others
    where      channel.user_id = ${user_id} and channel.channel_id = ${channel_id}`)

/** The months in which one user has videos, to jump to one of them. */
const monthsOf = (sql: Queryable, user_id: UserId) => ({
  /** The last one first. Absent `channel_id`: of all channels. */
  months: (channel_id: string | undefined): Promise<MonthOfVideos[]> => sql<MonthOfVideos[]>`
    select   to_char(date_trunc('month', sort_at at time zone 'UTC'), 'YYYY-MM') as month, count(*) as count
    from     video_entries entry
    where    user_id = ${user_id}
    and      ${channel_id === undefined ? once(sql) : sql`channel_id = ${channel_id}`}
    group by date_trunc('month', sort_at at time zone 'UTC')
    order by date_trunc('month', sort_at at time zone 'UTC') desc`,
})

/**
 * A few newer and a few older videos of the same channel. Reads as many rows in each direction from the index of the history, so its length
 * does not matter.
 */
async function neighboursOf(
  sql: Queryable,
  user_id: UserId,
  { channel_id, video_id }: Pick<Video, 'channel_id' | 'video_id'>,
): Promise<Neighbours> {
  const mine = sql`entry.user_id = ${user_id} and entry.channel_id = ${channel_id}`
  const here = sql`
    (select here.sort_at, here.id
     from   video_entries here
     where  here.user_id = ${user_id} and here.channel_id = ${channel_id} and here.video_id = ${video_id})`
  const from_here = sql`
    select   ${listedColumns(sql)}
    from     video_entries entry
    join     channels channel using (user_id, channel_id)
    ${withViewingOfEach(sql)}
    where    ${mine}`
  const [newer, older] = await Promise.all([
    placed(sql`
      ${from_here} and (entry.sort_at, entry.id) > ${here}
      order by entry.sort_at, entry.id
      limit    ${max_neighbours}`),
    placed(sql`
      ${from_here} and (entry.sort_at, entry.id) < ${here}
      order by entry.sort_at desc, entry.id desc
      limit    ${max_neighbours}`),
  ])
  return sharedOut(newer, older)

  async function placed(query: PendingQuery<Unplaced<ListedVideo>[]>): Promise<ListedVideo[]> {
    return withPlaces(sql, user_id, await query)
  }
}

const max_neighbours = 8
const max_newer = 3

/** Shares the places out: more older videos than newer ones; where there are few of one kind, more of the other. */
function sharedOut<T>(newer: T[], older: T[]): { newer: T[]; older: T[] } {
  const of_newer = Math.max(max_newer, max_neighbours - older.length)
  const kept = newer.slice(0, of_newer)
  return { newer: kept, older: older.slice(0, max_neighbours - kept.length) }
}
