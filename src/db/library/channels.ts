/** One user's channels, and the saving of their feeds. */
import { DomainError } from '../../errors.ts'
import type { Channel } from '../../schema/channel.ts'
import type { Download } from '../../schema/download.ts'
import type { UserId } from '../../schema/user.ts'
import type { Queryable, Sql } from '../postgres/client.ts'
import { removeDownloads } from '../queue/queue.ts'
import { withinLimit } from './channel-limit.ts'
import { leftOut, remembered, replanned, whenAsked, works } from './fetch-state.ts'
import type { Library } from './library.ts'
import { saveEntries } from './saving.ts'

export function channelsOf(sql: Sql, user_id: UserId, most_channels: number, most_videos: number): Library['channels'] {
  const mine = sql`user_id = ${user_id}`
  /** The next fetch reads the feed again even where it has not changed: there may be room by then. */
  const noteFull = (channel_id: string, left_out: number) => sql`
    update channels
    set    fetch_error     = ${fullSentence(left_out, most_videos)},
           fetch_failed_at = now(),
           failing_since   = coalesce(failing_since, now()),
           etag = null, last_modified = null, body_hash = null
    where  ${mine} and channel_id = ${channel_id}`
  const find = async (channel_id: string) => {
    const [channel] = await sql<Channel[]>`
      select ${channelColumns(sql)}
      from   channels c
      where  ${mine} and channel_id = ${channel_id}`
    return channel
  }

  return {
    find,

    list: () => sql<Channel[]>`
      select   ${channelColumns(sql)}
      from     channels c
      where    ${mine}
      order by lower(title), channel_id`,

    async save({ channel_id, title, rss_url, image_url = null, skipped = 0, warning = null }, entries) {
      const outcome = await saveEntries(
        sql,
        { user_id, channel_id, most_videos },
        entries,
        sql`
          insert into channels as known (
            user_id, channel_id, title, rss_url, image_url, last_fetched_at, skipped, feed_warning)
          values (
            ${user_id}, ${channel_id}, ${title}, ${rss_url}, ${image_url}, now(), ${skipped},
            ${skipped > 0 ? warning : null})
          on conflict on constraint channels_user_channel_key do update
          set    title = excluded.title, image_url = coalesce(excluded.image_url, known.image_url), ${works(sql)},
                 ${leftOut(sql, { user_id, channel_id }, { skipped, warning })},
                 next_fetch_at = ${replanned(sql)}
          returning xmax = 0 as created`,
        most_channels > 0 ? saving => withinLimit(sql, { user_id, channel_id }, most_channels, saving) : undefined,
      ).catch(orAccountGone)
      if (outcome && outcome.left_out > 0) await noteFull(channel_id, outcome.left_out)
      const channel = await find(channel_id)
      if (!outcome || !channel)
        throw new DomainError('conflict', 'This channel was unfollowed at the same moment. Try again.')
      return { channel, saved: outcome.saved, created: outcome.created, renamed: outcome.renamed }
    },

    async renew(channel_id, { title, entries, image_url = null, skipped, warning }, visit) {
      const outcome = await saveEntries(
        sql,
        { user_id, channel_id, most_videos },
        entries,
        sql`
          update channels known
          set    title = ${title}, image_url = coalesce(${image_url}, image_url), ${works(sql)},
                 ${leftOut(sql, { user_id, channel_id }, { skipped, warning })},
                 ${visit ? remembered(sql, visit) : sql`next_fetch_at = ${replanned(sql)}`}
          where  ${mine} and channel_id = ${channel_id} and rss_url = ${visit ? visit.rss_url : sql`rss_url`}
          returning false as created`,
      )
      if (outcome && outcome.left_out > 0) await noteFull(channel_id, outcome.left_out)
      const channel = await find(channel_id)
      return outcome && channel && { channel, saved: outcome.saved }
    },

    async switchFeed(channel_id, rss_url) {
      await sql`
        update channels
        set    rss_url = ${rss_url}, etag = null, last_modified = null, body_hash = null, every_minutes = null
        where  ${mine} and channel_id = ${channel_id}
        and    rss_url <> ${rss_url}`
      return find(channel_id)
    },

    async beginRefresh(channel_id, pause_s) {
      const pause = sql`${pause_s} * interval '1 second'`
      const [turn] = await sql<{ wait_s: number }[]>`
        with taken as (
          update channels
          set    refresh_asked_at = now()
          where  ${mine} and channel_id = ${channel_id}
          and    coalesce(refresh_asked_at, '-infinity') <= now() - ${pause}
          returning true
        )
        select case
                 when exists (select from taken) then 0
                 -- Taken by somebody else at this very moment, it is not seen here yet.
                 else coalesce(greatest(1, ceil(extract(epoch from refresh_asked_at + ${pause} - now()))), ${pause_s})
               end::int as wait_s
        from   channels
        where  ${mine} and channel_id = ${channel_id}`
      return turn?.wait_s
    },

    async noteFailure(channel_id, fetch_error, not_before) {
      await sql`
        update channels
        set    fetch_error     = ${fetch_error},
               fetch_failed_at = now(),
               failing_since   = coalesce(failing_since, now()),
               fetch_failures  = greatest(fetch_failures, 1),
               next_fetch_at   = greatest(next_fetch_at, ${not_before}::timestamptz)
        where  ${mine} and channel_id = ${channel_id}`
    },

    async setQuality(channel_id, quality) {
      await sql`
        update channels
        set    quality = ${quality}
        where  ${mine} and channel_id = ${channel_id}`
      return find(channel_id)
    },

    remove: channel_id =>
      sql.begin(async tx => {
        await tx`
          select   id
          from     video_entries
          where    ${mine} and channel_id = ${channel_id}
          order by video_id, id
          for update`
        const orphans = await tx<Pick<Download, 'video_id' | 'download_path'>[]>`
          select video_id, download_path
          from   video_entries entry
          where  ${mine} and channel_id = ${channel_id}
          and    not exists (
                   select from video_entries twin
                   where  twin.user_id = entry.user_id and twin.video_id = entry.video_id
                   and    twin.channel_id <> entry.channel_id)`
        const { count } = await tx`delete from channels where ${mine} and channel_id = ${channel_id}`
        if (count === 0) return undefined
        const gone = orphans.map(({ video_id }) => video_id)
        await tx`delete from viewings where ${mine} and video_id = any(${gone})`
        await removeDownloads(tx, user_id, gone)
        return [...orphans]
      }),
  }
}

const fullSentence = (left_out: number, most: number) =>
  `${left_out === 1 ? '1 new video of this channel is' : `${left_out} new videos of this channel are`} not kept, because you ` +
  `have ${most} videos, as many as one person may here. Stop following a channel, then refresh this one.`

/** The columns of `Channel`, of a row named `c`. */
export const channelColumns = (sql: Queryable) => sql`
  channel_id,
  title,
  rss_url,
  image_url,
  last_fetched_at,
  ${whenAsked(sql)} as next_fetch_at,
  fetch_error,
  failing_since,
  quality,
  skipped,
  feed_warning,
  (select count(*) from video_entries e where e.user_id = c.user_id and e.channel_id = c.channel_id) as entry_count`

/** Work for somebody who has deleted their account meanwhile. */
const orAccountGone = (fault: unknown): never => {
  const is_gone = fault instanceof Error && 'constraint_name' in fault && fault.constraint_name === 'channels_user_fkey'
  throw is_gone ? new DomainError('conflict', 'This account is gone.', { cause: fault }) : fault
}
