/**
 * Followed feeds over all people: one address is fetched once for all its followers. Stores the fetch state of the feed;
 * `save-for-followers.ts` saves its entries.
 *
 * A scheduled fetch is a job about a feed's address, not about a channel. The request is conditional, the bytes are compared
 * before they are parsed, and new entries are saved for every follower. The time of the next fetch depends on how often the
 * channel posts, within the limits of its host.
 */
import { isDeepStrictEqual } from 'node:util'
import { gathered } from '../../../runtime/gather.ts'
import { jsonText } from '../../../runtime/json.ts'
import type { Pushes } from '../../../schema/push/push.ts'
import { Follower, type RefreshFeedJob } from '../../../schema/service/jobs.ts'
import { type FeedVersion, never_fetched } from '../../../schema/sources/feed.ts'
import type { UserId } from '../../../schema/values/user.ts'
import type { Everyone } from '../../everyone.ts'
import { hasAny, type Queryable } from '../../postgres/client.ts'
import { check_every_s, requestHostCheck } from '../../queue/host-checks.ts'
import {
  feeds_prefix,
  feedsAt,
  first_pause_s,
  hostOf,
  pausedForEveryoneUntil,
  pauseHost,
} from '../../queue/host-pauses.ts'
import { isLocked } from '../../queue/paused.ts'
import { type FeedFetchState, fetchFailed, fetchWorked } from '../../rows/channel-columns.ts'
import { type FeedUpdate, saveForFollowers } from './save-for-followers.ts'

/** A feed that is due, with all its followers. */
export type DueFeed = {
  rss_url: string
  followers: FeedFollower[]
  /** The state at the last fetch, if it is the same for all followers and what the feed had is known; otherwise `never_fetched`. */
  known: FeedVersion
  /** Failures in a row: the lowest number of any follower. */
  failures: number
  /** When its newest videos were published, and its page: as the feed itself said. */
  posted: Date[]
  page_url: string | null
  /** The last fetch that worked, of any follower. */
  last_fetched_at: Date | null
  /** A follower has no picture of the channel, and its listing was never read for them. */
  lacks_picture: boolean
  pushes: Pushes
}

/** `to_judge`: the rule of the channel is on, and has videos to judge now. */
type FeedFollower = Follower & { to_judge: boolean }

type Row = FeedVersion &
  FeedFollower &
  Pushes & {
    rss_url: string
    page_url: string | null
    is_known: boolean
    is_due: boolean
    is_free: boolean
    failures: number
    posted: Date[] | null
    last_fetched_at: Date | null
    lacks_picture: boolean
  }

/**
 * In the order of the jobs. `undefined`: no one follows it, another job has just fetched it, its host is paused, or all who follow it
 * are locked. A check because of a push need not be due.
 */
export async function dueFeeds(sql: Everyone, jobs: RefreshFeedJob[]): Promise<(DueFeed | undefined)[]> {
  const rows = await sql<Row[]>`
    select   rss_url,
             feeds.page_url,
             feeds.posted,
             feeds.rss_url is not null            as is_known,
             user_id,
             channel_id,
             etag,
             last_modified,
             body_hash,
             every_minutes,
             fetch_failures                       as failures,
             last_fetched_at,
             image_url is null and listed_at is null as lacks_picture,
             push_id is not null                  as is_subscribed,
             case when lease_until > now() then streak else 0 end as streak,
             check_at,
             coalesce(next_fetch_at <= now(), false) as is_due,
             ${pausedForEveryoneUntil(sql, feedsAt(sql, sql`rss_url`))} is null
             and not ${isLocked(sql, sql`channel.user_id`)} as is_free,
             -- Each new or changed video is recorded at the rule, so no video is read here.
             rule.on_since is not null and rule.judge_from is not null and coalesce(rule.apply_at <= now(), true) as to_judge
    from     channels channel
    left join channel_rules rule using (user_id, channel_id)
    left join push_subscriptions push using (rss_url)
    left join feeds using (rss_url)
    where    rss_url = any(${jobs.map(({ rss_url }) => rss_url)})
    order by rss_url, user_id, channel_id`
  const followed = Map.groupBy(rows, ({ rss_url }) => rss_url)
  return jobs.map(({ rss_url, pushed = false }) => dueFeedOf(followed.get(rss_url) ?? [], pushed))
}

