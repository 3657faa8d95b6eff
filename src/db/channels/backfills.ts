/** One user's backfills: the older videos of a channel are loaded by a job. */
import type { ShownBackfill } from '../../schema/channels/channel.ts'
import type { PlatformChannel } from '../../schema/sources/listing.ts'
import type { UserId } from '../../schema/values/user.ts'
import { firstRow, hasAny, hasBroken, type Queryable, type Sql } from '../postgres/client.ts'
import { requestHostCheck } from '../queue/host-checks.ts'
import { forgetRefusals, pauseHost, pauseOf } from '../queue/host-pauses.ts'
import { addBackfill, removeBackfill } from '../queue/jobs.ts'
import { isLocked } from '../queue/paused.ts'
import { isFollowed } from '../rows/channel-columns.ts'
import type { EntryToSave, Within } from '../saving/saving.ts'
import { channelFeedsOf } from './channel-feeds.ts'

export function backfillsOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`

  const find = (channel_id: string) =>
    firstRow(sql<ShownBackfill[]>`
      select coalesce(state, 'never') as state,
             coalesce(found, 0)       as found,
             coalesce(saved, 0)       as saved,
             started_at, finished_at, error, backfill.next_attempt_at
      from   channels
      left join backfills backfill using (user_id, channel_id)
      where  ${mine} and channel_id = ${channel_id}`)

  return {
    ...backfillRunsOf(sql, user_id),

    /** `undefined`: there is no such channel. */
    find,

    /**
     * Queues a backfill, unless one is unfinished. The counts of an incomplete or cancelled one are kept. `site`: the host of the list.
     * `undefined`: the channel is not followed.
     */
    async begin(channel_id: string, site: string | null): Promise<ShownBackfill | undefined> {
      const beginning = sql.begin(async tx => {
        const [begun] = await tx<{ round: number }[]>`
          with round as (
            select least(
                     greatest(
                       -- The round being served, over all people.
                       (select min(round) from backfills where state in ('queued', 'running')),
                       (select max(round) + 1 from backfills where ${mine} and state in ('queued', 'running')),
                       0),
                     ${last_round}) as next
          )
          insert into backfills as known (user_id, channel_id, site, round)
          select user_id, channel_id, ${site}, round.next
          from   channels, round
          where  ${mine} and channel_id = ${channel_id} and ${isFollowed(tx)}
          on conflict on constraint backfills_pkey do update
          set    state = 'queued', site = excluded.site, round = excluded.round, requested_at = now(),
                 found = case when known.state in ('incomplete', 'cancelled') then known.found else 0 end,
                 saved = case when known.state in ('incomplete', 'cancelled') then known.saved else 0 end,
                 started_at = null, finished_at = null, error = null, attempts = 0, next_attempt_at = null, heartbeat_at = null
          where  known.state not in ('queued', 'running')
          returning round`
        if (begun) await addBackfill(tx, { user_id, channel_id, site, ...begun })
      })
      await beginning.catch(unlessUnfollowed)
      return find(channel_id)
    },

    /** Ends the unfinished backfill. `false`: there is none. */
    cancel: (channel_id: string): Promise<boolean> =>
      sql.begin(async tx => {
        const is_cancelled = await hasAny(tx`
          update backfills
          set    state = 'cancelled', claim = null, finished_at = now(), error = null, next_attempt_at = null
          where  ${mine} and channel_id = ${channel_id} and state in ('queued', 'running')`)
        if (is_cancelled) await removeBackfill(tx, { user_id, channel_id })
        return is_cancelled
      }),
  }
}

/** When the channel is unfollowed at the same moment, the foreign key fails. */
function unlessUnfollowed(fault: unknown): void {
  if (!hasBroken(fault, 'backfills_channel_fkey')) throw fault
}

/** A priority is a `smallint`. */
const last_round = 32_000

export type StartedBackfill = {
  rss_url: string
  page_url: string | null
  /** The number of this attempt; a crash counts, a graceful stop does not. */
  attempt: number
  /** The entries that former runs read. */
  found: number
  /** When the channel was followed. */
  followed_at: Date
  /** The published date of the newest video that the feed has listed; null: unknown. */
  newest_at: Date | null
  /** The place of the last video in the list of the channel; null: there is none. */
  oldest_at: Date | null
}

/** `older` are marked as listed. `news` count as found in the feed. `found`: the entries that this run has read so far. */
type BackfillBatch = {
  older: EntryToSave[]
  news: EntryToSave[]
  found: number
  channel: Partial<Pick<PlatformChannel, 'image_url' | 'page_url'>>
}

export type BackfillEnd = { state: 'done'; error: null } | { state: 'incomplete' | 'failed'; error: string }

/** `slow_down`: the site refused, so it is paused. `refund`: the attempt does not count. */
export type BackfillHandBack = { run_at: Date | null; error: string | null; slow_down?: boolean; refund?: boolean }

/** The run of a backfill: its start, its heartbeats, each batch of entries, and how it ends. */
function backfillRunsOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`
  const followed = (channel_id: string) => sql`
    exists (select from channels where ${mine} and channel_id = ${channel_id} and ${isFollowed(sql)})`
  const { saveListed } = channelFeedsOf(sql, user_id)

  return {
    /**
     * Takes the backfill of a followed channel; `claim` names this run from now on. While its site is paused, it stays in the queue.
     * `undefined`: it is not wanted any more.
     */
    start: (channel_id: string, claim: string): Promise<StartedBackfill | { free_at: Date } | undefined> =>
      sql.begin(async tx => {
        const [waiting] = await tx<{ site: string | null; round: number }[]>`
          select site, round
          from   backfills
          where  ${mine} and channel_id = ${channel_id} and state in ('queued', 'running') and ${followed(channel_id)}
          and    not ${isLocked(tx, tx`backfills.user_id`)}
          for update`
        if (!waiting) return undefined
        const pause = waiting.site === null ? undefined : await pauseOf(tx, waiting.site, user_id)
        if (pause) {
          await putBack(tx, { user_id, channel_id }, { run_at: pause.until, error: pause.reason })
          return { free_at: pause.until }
        }
        return firstRow(tx<StartedBackfill[]>`
          update backfills
          set    state = 'running', claim = ${claim}, heartbeat_at = now(), started_at = coalesce(started_at, now()),
                 attempts = attempts + 1, next_attempt_at = null, error = null
          from   (
            select rss_url, page_url, created_at as followed_at,
                   (select   published_at
                    from     video_entries
                    where    ${mine} and channel_id = ${channel_id} and source = 'feed' and published_at is not null
                    order by sort_at desc
                    limit    1) as newest_at,
                   (select   sort_at
                    from     video_entries
                    where    ${mine} and channel_id = ${channel_id}
                    order by sort_at
                    limit    1) as oldest_at
            from   channels
            where  ${mine} and channel_id = ${channel_id}
          ) channel
          where  ${mine} and backfills.channel_id = ${channel_id}
          returning rss_url, channel.page_url, attempts as attempt, found, followed_at, newest_at, oldest_at`)
      }),

    /** A heartbeat. `false`: the run has lost its claim, or the channel was unfollowed, so the run must stop. */
    beat: (channel_id: string, claim: string): Promise<boolean> =>
      hasAny(sql`
        update backfills
        set    heartbeat_at = now()
        where  ${mine} and channel_id = ${channel_id} and claim = ${claim} and ${followed(channel_id)}`),

    /** The places of these videos in the list of the channel. */
    async places(channel_id: string, video_ids: string[]): Promise<Map<string, Date>> {
      const rows = await sql<{ video_id: string; sort_at: Date }[]>`
        select video_id, sort_at
        from   video_entries
        where  ${mine} and channel_id = ${channel_id} and video_id = any(${video_ids})`
      return new Map(rows.map(({ video_id, sort_at }) => [video_id, sort_at]))
    },

    /**
     * Saves a batch together with the counts. `left_out`: new videos beyond the limit. `undefined`: the claim is lost, nothing was saved.
     */
    async save(
      channel_id: string,
      claim: string,
      { older, news, found, channel }: BackfillBatch,
    ): Promise<{ left_out: number; has_rule: boolean } | undefined> {
      const counting: Within = saving =>
        sql.begin(async tx => {
          const results = await saving(tx)
          const inserted = results.reduce((sum, { saved }) => sum + saved.inserted, 0)
          const is_ours = await hasAny(tx`
            update backfills
            set    found = greatest(found, ${found}), saved = saved + ${inserted}, heartbeat_at = now()
            where  ${mine} and channel_id = ${channel_id} and claim = ${claim} and ${followed(channel_id)}`)
          // Nothing is saved by a run that was cancelled, or replaced by another one.
          if (!is_ours) throw new LostClaim()
          return results
        })
      const save = (entries: EntryToSave[], source: 'listing' | 'feed') =>
        saveListed(channel_id, { entries, source, ...channel }, counting)
      try {
        const newest = news.length > 0 ? await save(news, 'feed') : undefined
        const rest = older.length > 0 || news.length === 0 ? await save(older, 'listing') : newest
        if (!rest) return undefined
        return { left_out: rest.left_out + (newest?.left_out ?? 0), has_rule: rest.has_rule }
      } catch (cause) {
        if (cause instanceof LostClaim) return undefined
        throw cause
      }
    },

    /** Puts it back into the queue. */
    handBack: (channel_id: string, claim: string, how: BackfillHandBack): Promise<boolean> =>
      sql.begin(tx => putBack(tx, { user_id, channel_id }, how, claim)),

    finish: (channel_id: string, claim: string, { state, error }: BackfillEnd): Promise<boolean> =>
      sql.begin(async tx => {
        const [finished] = await tx<{ site: string | null }[]>`
          update backfills
          set    state = ${state}, error = ${error}, finished_at = now(), claim = null
          where  ${mine} and channel_id = ${channel_id} and claim = ${claim}
          returning site`
        if (state === 'done' && finished?.site) await forgetRefusals(tx, finished.site, user_id)
        return finished !== undefined
      }),
  }
}

class LostClaim extends Error {
  override name = 'LostClaim'
}

type ChannelOf = { user_id: UserId; channel_id: string }

/** `claim`: only if this run has it; absent: the caller has locked the row. */
async function putBack(
  tx: Queryable,
  { user_id, channel_id }: ChannelOf,
  { run_at, error, slow_down = false, refund = false }: BackfillHandBack,
  claim?: string,
): Promise<boolean> {
  const [back] = await tx<{ site: string | null; round: number }[]>`
    update backfills
    set    state = 'queued', claim = null, error = ${error}, next_attempt_at = ${run_at},
           attempts = attempts - ${refund ? 1 : 0}
    where  user_id = ${user_id} and channel_id = ${channel_id} ${claim === undefined ? tx`` : tx`and claim = ${claim}`}
    returning site, round`
  if (!back) return false
  await addBackfill(tx, { user_id, channel_id, ...back }, run_at)
  if (slow_down && back.site !== null && error !== null) {
    await pauseHost(tx, back.site, { user_id, reason: error })
    await requestHostCheck(tx, back.site, { user_id })
  }
  return true
}
