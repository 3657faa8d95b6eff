/** Plans the listings that replace feeds, and says which are due, over all people. */
import { Follower } from '../../../schema/service/jobs.ts'
import type { PlatformChannel } from '../../../schema/sources/listing.ts'
import type { Everyone } from '../../everyone.ts'
import { firstValue, type Queryable } from '../../postgres/client.ts'
import { hostOf } from '../../queue/host-pauses.ts'
import { isLocked } from '../../queue/paused.ts'
import { planPictures, queuePictures } from '../../queue/picture-plans.ts'
import { siteAt } from '../../videos/everyone/look-plans.ts'

/**
 * Why the listing of a feed is read. `failing`: `after_s` seconds after the first failure. `overflow`: now. `daily`: now for the first
 * time, and then `after_s` seconds after the last time. `since`: the newest video that was known before; null: unknown.
 */
export type ListingNeed = {
  rss_url: string
  after_s: number
  since: Date | null
  need: 'failing' | 'overflow' | 'daily'
}

/** Plans a listing for all followers. An earlier plan stays. */
export async function planListing(sql: Everyone, { rss_url, need, after_s, since }: ListingNeed): Promise<void> {
  const later = sql`${after_s} * interval '1 second'`
  const at = {
    failing: sql`coalesce(failing_since, now()) + ${later}`,
    overflow: sql`now()`,
    daily: sql`coalesce(listed_at + ${later}, now())`,
  }
  await sql`
    with follower as materialized (${lockedFollowers(sql, rss_url)})
    update channels channel
    set    list_at    = least(channel.list_at, ${at[need]}),
           list_since = least(list_since, coalesce(${since}::timestamptz, last_fetched_at))
    from   follower
    where  (channel.user_id, channel.id) = (follower.user_id, follower.id)
    and    (channel.list_at is null or ${need === 'overflow'})`
}

/** The channels that follow a feed, in the order in which saves lock them. */
const lockedFollowers = (sql: Queryable, rss_url: string) => sql`
  select user_id, id, list_at from channels where rss_url = ${rss_url} order by user_id, channel_id for update`

/**
 * Plans a listing for the followers who have no picture of the channel, because no video of theirs needs the look that would bring it. A
 * follower's listing is read for this once, whether it has a picture or not, and brings no older video.
 */
export async function planListingForPicture(sql: Everyone, rss_url: string): Promise<void> {
  await sql`
    with follower as materialized (
      select   user_id, id
      from     channels channel
      where    rss_url = ${rss_url} and image_url is null and listed_at is null and list_at is null
      and      not exists (select from video_entries entry
                           where  entry.user_id = channel.user_id and entry.channel_id = channel.channel_id and look_at is not null)
      order by user_id, channel_id
      for update
    )
    update channels channel
    set    list_at = now()
    from   follower
    where  (channel.user_id, channel.id) = (follower.user_id, follower.id)`
}

/** A feed whose listing is due, with the followers for whom it is. `is_for_all`: these are all. */
export type DueListing = {
  rss_url: string
  /** The page that the feed itself names; null: none is known. */
  page_url: string | null
  /** Videos published after this time may be missing; null: unknown. */
  since: Date | null
  is_failing: boolean
  followers: Follower[]
  is_for_all: boolean
  /** The videos that the feed and its listing had when they were last read. */
  known: string[]
  /** Its listing was never read. */
  is_first: boolean
}

type Row = Omit<DueListing, 'followers'> & { user_id: string; channel_id: string }

/**
 * Takes the longest due listing of a random person who has due ones at this host, so that no one waits behind another's thousands.
 * `undefined`: none is due. The listing is postponed, so that no other worker reads it too. A refresh by hand makes it due for one person,
 * a check of the feed for all followers; the latest of their times counts, so that no single follower decides how far back it is read.
 * `isForAll`: the listing is for all followers, due or not.
 */
export const takeListing = (
  sql: Everyone,
  host: string,
  isForAll: (rss_url: string) => boolean,
): Promise<DueListing | undefined> =>
  sql.begin(async tx => {
    const rss_url = await firstValue<string>(tx`
      with due as materialized (
        select user_id, rss_url, list_at
        from   channels
        where  list_at <= now() and ${siteAt(tx, tx`rss_url`)} = ${host} and not ${isLocked(tx, tx`channels.user_id`)}
      ),
      turn as materialized (
        select user_id from due group by user_id order by random() limit 1
      )
      select   rss_url
      from     turn
      join     due using (user_id)
      order by list_at
      limit    1`)
    if (rss_url === undefined) return undefined
    const rows = await tx<Row[]>`
      with follower as materialized (${lockedFollowers(tx, rss_url)}),
      taken as materialized (
        update channels channel
        set    list_at = now() + ${taken_for_s} * interval '1 second'
        from   follower
        where  (channel.user_id, channel.id) = (follower.user_id, follower.id)
        and    (channel.list_at <= now() or ${isForAll(rss_url)} and exists (select from follower where list_at <= now()))
        returning channel.*
      )
      select   rss_url, user_id, channel_id, feeds.page_url,
               max(list_since) over ()                      as since,
               count(*) over () = (select count(*) from follower) as is_for_all,
               bool_and(failing_since is not null) over () as is_failing,
               feeds.listed_ids is null                     as is_first,
               coalesce(feeds.video_ids || feeds.listed_ids, feeds.video_ids, '{}') as known
      from     taken
      left join feeds using (rss_url)
      order by user_id, channel_id`
    const [first] = rows
    if (!first) return undefined
    const { user_id: _, channel_id: __, ...listing } = first
    return { ...listing, followers: rows.map(row => Follower.parse(row)) }
  })

/** Longer than any listing. */
const taken_for_s = 900

/** The listing was not read: it is due again after so many seconds; null: never. */
export async function postponeListing(sql: Everyone, rss_url: string, after_s: number | null): Promise<void> {
  await sql`
    with follower as materialized (${lockedFollowers(sql, rss_url)})
    update channels channel
    set    list_at = now() + ${after_s} * interval '1 second'
    from   follower
    where  (channel.user_id, channel.id) = (follower.user_id, follower.id) and channel.list_at is not null`
}

/**
 * Stores for all followers the picture and the page of a channel whose feed names none. A picture that a listing gave is replaced when
 * the platform has changed it, at most weekly. A picture that a feed gave stays.
 */
export async function describeChannel(
  sql: Everyone,
  rss_url: string,
  { title, image_url, page_url }: Pick<PlatformChannel, 'title' | 'image_url' | 'page_url'>,
): Promise<void> {
  if (title === null && image_url === null && page_url === null) return
  await sql`
    with changed as materialized (
      select   user_id, id,
               ${image_url}::text is not null
               and (image_url is null or pictured_at < now() - interval '7 days') as has_picture
      from     channels
      where    rss_url = ${rss_url}
      order by user_id, channel_id
      for update
    )
    update channels channel
    set    image_url   = case when has_picture then ${image_url} else image_url end,
           pictured_at = case when has_picture then now() else pictured_at end,
           page_url    = coalesce(page_url, ${page_url}),
           -- A feed without a title has given the id.
           title       = case when title = channel_id then coalesce(${title}, title) else title end
    from   changed
    where  (channel.user_id, channel.id) = (changed.user_id, changed.id)
    and    (has_picture
            or page_url is null and ${page_url}::text is not null
            or title = channel_id and ${title}::text is not null)`
  if (image_url === null) return
  await planPictures(sql, [{ kind: 'channel', url: image_url, is_wanted: true }])
  await queuePictures(sql, sql`select ${hostOf(sql, sql`${image_url}::text`)} as host`)
}