function dueFeedOf(rows: Row[], pushed: boolean): DueFeed | undefined {
  const [first, ...others] = rows
  if (!first || !rows.some(({ is_due, is_free }) => is_free && (is_due || pushed))) return undefined
  const known = stateOf(first)
  const fetches = rows.flatMap(({ last_fetched_at }) => last_fetched_at ?? []).toSorted((a, b) => Number(a) - Number(b))
  const is_shared = others.every(other => isDeepStrictEqual(stateOf(other), known))
  return {
    rss_url: first.rss_url,
    followers: rows.map(row => ({ ...Follower.parse(row), to_judge: row.to_judge })),
    known: is_shared && first.is_known ? known : never_fetched,
    failures: Math.min(...rows.map(({ failures }) => failures)),
    posted: first.posted ?? [],
    page_url: first.page_url,
    last_fetched_at: fetches.at(-1) ?? null,
    lacks_picture: rows.some(({ lacks_picture }) => lacks_picture),
    pushes: { is_subscribed: first.is_subscribed, streak: first.streak, check_at: first.check_at },
  }
}

const stateOf = ({ etag, last_modified, body_hash, every_minutes }: FeedVersion): FeedVersion => ({
  etag,
  last_modified,
  body_hash,
  every_minutes,
})

/** The feeds have not changed: recorded for all their followers in one statement. */
async function recordUnchanged(sql: Everyone, feeds: FeedFetchState[]): Promise<void> {
  const rows = feeds.map(({ rss_url, known, next_fetch_at }) => ({ rss_url, ...known, next_fetch_at }))
  await sql`
    update channels
    set    ${fetchWorked(sql, 'channels')},
           etag          = fetched.etag,
           last_modified = fetched.last_modified,
           body_hash     = fetched.body_hash,
           every_minutes = fetched.every_minutes,
           next_fetch_at = fetched.next_fetch_at
    from   json_to_recordset(${jsonText(rows)}::text::json) as fetched (
             rss_url text, etag text, last_modified text, body_hash text, every_minutes int, next_fetch_at timestamptz)
    where  channels.rss_url = fetched.rss_url`
}

/** `fetch_error`: why the feed could not be read. */
type FailedFeed = { rss_url: string; fetch_error: string; next_fetch_at: Date }

/** The feeds could not be read: recorded for all their followers in one statement. */
async function recordFailedFetches(sql: Everyone, feeds: FailedFeed[]): Promise<void> {
  await sql`
    update channels
    set    ${fetchFailed(sql, sql`failed.fetch_error`)},
           fetch_failures = least(fetch_failures + 1, 100),
           next_fetch_at  = failed.next_fetch_at
    from   json_to_recordset(${jsonText(feeds)}::text::json) as failed (
             rss_url text, fetch_error text, next_fetch_at timestamptz)
    where  channels.rss_url = failed.rss_url`
}

/**
 * Follows a feed at its new address. A channel moves only if it has had a video of the feed for a week, so that no other feed takes its
 * place within days. A channel stays if its person follows the new address already. Nothing that the former address said counts at the
 * new one, because others may follow that. Returns whether any channel moved.
 */
export const moveFeed = (sql: Everyone, rss_url: string, to: string): Promise<boolean> =>
  hasAny(sql`
    with follower as materialized (
      select   user_id, id
      from     channels channel
      where    rss_url = ${rss_url}
      and      not exists (select from channels other where other.user_id = channel.user_id and other.rss_url = ${to})
      and      exists (
                 select from video_entries entry
                 join   feeds on feeds.rss_url = ${rss_url} and entry.video_id = any(feeds.video_ids)
                 where  entry.user_id = channel.user_id and entry.channel_id = channel.channel_id
                 and    entry.first_seen_at < now() - interval '7 days')
      order by user_id, channel_id
      for update
    )
    update channels channel
    set    rss_url = ${to}, etag = null, last_modified = null, body_hash = null
    from   follower
    where  (channel.user_id, channel.id) = (follower.user_id, follower.id)`)

