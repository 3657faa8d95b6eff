/** One user's channels, and the saving of their feeds. */
import type { Channel } from '../schema/channel.ts'
import type { UserId } from '../schema/user.ts'
import type { Sql } from './client.ts'
import type { Library } from './library.ts'
import { removeDownload } from './queue.ts'

export function channelsOf(sql: Sql, user_id: UserId): Library['channels'] {
  const mine = sql`user_id = ${user_id}`
  const select = sql`
    select channel_id,
           title,
           rss_url,
           last_fetched_at,
           fetch_error,
           (select count(*) from video_entries e where e.user_id = c.user_id and e.channel_id = c.channel_id) as entry_count
    from   channels c`

  const find = async (channel_id: string) => {
    const [channel] = await sql<Channel[]>`
      ${select}
      where ${mine} and channel_id = ${channel_id}`
    return channel
  }

  return {
    find,

    list: () => sql<Channel[]>`
      ${select}
      where    ${mine}
      order by lower(title), channel_id`,

    async save({ channel_id, title, rss_url }, entries) {
      const [outcome] = await sql<{ created: boolean; inserted: number; updated: number; unchanged: number }[]>`
        with channel as (
          insert into channels (user_id, channel_id, title, rss_url, last_fetched_at)
          values (${user_id}, ${channel_id}, ${title}, ${rss_url}, now())
          on conflict on constraint channels_user_channel_key do update
          set    title = excluded.title,
                 last_fetched_at = excluded.last_fetched_at,
                 fetch_error = null,
                 fetch_failures = 0
          returning xmax = 0 as created
        ),
        given as (
          select *
          from   json_to_recordset(${sql.json(entries.map(asRow))}::json) as entry (
                   video_id text, video_url text, title text, thumbnail_url text, description text, published_at timestamptz)
        ),
        saved as (
          insert into video_entries as known (
            user_id, channel_id, video_id, video_url, title, thumbnail_url, description, published_at, ${downloadColumns(sql)})
          select   ${user_id}, ${channel_id}, given.*, ${twinsDownload(sql)}
          from     given
          left join lateral (
            select *
            from   video_entries
            where  ${mine} and video_id = given.video_id
            limit  1
          ) twin on true
          order by given.video_id
          on conflict on constraint video_entries_video_key do update
          set    video_url     = excluded.video_url,
                 title         = excluded.title,
                 thumbnail_url = coalesce(excluded.thumbnail_url, known.thumbnail_url),
                 description   = coalesce(excluded.description, known.description),
                 published_at  = coalesce(excluded.published_at, known.published_at)
          where  (known.video_url, known.title, known.thumbnail_url, known.description, known.published_at)
                 is distinct from
                 (excluded.video_url, excluded.title,
                  coalesce(excluded.thumbnail_url, known.thumbnail_url),
                  coalesce(excluded.description, known.description),
                  coalesce(excluded.published_at, known.published_at))
          returning xmax = 0 as inserted
        )
        select (select created from channel)                    as created,
               count(*) filter (where inserted)                 as inserted,
               count(*) filter (where not inserted)             as updated,
               (select count(*) from given) - count(*)          as unchanged
        from   saved`
      const channel = await find(channel_id)
      if (!outcome || !channel) throw new Error(`channel ${channel_id} vanished while it was saved`)
      const { created, ...saved } = outcome
      return { channel, saved, created }
    },

    async noteFailure(channel_id, fetch_error) {
      await sql`
        update channels
        set    fetch_error = ${fetch_error}, fetch_failed_at = now(), fetch_failures = least(fetch_failures + 1, 100)
        where  ${mine} and channel_id = ${channel_id}`
    },

    remove: channel_id =>
      sql.begin(async tx => {
        await tx`
          select   id
          from     video_entries
          where    ${mine} and channel_id = ${channel_id}
          order by video_id, id
          for update`
        const orphans = await tx<{ video_id: string; download_path: string | null }[]>`
          select video_id, download_path
          from   video_entries entry
          where  ${mine} and channel_id = ${channel_id}
          and    not exists (
                   select from video_entries twin
                   where  twin.user_id = entry.user_id and twin.video_id = entry.video_id
                   and    twin.channel_id <> entry.channel_id)`
        const { count } = await tx`delete from channels where ${mine} and channel_id = ${channel_id}`
        if (count === 0) return undefined
        for (const { video_id } of orphans) await removeDownload(tx, { user_id, video_id })
        return orphans.flatMap(({ download_path }) => download_path ?? [])
      }),
  }
}

const asRow = ({ published_at, ...entry }: { published_at: Date | null }) => ({
  ...entry,
  published_at: published_at?.toISOString() ?? null,
})

/** A video that another channel of the same user brought before keeps its one download: both rows say the same. */
const downloadColumns = (sql: Sql) => sql`
  download_status, download_path, download_started_at, download_completed_at, download_error, file_size, download_requested_at,
  download_attempts, download_next_attempt_at, download_claim, download_heartbeat_at, download_progress, download_detail`

const twinsDownload = (sql: Sql) => sql`
  coalesce(twin.download_status, 'PENDING'), twin.download_path, twin.download_started_at, twin.download_completed_at,
  twin.download_error, twin.file_size, twin.download_requested_at, coalesce(twin.download_attempts, 0),
  twin.download_next_attempt_at, twin.download_claim, twin.download_heartbeat_at, twin.download_progress, twin.download_detail`
