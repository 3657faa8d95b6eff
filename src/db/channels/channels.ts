/** One user's channels: list, find, change, unfollow. `channel-feeds.ts` saves their feeds. */
import type { Channel, ChannelOrder, Holdings, ListedChannel } from '../../schema/channels/channel.ts'
import type { Quality } from '../../schema/downloads/quality.ts'
import type { UserId } from '../../schema/values/user.ts'
import { countOnlyCopies, isOnlyCopy } from '../downloads/retention.ts'
import { firstValue, hasAny, onlyRow, type Piece, type Queryable, type Sql } from '../postgres/client.ts'
import {
  channelColumns,
  fetchFailed,
  findChannel,
  findChannels,
  isFollowed,
  listedChannelColumns,
  whenDue,
} from '../rows/channel-columns.ts'
import { keepSummaries } from '../rows/channel-summaries.ts'
import { folded } from '../words/folded.ts'
import { isNamed } from '../words/letter-conditions.ts'
import { channelFeedsOf } from './channel-feeds.ts'
import { type DeletedVideo, unfollow } from './unfollow.ts'

export function channelsOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`
  const find = (channel_id: string) => findChannel(sql, user_id, channel_id)

  return {
    ...channelFeedsOf(sql, user_id),
    ...channelPagesOf(sql, user_id),

    find,
    several: (channel_ids: string[]): Promise<Channel[]> => findChannels(sql, user_id, channel_ids),

    /** The followed channels, or those that are not followed, by title. */
    list: (followed: boolean = true): Promise<Channel[]> => sql<Channel[]>`
      select   ${channelColumns(sql)}
      from     channels c
      where    ${mine} and ${isFollowed(sql)} = ${followed}
      order by sort_name(title), channel_id`,

    /** Follows the channel by another of its feeds, and deletes the fetch state of the former feed. */
    async switchFeed(channel_id: string, rss_url: string): Promise<Channel | undefined> {
      await sql`
        update channels
        set    rss_url = ${rss_url}, etag = null, last_modified = null, body_hash = null, every_minutes = null,
               list_at = null, list_since = null, listed_at = null
        where  ${mine} and channel_id = ${channel_id}
        and    rss_url <> ${rss_url}`
      return find(channel_id)
    },

    /** Records a refresh by hand, at most one in `pause_s` seconds. Returns the seconds still to wait; 0: it may begin. */
    beginRefresh(channel_id: string, pause_s: number): Promise<number | undefined> {
      const pause = sql`${pause_s} * interval '1 second'`
      return firstValue<number>(sql`
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
        where  ${mine} and channel_id = ${channel_id}`)
    },

    /**
     * Records that a refresh by hand failed, and why. Saved videos stay. The schedule stays too, unless the site asked to wait:
     * then the next fetch is not before `not_before`.
     */
    async storeFailure(channel_id: string, fetch_error: string, not_before: Date | null): Promise<void> {
      await sql`
        update channels
        set    ${fetchFailed(sql, sql`${fetch_error}`)},
               fetch_failures = greatest(fetch_failures, 1),
               next_fetch_at  = greatest(next_fetch_at, ${not_before}::timestamptz)
        where  ${mine} and channel_id = ${channel_id} and ${isFollowed(sql)}`
    },

    /**
     * Plans the listing of a channel whose full feed had only new videos when the person fetched it by hand. Called right after the save. A
     * video that the feed has dropped was published after the newest video from before that save.
     */
    async recordOverflow(channel_id: string): Promise<void> {
      await sql`
        update channels
        set    list_at = least(list_at, now()), list_since = least(list_since, before.published_at)
        from   (
          select   published_at
          from     video_entries
          where    ${mine} and channel_id = ${channel_id} and source = 'feed' and published_at <= now()
          -- The save inserted the others.
          and      first_seen_at < (select last_fetched_at from channels where ${mine} and channel_id = ${channel_id})
          order by sort_at desc
          limit    1
        ) before
        where  ${mine} and channel_id = ${channel_id} and ${isFollowed(sql)}`
    },

    /** The quality of later downloads; `null`: the quality in the user's settings. */
    async setQuality(channel_id: string, quality: Quality | null): Promise<Channel | undefined> {
      await sql`
        update channels
        set    quality = ${quality}
        where  ${mine} and channel_id = ${channel_id}`
      return find(channel_id)
    },

    /** Whether the person is notified of new videos of the channel. Returns the title; `undefined`: there is no such channel. */
    setBell: (channel_id: string, bell: boolean): Promise<string | undefined> =>
      firstValue<string>(sql`
        update channels
        set    bell = ${bell}
        where  ${mine} and channel_id = ${channel_id}
        returning title`),

    /** Whether one of its videos was watched, begun, downloaded or requested. */
    isUsed: (channel_id: string): Promise<boolean> =>
      hasAny(sql`
        select from video_entries entry
        where  ${mine} and channel_id = ${channel_id}
        and    (standing is not null or exists (
                 select from viewings
                 where  viewings.user_id = entry.user_id and viewings.video_id = entry.video_id))
        limit  1`),

    /**
     * Unfollows it. Returns the deleted videos that no other channel has; `undefined`: no such channel is followed. Videos that were
     * added by their address stay, in a channel that is not followed. `is_kept`: the channel can be restored from the bin, and its files
     * are recorded there.
     */
    remove: (channel_id: string, is_kept: boolean = false): Promise<DeletedVideo[] | undefined> =>
      unfollow(sql, user_id, channel_id, is_kept),
  }
}

type ChannelPageQuery = { q: string; order: ChannelOrder; followed: boolean; offset: number; limit: number }

/** The list of one user's channels page by page, each with what it has to watch, its newest video, its disk space and its rule. */
const channelPagesOf = (sql: Queryable, user_id: UserId) => ({
  /**
   * The followed channels, or the others, whose title contains `q`, from number `offset` on, at most `limit`. Channels that compare as
   * equal are sorted by title.
   */
  async page({ q, order, followed, offset, limit }: ChannelPageQuery): Promise<ListedChannel[]> {
    await keepSummaries(sql, user_id)
    return sql<ListedChannel[]>`
      with used as materialized (
        select   channel_id, sum(file_size)::bigint as on_disk_bytes
        from     (select distinct on (video_id) channel_id, file_size
                  from     video_entries
                  where    user_id = ${user_id} and standing = 'done'
                  order by video_id, id) file
        group by channel_id
      )
      -- With a limit, Postgres computes a query in this list only for the channels that are shown.
      select    ${listedChannelColumns(sql)},
                case when fetch_error is not null then ${whenDue(sql)} end as next_fetch_at,
                unwatched,
                coalesce(on_disk_bytes, 0) as on_disk_bytes,
                newest_at,
                newest_title,
                exists (
                  select from channel_rules rule
                  where  rule.user_id = c.user_id and rule.channel_id = c.channel_id and on_since is not null) as auto_download
      from      channels c
      join      channel_summaries using (user_id, channel_id)
      left join used              using (channel_id)
      where     user_id = ${user_id} and ${followed ? isFollowed(sql) : sql`not ${isFollowed(sql)}`}
      ${q === '' ? sql`` : sql`and ${isNamed(sql, sql`title`, folded(q))}`}
      order by  ${sort_keys[order](sql)} sort_name, channel_id
      offset    ${offset}
      limit     ${limit}`
  },

  /** The ids of the channels that follow these feeds, by the address of the feed. A feed that has moved would give another id. */
  async idsByFeed(rss_urls: string[]): Promise<Map<string, string>> {
    const rows = await sql<{ rss_url: string; channel_id: string }[]>`
      select rss_url, channel_id from channels where user_id = ${user_id} and rss_url = any(${rss_urls})`
    return new Map(rows.map(({ rss_url, channel_id }) => [rss_url, channel_id]))
  },

  /** How many are followed, how many of them fail, and how many are not followed. */
  tally: (): Promise<{ followed: number; failing: number; unfollowed: number }> =>
    onlyRow(sql<{ followed: number; failing: number; unfollowed: number }[]>`
      select count(*) filter (where ${isFollowed(sql)})     as followed,
             count(failing_since)                           as failing,
             count(*) filter (where not ${isFollowed(sql)}) as unfollowed
      from   channels
      where  user_id = ${user_id}`),

  /**
   * What unfollowing a channel does: how many of its videos stay, because the person added them by their address, and how many of the
   * files that go could not be downloaded again.
   */
  async unfollowOutlook(channel_id: string): Promise<{ added: number; only_copies: number }> {
    const goes = sql`channel_id = ${channel_id} and source <> 'address'`
    return onlyRow(sql<{ added: number; only_copies: number }[]>`
      select (select count(*)
              from   video_entries
              where  user_id = ${user_id} and channel_id = ${channel_id} and source = 'address') as added,
             (${countOnlyCopies(sql, user_id, goes)}) as only_copies`)
  },

  /** The titles and files of those channels that are followed. */
  async holdings(channel_ids: string[]): Promise<Holdings> {
    const channels = await sql<Holdings['channels']>`
      select   channel_id, title, entry_count
      from     channels
      where    user_id = ${user_id} and channel_id = any(${channel_ids}) and ${isFollowed(sql)}
      order by sort_name(title), channel_id`
    const followed = channels.map(({ channel_id }) => channel_id)
    const files = await onlyRow(sql<Omit<Holdings, 'channels'>[]>`
      select count(*)                            as files,
             coalesce(sum(file_size), 0)::bigint as bytes,
             count(*) filter (where is_only)     as only_copies
      from   (select distinct on (video_id) file_size, ${isOnlyCopy(sql)} as is_only
              from     video_entries entry
              where    user_id = ${user_id} and channel_id = any(${followed}) and standing = 'done' and source <> 'address'
              order by video_id, id) file`)
    return { channels: [...channels], ...files }
  },
})

/** The sort keys before the title. */
const sort_keys: Record<ChannelOrder, (sql: Queryable) => Piece> = {
  title: sql => sql``,
  newest: sql => sql`newest_at desc nulls last,`,
  unwatched: sql => sql`unwatched desc,`,
  size: sql => sql`on_disk_bytes desc nulls last,`,
  // The latest failure first: an old one is known already.
  failing: sql => sql`failing_since desc nulls last,`,
}