/** Deletes feeds that no one follows any more, of a random hundredth of the table, because this runs every minute. */
export async function forgetUnfollowedFeeds(sql: Everyone): Promise<void> {
  await sql`
    delete from feeds
    where  rss_url in (select rss_url from feeds tablesample system (1))
    and    not exists (select from channels where channels.rss_url = feeds.rss_url)`
}

type RefusedFeed = { rss_url: string; host: string; retry_after_s?: number | undefined; reason: string }

/**
 * `host` refused a scheduled fetch. The feed waits as long as the host asks, and the first refusal queues a check of the host. A second
 * feed within minutes pauses all feeds of the host for 5 minutes; only the check can make the pause longer. A person can follow
 * feeds that always refuse, so two feeds of one person pause nothing where others follow feeds of this host too. A refusal after a
 * redirect belongs to the host that answered. Feeds and downloads are paused separately.
 */
export const recordRefusedFeed = (
  sql: Everyone,
  { rss_url, host, retry_after_s, reason }: RefusedFeed,
): Promise<void> =>
  sql.begin(async tx => {
    const feeds = feeds_prefix + host
    const [follower] = await tx<{ user_id: UserId }[]>`
      select user_id from channels where rss_url = ${rss_url} order by user_id limit 1`
    if (!follower || (await requestHostCheck(tx, feeds, { ...follower, rss_url }))) return
    const [other] = await tx`
      select from host_looks checked
      where  host = ${feeds} and rss_url <> ${rss_url} and looked_at >= now() - ${check_every_s} * interval '1 second'
      and    (${ofTwoPeople(tx, rss_url)} or not ${isFollowedByOthers(tx, rss_url, host)})`
    if (other) await pauseHost(tx, feeds, { retry_after_s, max_s: first_pause_s, reason })
  })

const ofTwoPeople = (tx: Queryable, rss_url: string) => tx`
  exists (
    select from channels one
    join   channels other on other.user_id <> one.user_id
    where  one.rss_url = ${rss_url} and other.rss_url = checked.rss_url)`

const isFollowedByOthers = (tx: Queryable, rss_url: string, host: string) => tx`
  exists (
    select from channels one
    where  ${hostOf(tx, tx`one.rss_url`)} = ${host}
    and    user_id not in (select user_id from channels where rss_url = ${rss_url} or rss_url = checked.rss_url))`

const max_feeds_in_statement = 24

export type FeedsTogether = ReturnType<typeof feedsTogether>

/** Lets the checks of feeds that run at the same time read and save in common statements. */
export function feedsTogether(everyone: Everyone) {
  let running = 0
  const reading = { most: () => max_feeds_in_statement, wait_ms: 2 }
  // The last of the running checks waits for no other. A feed that hangs delays the others by 25 ms at most.
  const saving = { most: () => Math.min(max_feeds_in_statement, running), wait_ms: 25 }
  return {
    /** Runs a check, and counts it among those that run. */
    async during<T>(check: () => Promise<T>): Promise<T> {
      running += 1
      try {
        return await check()
      } finally {
        running -= 1
      }
    },
    due: gathered(reading, (jobs: RefreshFeedJob[]) => dueFeeds(everyone, jobs)),
    recordUnchanged: gathered<FeedFetchState, void>(saving, all => recordUnchanged(everyone, all).then(() => [])),
    recordFailed: gathered<FailedFeed, void>(saving, all => recordFailedFetches(everyone, all).then(() => [])),
    save: gathered(saving, (updates: FeedUpdate[]) => saveForFollowers(everyone, updates)),
  }
}
