/**
 * Followed feeds over all users: one address is fetched once for all its followers. Stores the fetch state of the feed; its
 * entries are saved through the library of each follower. Only the jobs import this.
 *
 * A scheduled fetch is a job about a feed's address, not about a channel. The request is conditional, the bytes are compared
 * before they are parsed, and new entries are saved for every follower. The time of the next fetch depends on how often the
 * channel posts, within the limits of its host.
 */
import { isDeepStrictEqual } from 'node:util'
import { type Known, nothing_known } from '../../schema/feed.ts'
import { Follower } from '../../schema/jobs.ts'
import { type FetchState, fetchWorked, remembered } from '../library/fetch-state.ts'
import type { Sql } from '../postgres/client.ts'
import { feedsAt, pausedForEveryoneUntil } from '../queue/host-pauses.ts'

/** One address, with all its followers. */
export type FollowedFeed = {
  followers: Follower[]
  /** The state at the last fetch, if it is the same for all followers; otherwise `nothing_known`. */
  known: Known
  /** Failures in a row: the lowest number of any follower. */
  failures: number
  /** When its newest videos were published. */
  posted: Date[]
}

/** `undefined`: no one follows it, another job has just fetched it, or its host is paused. */
export async function dueFeed(sql: Sql, rss_url: string): Promise<FollowedFeed | undefined> {
  const rows = await sql<(Known & { is_due: boolean; failures: number; posted: Date[] } & Record<string, unknown>)[]>`
    select   user_id,
             channel_id,
             etag,
             last_modified,
             body_hash,
             every_minutes,
             fetch_failures                       as failures,
             coalesce(next_fetch_at <= now(), false)
             and ${pausedForEveryoneUntil(sql, feedsAt(sql, rss_url))} is null as is_due,
             array(
               select   published_at
               from     video_entries entry
               where    entry.user_id = channel.user_id and entry.channel_id = channel.channel_id
               and      published_at is not null
               order by sort_at desc, id desc
               limit    15
             ) as posted
    from     channels channel
    where    rss_url = ${rss_url}
    order by user_id, channel_id`
  const [first, ...others] = rows
  if (!first || !rows.some(({ is_due }) => is_due)) return undefined
  const stateOf = ({ etag, last_modified, body_hash, every_minutes }: Known): Known => ({
    etag,
    last_modified,
    body_hash,
    every_minutes,
  })
  const known = stateOf(first)
  const is_shared = others.every(other => isDeepStrictEqual(stateOf(other), known))
  return {
    followers: rows.map(row => Follower.parse(row)),
    known: is_shared ? known : nothing_known,
    failures: Math.min(...rows.map(({ failures }) => failures)),
    posted: first.posted,
  }
}

/** The feed has not changed: recorded for all its followers in one statement. */
export async function noteUnchanged(sql: Sql, rss_url: string, state: FetchState): Promise<void> {
  await sql`
    update channels
    set    ${fetchWorked(sql)},
           ${remembered(sql, state)}
    where  rss_url = ${rss_url}`
}

/** The feed could not be read. `fetch_error` says why. */
export async function noteFailedFetch(sql: Sql, rss_url: string, fetch_error: string, next: Date): Promise<void> {
  await sql`
    update channels
    set    fetch_error     = ${fetch_error},
           fetch_failed_at = now(),
           failing_since   = coalesce(failing_since, now()),
           fetch_failures  = least(fetch_failures + 1, 100),
           next_fetch_at   = ${next}
    where  rss_url = ${rss_url}`
}
