/** One user's backfills: the older videos of a channel are loaded by a job. What its run writes is in `backfill-runs.ts`. */
import type { ShownBackfill } from '../../schema/channels/backfill.ts'
import type { UserId } from '../../schema/values/user.ts'
import { hasBroken, type Sql } from '../postgres/client.ts'
import { addBackfill, removeBackfill } from '../queue/backfill-queue.ts'
import { isFollowed } from '../rows/channel-columns.ts'
import { type BackfillRuns, backfillRunsOf } from './backfill-runs.ts'
import type { LibraryLimits } from './channel-feeds.ts'

export interface Backfills extends BackfillRuns {
  /** `undefined`: there is no such channel. */
  find(channel_id: string): Promise<ShownBackfill | undefined>
  /**
   * Queues a job, unless one is unfinished. What an incomplete or cancelled one counted is kept. `site`: the host of the list.
   * `undefined`: the channel is not followed.
   */
  begin(channel_id: string, site: string | null): Promise<ShownBackfill | undefined>
  /** Ends an unfinished one. `false`: there is none. */
  cancel(channel_id: string): Promise<boolean>
}

export function backfillsOf(sql: Sql, user_id: UserId, limits: LibraryLimits): Backfills {
  const mine = sql`user_id = ${user_id}`

  const find = async (channel_id: string) => {
    const [found] = await sql<ShownBackfill[]>`
      select coalesce(state, 'never') as state,
             coalesce(found, 0)       as found,
             coalesce(saved, 0)       as saved,
             started_at, finished_at, error, backfill.next_attempt_at
      from   channels
      left join backfills backfill using (user_id, channel_id)
      where  ${mine} and channel_id = ${channel_id}`
    return found
  }

  return {
    ...backfillRunsOf(sql, user_id, limits),

    find,

    async begin(channel_id, site) {
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

    cancel: channel_id =>
      sql.begin(async tx => {
        const { count } = await tx`
          update backfills
          set    state = 'cancelled', claim = null, finished_at = now(), error = null, next_attempt_at = null
          where  ${mine} and channel_id = ${channel_id} and state in ('queued', 'running')`
        if (count > 0) await removeBackfill(tx, { user_id, channel_id })
        return count > 0
      }),
  }
}

/** When the channel is unfollowed at the same moment, the foreign key fails. */
function unlessUnfollowed(fault: unknown): void {
  const is_gone = hasBroken(fault, 'backfills_channel_fkey')
  if (!is_gone) throw fault
}

/** A priority is a `smallint`. */
const last_round = 32_000
