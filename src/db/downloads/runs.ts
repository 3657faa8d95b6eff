/** A run of a download: its start and its heartbeats. How it ends is left to `run-ends.ts`. */
import type { Progress } from '../../schema/downloads/download.ts'
import type { Quality } from '../../schema/downloads/quality.ts'
import type { UserId } from '../../schema/values/user.ts'
import { eachValue, firstRow, firstValue, hasAny, type Queryable, type Sql } from '../postgres/client.ts'
import { addShareEnded } from '../queue/jobs.ts'
import { isPaused } from '../queue/paused.ts'
import { queueAgain, requesterOf } from '../queue/queue.ts'
import { findVideo } from '../rows/video-columns.ts'
import { movesOf } from './moves.ts'
import type { EarliestStart, FetchInfo, RunStart, StartRequest } from './run-types.ts'

type WaitingDownload = Pick<StartRequest, 'video_host' | 'by'> & {
  video_url: string
  channel_id: string
  wanted_quality: Quality | null
}

export function runsOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`

  const { move, inOrder, claimedBy } = movesOf(sql, user_id)

  /** Locks the rows of a waiting download until the transaction ends, so that its address stays the one that is judged. */
  const lockWaiting = (tx: Queryable, video_id: string) =>
    firstRow(tx<WaitingDownload[]>`
      select video_url, channel_id, wanted_quality, video_host, ${requesterOf(tx)} as by
      from   video_entries entry
      where  ${mine} and video_id = ${video_id} and standing = 'waiting' and not ${isPaused(tx)}
      order by video_id, id
      for update`)

  /** Whether a rule that is still on requested it. */
  const isByRule = (tx: Queryable, video_id: string) =>
    hasAny(tx`
      select 1
      from   video_entries entry
      join   channel_rules rule using (user_id, channel_id)
      where  entry.user_id = ${user_id} and entry.video_id = ${video_id}
      and    entry.download_by_rule and rule.on_since is not null`)

  return {
    /**
     * Takes a waiting download; `claim` names this run from now on. Returns what is known of the download so far. If it may not
     * start yet, the download stays in the queue, unchanged, and a worker takes it again at `free_at`.
     */
    start: (
      video_id: string,
      claim: string,
      earliestStart: EarliestStart = async () => undefined,
      { hashOf = () => null, copied = false }: FetchInfo = {},
    ): Promise<RunStart | { free_at: Date } | undefined> =>
      sql.begin(async tx => {
        const waiting = await lockWaiting(tx, video_id)
        if (!waiting) return undefined
        const { video_url, channel_id, wanted_quality, ...request } = waiting
        const fetched = {
          quality: wanted_quality ?? (await qualityOf(tx, user_id, channel_id)),
          address_hash: hashOf(video_url),
        }
        const postponed = await earliestStart(tx, { user_id, video_id, ...request, ...fetched })
        if (postponed) {
          await queueAgain(tx, { user_id, video_id, ...request }, { run_at: postponed.free_at })
          return postponed
        }
        const [started] = await move(
          tx,
          'start',
          [video_id],
          sql`download_claim = ${claim}, download_heartbeat_at = now(), download_started_at = now(), download_completed_at = null,
              download_attempts = download_attempts + 1, download_next_attempt_at = null, download_error = null,
              download_detail = null, download_progress = null, download_quality = ${fetched.quality},
              address_hash = ${fetched.address_hash}, words_hash = null, site_facts = null, download_copied = ${copied}`,
          sql`standing = 'waiting'`,
        )
        if (!started) return undefined
        const [video, by_rule] = await Promise.all([findVideo(tx, user_id, video_id), isByRule(tx, video_id)])
        if (!video) return undefined
        const { download_reason: reason, download_failures: failures } = started
        return {
          attempt: started.download_attempts,
          by_rule,
          failing: reason === null ? null : { reason, failures },
          kept_bytes: started.download_kept_bytes,
          video: { ...video, video_url },
          ...fetched,
        }
      }),

    /**
     * What the run fetches is for its person alone: no other download finds the run or its file any more, and those that wait for it go on.
     * `false`: the run has lost its claim.
     */
    keepPrivate: (video_id: string, claim: string): Promise<boolean> =>
      sql.begin(async tx => {
        const address_hash = await firstValue<string | null>(tx`
          select   address_hash
          from     video_entries
          where    ${mine} and video_id = ${video_id} and ${claimedBy(claim)}
          order by video_id, id
          for update`)
        if (address_hash === undefined) return false
        await tx`
          update video_entries
          set    address_hash = null
          where  ${mine} and ${inOrder([video_id])} and ${claimedBy(claim)}`
        if (address_hash !== null) await addShareEnded(tx, address_hash)
        return true
      }),

    /** In which quality a download runs, or would run. */
    async qualityNow(video_id: string): Promise<Quality> {
      const quality = await firstValue<Quality>(sql`
        select   coalesce(case when entry.standing = 'running' then entry.download_quality end, entry.wanted_quality,
                          channel.quality, owner.quality) as quality
        from     video_entries entry
        join     channels channel using (user_id, channel_id)
        join     users owner on owner.id = entry.user_id
        where    entry.user_id = ${user_id} and entry.video_id = ${video_id}
        order by entry.id
        limit    1`)
      return quality ?? 'best'
    },

    /**
     * A heartbeat, with the progress so far. `false`: the run has lost its claim and must stop. `'paused'`: it must stop and hand its
     * download back.
     */
    async beat(video_id: string, claim: string, progress: Progress): Promise<boolean | 'paused'> {
      const are_paused = await eachValue<boolean>(sql`
        update video_entries entry
        set    download_heartbeat_at = now(), download_progress = ${sql.json(progress)}
        where  ${mine} and ${inOrder([video_id])} and ${claimedBy(claim)}
        returning ${isPaused(sql)} as is_paused`)
      return are_paused.includes(true) ? 'paused' : are_paused.length > 0
    },
  }
}

/** A channel has the quality of the settings unless its person chose another one for it. */
async function qualityOf(sql: Queryable, user_id: UserId, channel_id: string): Promise<Quality> {
  const quality = await firstValue<Quality>(sql`
    select    coalesce(channel.quality, owner.quality) as quality
    from      users owner
    left join channels channel on channel.user_id = owner.id and channel.channel_id = ${channel_id}
    where     owner.id = ${user_id}`)
  return quality ?? 'best'
}
