/** Saves the feeds of one user's channels. The SQL statement is in `saving.ts`. */
import { DomainError } from '../../errors.ts'
import type { Channel } from '../../schema/channel.ts'
import type { FeedEntry, Saved } from '../../schema/feed.ts'
import type { UserId } from '../../schema/user.ts'
import type { Sql } from '../postgres/client.ts'
import { findChannel } from './channel-columns.ts'
import { withinLimit } from './channel-limit.ts'
import { type FeedFaults, type FeedFetchState, feedFaults, fetchWorked, remembered, replanned } from './fetch-state.ts'
import { saveEntries } from './saving.ts'

/** 0: no limit. */
export type LibraryLimits = { max_channels: number; max_videos: number }

/** If not all new videos fit the limit, the channel's `fetch_error` says so. */
export interface ChannelFeeds {
  /**
   * Saves the channel and its entries in one statement; known ones are updated. Throws `conflict` if it is unfollowed at the
   * same moment, `invalid` if it would be one channel too many.
   * `renamed`: from the id of an entry to the id under which its video is stored, where the two differ.
   */
  save(
    channel: { channel_id: string; title: string; rss_url: string; image_url?: string | undefined } & FeedFaults,
    entries: FeedEntry[],
  ): Promise<{ channel: Channel; saved: Saved; created: boolean; renamed: Record<string, string> }>
  /**
   * Saves the new state of a followed channel's feed; `undefined` if the channel is no longer followed, or by another feed.
   * `state`: given by a scheduled fetch, absent for a refresh by hand.
   */
  update(
    channel_id: string,
    feed: { title: string; entries: FeedEntry[]; image_url?: string | undefined } & FeedFaults,
    state?: FeedFetchState,
  ): Promise<{ channel: Channel; saved: Saved } | undefined>
}

export function channelFeedsOf(sql: Sql, user_id: UserId, { max_channels, max_videos }: LibraryLimits): ChannelFeeds {
  const mine = sql`user_id = ${user_id}`
  /** Deletes the fetch state, so that the next fetch reads the feed even if it has not changed: there may be room by then. */
  const noteNoRoom = (channel_id: string, left_out: number) => sql`
    update channels
    set    fetch_error     = ${noRoomSentence(left_out, max_videos)},
           fetch_failed_at = now(),
           failing_since   = coalesce(failing_since, now()),
           etag = null, last_modified = null, body_hash = null
    where  ${mine} and channel_id = ${channel_id}`

  return {
    async save({ channel_id, title, rss_url, image_url = null, skipped = 0, warning = null }, entries) {
      const result = await saveEntries(
        sql,
        { user_id, channel_id, max_videos },
        entries,
        sql`
          insert into channels as known (
            user_id, channel_id, title, rss_url, image_url, last_fetched_at, skipped, feed_warning)
          values (
            ${user_id}, ${channel_id}, ${title}, ${rss_url}, ${image_url}, now(), ${skipped},
            ${skipped > 0 ? warning : null})
          on conflict on constraint channels_user_channel_key do update
          set    title = excluded.title, image_url = coalesce(excluded.image_url, known.image_url), ${fetchWorked(sql)},
                 ${feedFaults(sql, { user_id, channel_id }, { skipped, warning })},
                 next_fetch_at = ${replanned(sql)}
          returning created_at = now() as created`,
        max_channels > 0 ? saving => withinLimit(sql, { user_id, channel_id }, max_channels, saving) : undefined,
      ).catch(orAccountGone)
      if (result && result.left_out > 0) await noteNoRoom(channel_id, result.left_out)
      const channel = await findChannel(sql, user_id, channel_id)
      if (!result || !channel)
        throw new DomainError('conflict', 'This channel was unfollowed at the same moment. Try again.')
      return { channel, saved: result.saved, created: result.created, renamed: result.renamed }
    },

    async update(channel_id, { title, entries, image_url = null, skipped, warning }, state) {
      const result = await saveEntries(
        sql,
        { user_id, channel_id, max_videos },
        entries,
        sql`
          update channels known
          set    title = ${title}, image_url = coalesce(${image_url}, image_url), ${fetchWorked(sql)},
                 ${feedFaults(sql, { user_id, channel_id }, { skipped, warning })},
                 ${state ? remembered(sql, state) : sql`next_fetch_at = ${replanned(sql)}`}
          where  ${mine} and channel_id = ${channel_id} and rss_url = ${state ? state.rss_url : sql`rss_url`}
          returning false as created`,
      )
      if (result && result.left_out > 0) await noteNoRoom(channel_id, result.left_out)
      const channel = await findChannel(sql, user_id, channel_id)
      return result && channel && { channel, saved: result.saved }
    },
  }
}

const noRoomSentence = (left_out: number, most: number) =>
  `${left_out === 1 ? '1 new video of this channel is' : `${left_out} new videos of this channel are`} not kept, because you ` +
  `have ${most} videos, the most that one person may have here. Unfollow a channel, then refresh this one.`

/** When a person deletes their account during a save, the foreign key fails. */
const orAccountGone = (fault: unknown): never => {
  const is_gone = fault instanceof Error && 'constraint_name' in fault && fault.constraint_name === 'channels_user_fkey'
  throw is_gone ? new DomainError('conflict', 'This account is gone.', { cause: fault }) : fault
}
