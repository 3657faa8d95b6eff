/** What one user has watched, and how far. */
import type { UserId } from '../../schema/values/user.ts'
import type { Video } from '../../schema/videos/video.ts'
import { countOf, hasAny, type Piece, type Queryable, type Sql } from '../postgres/client.ts'
import { type Unplaced, withPlaces } from '../queue/places.ts'
import { heldRow, videoColumns } from '../rows/video-columns.ts'
import { anyOfGroup, isShort, type VideoFilter } from '../videos/video-filter.ts'

/** How many unfinished viewings are searched for those whose files are here. */
const max_unfinished_tried = 500

/** A viewing belongs to a video, also when that is in several channels. */
export function viewingsOf(sql: Sql, user_id: UserId) {
  const mine = sql`entry.user_id = ${user_id}`

  return {
    ...marksOf(sql, user_id),

    /** Absent fields are not changed. `false`: there is no such video. */
    record: (video_id: string, change: ViewingChange): Promise<boolean> =>
      hasAny(sql`
        insert into viewings as known (user_id, video_id, position_seconds, duration_seconds, seen_at, watched_at,
                                       imported_at, dismissed_at, later_at, not_for_me_at)
        select ${user_id}, video_id, ${valuesOf(sql, change)}
        ${heldRow(sql, user_id, video_id)}
        on conflict on constraint viewings_pkey do update
        set    ${changesOf(sql, change)}`),

    /** Marks the unwatched videos that had appeared by `until`, all with the time `seen_at`. Returns how many. */
    markAll: (
      { until, channel_ids }: { until: Date; channel_ids?: string[] | undefined },
      seen_at: Date,
    ): Promise<number> =>
      countOf(sql`
        insert into viewings as known (user_id, video_id, seen_at)
        select distinct user_id, video_id, ${seen_at}::timestamptz
        from   video_entries entry
        where  ${mine} and first_seen_at <= ${until}
        ${channel_ids === undefined ? sql`` : sql`and channel_id = any(${channel_ids})`}
        order by video_id
        on conflict on constraint viewings_pkey do update
        set    seen_at = excluded.seen_at, ${againInHistory(sql)}
        where  known.seen_at is null`),

    /** Videos on disk that were begun and not watched to the end; the last played first. */
    async unfinished({ group, shorts, limit }: Pick<VideoFilter, 'group' | 'shorts' | 'limit'>): Promise<Video[]> {
      const rows = await sql<Unplaced<Video>[]>`
        select   ${videoColumns(sql)}
        from     (
          -- Imported positions may be of videos that are not here, so only the latest are tried.
          select   *
          from     viewings
          where    user_id = ${user_id} and seen_at is null and dismissed_at is null and position_seconds > 0
          and      not_for_me_at is null and forgotten_at is null
          order by watched_at desc
          limit    ${max_unfinished_tried}
        ) viewing
        cross join lateral (
          select *
          from   video_entries twin
          where  twin.user_id = viewing.user_id and twin.video_id = viewing.video_id and twin.download_status = 'COMPLETED'
          ${group === undefined ? sql`` : sql`and twin.channel_id = ${anyOfGroup(sql, user_id, group)}`}
          ${shorts === false ? sql`and not ${isShort(sql, sql`twin`)}` : sql``}
          order by twin.id
          limit  1
        ) entry
        join     channels channel on channel.user_id = entry.user_id and channel.channel_id = entry.channel_id
        where    ${mine}
        order by viewing.watched_at desc
        limit    ${limit}`
      return withPlaces(sql, user_id, rows)
    },
  }
}

/** Watched, on Watch later, or not for this person. */
export type Mark = 'seen_at' | 'later_at' | 'not_for_me_at'

