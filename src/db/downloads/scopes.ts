/** Reads which videos of one user a scope has, and what is known of their size. Estimating and requesting are left to the domain. */
import { newest_count, type Scope, type ScopeOf, type Which } from '../../schema/downloads/download-api.ts'
import type { Quality } from '../../schema/downloads/quality.ts'
import type { UserId } from '../../schema/values/user.ts'
import { eachValue, type Queryable } from '../postgres/client.ts'
import { once, withViewing } from '../rows/video-columns.ts'

/** The videos of a scope that would be downloaded in one quality. */
export type ScopeLength = {
  which: Which
  quality: Quality
  count: number
  /** The sum of the known lengths. */
  seconds: number
  /** How many videos have no known length. */
  unknown: number
  /** The median of all known lengths; null: none is known. */
  median_seconds: number | null
}

/** How large the person's files of one quality are. */
export type FileRate = { quality: Quality; bytes_per_second: number }

export function scopesOf(sql: Queryable, user_id: UserId) {
  /**
   * A failed download is retried from the downloads page, so that a scope does not fail again and again. A hidden video stays out.
   */
  const canBeQueued = sql`
    entry.standing is null
    and viewing.not_for_me_at is null
    and coalesce(entry.live_status not in ('live', 'upcoming'), true)
    and coalesce(entry.availability not in ('removed', 'private', 'members_only'), true)`

  const videos = ({ channel_id }: ScopeOf) => sql`
    select entry.video_id, entry.sort_at, entry.id, entry.duration_seconds,
           coalesce(entry.wanted_quality, channel.quality, owner.quality) as quality,
           viewing.seen_at is null as is_unwatched
    from   video_entries entry
    join   channels channel using (user_id, channel_id)
    join   users owner on owner.id = entry.user_id
    ${withViewing(sql)}
    where  entry.user_id = ${user_id}
    and    ${channel_id === undefined ? once(sql) : sql`entry.channel_id = ${channel_id}`}
    and    ${canBeQueued}`

  const newest = sql`select * from video order by sort_at desc, id desc limit ${newest_count}`
  const within = (which: Which, year_start: Date) => {
    switch (which) {
      case 'newest':
        return newest
      case 'unwatched':
        return sql`select * from video where is_unwatched`
      case 'year':
        return sql`select * from video where sort_at >= ${year_start}`
      case 'all':
        return sql`select * from video`
    }
  }

  return {
    /** For each `which` and quality that has videos. `year_start`: when this year began. */
    lengths: (of: ScopeOf, year_start: Date): Promise<ScopeLength[]> => sql<ScopeLength[]>`
      with video as materialized (${videos(of)}),
      scoped as (
        select 'newest' as which, * from (${within('newest', year_start)}) newest
        union all
        select 'unwatched', * from (${within('unwatched', year_start)}) unwatched
        union all
        select 'year', * from (${within('year', year_start)}) this_year
        union all
        select 'all', * from video
      )
      select   which, quality, count(*) as count,
               coalesce(sum(duration_seconds), 0)::bigint as seconds,
               count(*) filter (where duration_seconds is null) as unknown,
               (select percentile_disc(0.5) within group (order by duration_seconds) from video) as median_seconds
      from     scoped
      group by which, quality`,

    rates: (): Promise<FileRate[]> => sql<FileRate[]>`
      select   download_quality as quality,
               sum(file_size)::float8 / sum(duration_seconds) as bytes_per_second
      from     video_entries entry
      where    user_id = ${user_id} and standing = 'done' and ${once(sql)}
      and      download_quality is not null and duration_seconds > 0 and file_size > 0
      group by download_quality`,

    /** The newest first. */
    ids: (scope: Scope, year_start: Date, limit: number): Promise<string[]> =>
      eachValue<string>(sql`
        with video as (${videos(scope)})
        select   video_id
        from     (${within(scope.which, year_start)}) scoped
        order by sort_at desc, id desc
        limit    ${limit}`),
  }
}
