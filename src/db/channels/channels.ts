/** One user's channels: list, find, change, unfollow. `channel-feeds.ts` saves their feeds. */
import type { Channel } from '../../schema/channels/channel.ts'
import type { Quality } from '../../schema/downloads/quality.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Sql } from '../postgres/client.ts'
import { byName, channelColumns, findChannel, isFollowed } from '../rows/channel-columns.ts'
import { type ChannelFeeds, channelFeedsOf, type LibraryLimits } from './channel-feeds.ts'
import { type ChannelPages, channelPagesOf } from './channel-pages.ts'
import { noteOverflow } from './overflow.ts'
import { type DeletedVideo, unfollow } from './unfollow.ts'

export interface Channels extends ChannelFeeds, ChannelPages {
  /** The followed ones, or the others, by title. */
  list(followed?: boolean): Promise<Channel[]>
  find(channel_id: string): Promise<Channel | undefined>
  /** Follows the channel by another of its feeds, and deletes the fetch state of the former feed. */
  switchFeed(channel_id: string, rss_url: string): Promise<Channel | undefined>
  /** Records a refresh by hand, at most one in `pause_s` seconds. Returns the seconds still to wait; 0: it may begin. */
  beginRefresh(channel_id: string, pause_s: number): Promise<number | undefined>
  /**
   * Records that a refresh by hand failed, and why. Saved videos stay. The schedule stays too, unless the site asked to wait:
   * then the next fetch is not before `not_before`.
   */
  noteFailure(channel_id: string, fetch_error: string, not_before: Date | null): Promise<void>
  /** All videos of a full feed were new in the save that has just ended, so the listing is read for those before them. */
  noteOverflow(channel_id: string): Promise<void>
  /** The quality of later downloads; `null`: the quality in the user's settings. */
  setQuality(channel_id: string, quality: Quality | null): Promise<Channel | undefined>
  /** Whether one of its videos was watched, begun, downloaded or requested. */
  isUsed(channel_id: string): Promise<boolean>
  /**
   * Unfollows it. Returns the deleted videos that no other channel has; `undefined`: no such channel is followed. Videos that were
   * added by their address stay, in a channel that is not followed. `is_kept`: the channel can be restored from the bin, and its files
   * are recorded there.
   */
  remove(channel_id: string, is_kept?: boolean): Promise<DeletedVideo[] | undefined>
}

export function channelsOf(sql: Sql, user_id: UserId, limits: LibraryLimits): Channels {
  const mine = sql`user_id = ${user_id}`
  const find = (channel_id: string) => findChannel(sql, user_id, channel_id)

  return {
    ...channelFeedsOf(sql, user_id, limits),
    ...channelPagesOf(sql, user_id),

    find,

    list: (followed = true) => sql<Channel[]>`
      select   ${channelColumns(sql)}
      from     channels c
      where    ${mine} and ${isFollowed(sql)} = ${followed}
      order by ${byName(sql)}, channel_id`,

    async switchFeed(channel_id, rss_url) {
      await sql`
        update channels
        set    rss_url = ${rss_url}, etag = null, last_modified = null, body_hash = null, every_minutes = null,
               list_at = null, list_since = null, listed_at = null
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
                 -- Null: another refresh begins at this moment, and its row version is not visible here.
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
        where  ${mine} and channel_id = ${channel_id} and ${isFollowed(sql)}`
    },

    noteOverflow: channel_id => noteOverflow(sql, user_id, channel_id),

    async setQuality(channel_id, quality) {
      await sql`
        update channels
        set    quality = ${quality}
        where  ${mine} and channel_id = ${channel_id}`
      return find(channel_id)
    },

    async isUsed(channel_id) {
      const [used] = await sql`
        select from video_entries entry
        where  ${mine} and channel_id = ${channel_id}
        and    (standing is not null or exists (
                 select from viewings
                 where  viewings.user_id = entry.user_id and viewings.video_id = entry.video_id))
        limit  1`
      return used !== undefined
    },

    remove: (channel_id, is_kept = false) => unfollow(sql, user_id, channel_id, is_kept),
  }
}