/** Marks several videos at once, all with one time, by which the marks can be taken back. `record` marks one video. */
function marksOf(sql: Queryable, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`
  /** A video on Watch later is shown. A video that is not for this person keeps its place there, which does not count. */
  const others = { seen_at: sql`, ${againInHistory(sql)}`, later_at: sql`, not_for_me_at = null`, not_for_me_at: sql`` }

  /** The videos with this mark, locked in the order in which they are marked, so that two statements never wait for each other. */
  const inOrder = (which: Piece) => sql`
    array(select video_id from viewings entry where ${mine} and ${which} order by video_id for no key update)`

  return {
    /** Marks those that lack the mark. Returns how many. */
    markSome: (mark: Mark, video_ids: string[], at: Date): Promise<number> =>
      countOf(sql`
        insert into viewings as known (user_id, video_id, ${sql(mark)})
        select distinct user_id, video_id, ${at ?? null}::timestamptz
        from   video_entries entry
        where  ${mine} and video_id = any(${video_ids})
        order by video_id
        on conflict on constraint viewings_pkey do update
        set    ${sql(mark)} = excluded.${sql(mark)} ${others[mark]}
        where  known.${sql(mark)} is null ${mark === 'later_at' ? sql`or known.not_for_me_at is not null` : sql``}`),

    /** Takes the mark off these videos. Returns how many had it. */
    unmarkSome: (mark: Mark, video_ids: string[]): Promise<number> =>
      countOf(sql`
        update viewings
        set    ${sql(mark)} = null
        where  ${mine} and video_id = any(${inOrder(sql`video_id = any(${video_ids}) and ${sql(mark)} is not null`)})`),

    /** Takes back all marks with this time. Returns how many. */
    unmarkAll: (at: Date, mark: Mark = 'seen_at'): Promise<number> =>
      countOf(sql`
        update viewings
        set    ${sql(mark)} = null
        where  ${mine} and video_id = any(${inOrder(sql`${sql(mark)} = ${at}`)})`),
  }
}

/** A removed video that is marked as watched is in the history again, for that mark alone: without it, it is not. */
const againInHistory = (sql: Queryable) => sql`
  position_seconds = ${unlessForgotten(sql, 'position_seconds')},
  watched_at       = ${unlessForgotten(sql, 'watched_at')},
  forgotten_at     = null`

const unlessForgotten = (sql: Queryable, column: 'position_seconds' | 'watched_at') => sql`
  case when known.forgotten_at is null then known.${sql(column)} end`

/** What has just become known about a viewing; absent: nothing. */
export type ViewingChange = {
  position_seconds?: number | undefined
  duration_seconds?: number | undefined
  seen?: boolean | undefined
  dismissed?: boolean | undefined
  later?: boolean | undefined
  not_for_me?: boolean | undefined
  /** When it was watched with another program; absent: now, here. */
  at?: Date | undefined
}

/** The values of a new viewing. */
const valuesOf = (
  sql: Sql,
  { position_seconds, duration_seconds, seen, dismissed, later, not_for_me, at }: ViewingChange,
) => sql`
  ${position_seconds ?? null}::int,
  ${duration_seconds ?? null}::int,
  case when ${seen === true} then coalesce(${at ?? null}::timestamptz, now()) end,
  case when ${position_seconds !== undefined} then coalesce(${at ?? null}::timestamptz, now()) end,
  case when ${at ?? null}::timestamptz is not null then now() end,
  case when ${dismissed === true} then now() end,
  case when ${later === true} then now() end,
  case when ${not_for_me === true} then now() end`

/**
 * The changes of a known viewing. A watched video keeps the time when it was watched. Playing a dismissed video offers it again, and
 * watching one that was removed from the history puts it there again, without what was removed. A video that is not for this person keeps
 * its place on Watch later, which does not count until it is shown again.
 */
function changesOf(sql: Sql, { position_seconds, seen, dismissed, later, not_for_me }: ViewingChange) {
  const is_watched = position_seconds !== undefined || seen === true
  const former = (column: 'position_seconds' | 'watched_at') =>
    is_watched ? unlessForgotten(sql, column) : sql`known.${sql(column)}`
  return sql`
  position_seconds = coalesce(excluded.position_seconds, ${former('position_seconds')}),
  duration_seconds = coalesce(excluded.duration_seconds, known.duration_seconds),
  watched_at       = coalesce(excluded.watched_at, ${former('watched_at')}),
  imported_at      = coalesce(excluded.imported_at, known.imported_at),
  seen_at          = ${seen === false ? sql`null` : sql`coalesce(known.seen_at, excluded.seen_at)`},
  dismissed_at     = ${
    dismissed === undefined && position_seconds === undefined ? sql`known.dismissed_at` : sql`excluded.dismissed_at`
  },
  forgotten_at     = ${is_watched ? sql`null` : sql`known.forgotten_at`},
  later_at         = ${changeOf(sql, 'later_at', later)},
  not_for_me_at    = ${changeOf(sql, 'not_for_me_at', later === true ? false : not_for_me)}`
}

/** A mark that is set again keeps its time. `undefined`: it stays as it is. */
const changeOf = (sql: Sql, column: 'later_at' | 'not_for_me_at', is_set: boolean | undefined) => {
  if (is_set === false) return sql`null`
  return is_set ? sql`coalesce(known.${sql(column)}, excluded.${sql(column)})` : sql`known.${sql(column)}`
}
