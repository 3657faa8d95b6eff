/**
 * Reads what takes the space of one user's files: by channel, and the files that were watched long ago. `file_size` includes the sound that
 * was cut out of a film. The domain deletes files.
 */
import {
  type ChannelFiles,
  type ChannelSpace,
  type WatchedDays,
  type WatchedSpace,
  watched_days,
} from '../../schema/downloads/space.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { ListedVideo } from '../../schema/videos/video.ts'
import { firstValue, onlyRow, onlyValue, type Queryable } from '../postgres/client.ts'
import { pictureUrl } from '../postgres/stored-pictures.ts'
import { type Unplaced, withPlaces } from '../queue/places.ts'
import { listedColumns, once } from '../rows/video-columns.ts'
import { isOnlyCopy } from './retention.ts'

/** A file that may be deleted. */
export type SpaceFile = { video_id: string; file_size: number }

export function spaceOf(sql: Queryable, user_id: UserId) {
  /** An imported mark counts from the time of the import, as it does for rules. */
  const last_watched = sql`greatest(viewing.seen_at, viewing.watched_at, viewing.imported_at)`

  /** Files of watched videos, from rows named `entry` and `viewing`. */
  const watchedBefore = (older_than_days: number) => sql`
    from  video_entries entry
    join  channels channel using (user_id, channel_id)
    join  viewings viewing on viewing.user_id = entry.user_id and viewing.video_id = entry.video_id
    where entry.user_id = ${user_id} and entry.standing = 'done' and ${once(sql)}
    and   viewing.seen_at is not null
    and   ${last_watched} < now() - ${older_than_days} * interval '1 day'`

  /** The files that count for one channel. */
  const inChannel = (channel_id: string) => sql`
    from  video_entries entry
    where entry.user_id = ${user_id} and entry.channel_id = ${channel_id} and entry.standing = 'done' and ${once(sql)}`

  const mayGo = sql`not entry.pinned and not ${isOnlyCopy(sql)}`

  return {
    /** The bytes that this person may keep; null: any number. `service_bytes`: what the service gives everyone; 0: any number. */
    quota: async (service_bytes: number): Promise<number | null> =>
      (await quotaIn(sql, user_id, service_bytes)) || null,

    /** The bytes that each of these videos takes on disk, in the order of `video_ids`. Videos without a file are left out. */
    async of(video_ids: string[]): Promise<Map<string, number>> {
      const rows = await sql<SpaceFile[]>`
        select   video_id, max(file_size)::bigint as file_size
        from     video_entries
        where    user_id = ${user_id} and video_id = any(${video_ids}) and standing = 'done'
        group by video_id
        order by array_position(${video_ids}::text[], video_id)`
      return new Map(rows.map(({ video_id, file_size }) => [video_id, file_size]))
    },

    /** The largest first. */
    byChannel: (): Promise<ChannelSpace[]> => sql<ChannelSpace[]>`
      select   channel_id, title, image_url, ${pictureUrl(sql, 'channel', sql`image_url`)} as picture_url, files, bytes
      from     (select   channel_id, count(*) as files, coalesce(sum(file_size), 0)::bigint as bytes
                from     video_entries entry
                where    user_id = ${user_id} and standing = 'done' and ${once(sql)}
                group by channel_id) used
      join     channels using (channel_id)
      where    user_id = ${user_id}
      order by bytes desc, channel_id`,

    /** What deleting the files of a channel frees: the files that `byChannel` counts, unless they are pinned. */
    ofChannel: (channel_id: string): Promise<ChannelFiles> =>
      onlyRow(sql<ChannelFiles[]>`
        select count(*) filter (where not pinned) as files,
               coalesce(sum(file_size) filter (where not pinned), 0)::bigint as bytes,
               count(*) filter (where pinned) as pinned,
               count(*) filter (where not pinned and ${isOnlyCopy(sql)}) as only_copies
        ${inChannel(channel_id)}`),

    /** Files of a channel that may be deleted, the largest first. */
    channelFiles: (channel_id: string, limit: number): Promise<SpaceFile[]> => sql<SpaceFile[]>`
      select   entry.video_id, entry.file_size
      ${inChannel(channel_id)}
      and      not entry.pinned
      order by entry.file_size desc, entry.id
      limit    ${limit}`,

    /** By the days since they were watched. */
    async watched(): Promise<Record<WatchedDays, WatchedSpace>> {
      const rows = await sql<(WatchedSpace & { days: WatchedDays })[]>`
        select   days,
                 count(*) filter (where may_go) as files,
                 coalesce(sum(file_size) filter (where may_go), 0)::bigint as bytes,
                 count(*) filter (where pinned) as pinned,
                 count(*) filter (where not may_go and not pinned) as only_copies
        from     unnest(${[...watched_days]}::int[]) as days
        left join (select entry.file_size, entry.pinned, ${mayGo} as may_go, ${last_watched} as last_watched
                   ${watchedBefore(Math.min(...watched_days))}) file on last_watched < now() - days * interval '1 day'
        group by days`
      const spaces = Object.fromEntries(rows.map(({ days, ...space }) => [days, space]))
      return spaces as Record<WatchedDays, WatchedSpace>
    },

    /** Watched files that may be deleted, watched longest ago first. */
    watchedFiles: (older_than_days: number, limit: number): Promise<SpaceFile[]> => sql<SpaceFile[]>`
      select   entry.video_id, entry.file_size
      ${watchedBefore(older_than_days)}
      and      ${mayGo}
      order by ${last_watched}, entry.id
      limit    ${limit}`,

    /** The videos of `watchedFiles`, as lists show them. */
    async watchedVideos(older_than_days: number, limit: number): Promise<ListedVideo[]> {
      const rows = await sql<Unplaced<ListedVideo>[]>`
        select   ${listedColumns(sql)}
        ${watchedBefore(older_than_days)}
        and      ${mayGo}
        order by ${last_watched}, entry.id
        limit    ${limit}`
      return withPlaces(sql, user_id, rows)
    },
  }
}

/** Bytes of the files of all other videos, and of what their running downloads have fetched so far. */
export const bytesUsedIn = (tx: Queryable, user_id: UserId, but_video_id: string): Promise<number> =>
  onlyValue<number>(tx`
    select coalesce(sum(coalesce(file_size, (download_progress->>'downloaded_bytes')::bigint)), 0)::bigint as bytes
    from   (select distinct on (video_id) file_size, download_progress
            from   video_entries
            where  user_id = ${user_id} and standing in ('done', 'running') and video_id <> ${but_video_id}) other`)

/**
 * The bytes that the person may keep; 0: any number. The only place that decides: an administrator may give a person a quota of their own,
 * which counts from the next question on.
 */
export async function quotaIn(sql: Queryable, user_id: UserId, service_bytes: number): Promise<number> {
  const own_bytes = await firstValue<number>(sql`
    select case when quota_gb > 0 then greatest(1, round(quota_gb * 1e9))::bigint else 0 end as bytes
    from   users
    where  id = ${user_id} and quota_gb is not null`)
  return own_bytes ?? service_bytes
}
