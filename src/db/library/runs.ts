/** A run of a download: its start and its heartbeats. How it ends is left to `run-ends.ts`. */
import type { Progress } from '../../schema/download.ts'
import type { UserId } from '../../schema/user.ts'
import type { Queryable, Sql } from '../postgres/client.ts'
import { addDownload } from '../queue/queue.ts'
import { movesOf } from './moves.ts'
import type { EarliestStart, Started, StartRequest } from './run-types.ts'
import { settingsOf } from './settings.ts'
import { findVideo } from './videos.ts'

export interface Runs {
  /**
   * Takes a waiting download; `claim` names this run from now on. Returns what is known of the download so far. If it may not
   * start yet, the download stays in the queue, unchanged, and a worker takes it again at `free_at`.
   */
  start(
    video_id: string,
    claim: string,
    earliestStart?: EarliestStart,
  ): Promise<Started | { free_at: Date } | undefined>
  /** A heartbeat, with the progress so far. `false`: the run has lost its claim and must stop. */
  beat(video_id: string, claim: string, progress: Progress): Promise<boolean>
}

export function runsOf(sql: Sql, user_id: UserId): Runs {
  const mine = sql`user_id = ${user_id}`

  const { move, inOrder, claimedBy, requester } = movesOf(sql, user_id)

  /** Puts a download that may not start yet back into the queue, unchanged. Returns when it may. */
  const postpone = async (tx: Queryable, video_id: string, earliestStart: EarliestStart | undefined) => {
    if (!earliestStart) return undefined
    const [request] = await tx<Omit<StartRequest, 'user_id'>[]>`
      select video_host, download_restarts as restarts, ${requester} as by
      from   video_entries
      where  ${mine} and video_id = ${video_id} and standing = 'waiting'
      order by id
      limit  1`
    const free_at = request && (await earliestStart(tx, { user_id, ...request }))
    if (free_at) await addDownload(tx, { user_id, video_id, ...request }, { run_at: free_at })
    return free_at
  }

  /** Whether a rule that is still on requested it. */
  const isByRule = async (tx: Queryable, video_id: string) => {
    const [row] = await tx`
      select 1
      from   video_entries entry
      join   channel_rules rule using (user_id, channel_id)
      where  entry.user_id = ${user_id} and entry.video_id = ${video_id}
      and    entry.download_by_rule and rule.on_since is not null`
    return row !== undefined
  }

  return {
    start: (video_id, claim, earliestStart) =>
      sql.begin(async tx => {
        const free_at = await postpone(tx, video_id, earliestStart)
        if (free_at) return { free_at }
        const [started] = await move(
          tx,
          'start',
          [video_id],
          sql`download_claim = ${claim}, download_heartbeat_at = now(), download_started_at = now(), download_completed_at = null,
              download_attempts = download_attempts + 1, download_next_attempt_at = null, download_error = null,
              download_detail = null, download_progress = null`,
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
          yields: started.download_turns_lost,
          kept_bytes: started.download_kept_bytes,
          video,
          quality: await settingsOf(tx, user_id).qualityFor(video.channel_id),
        }
      }),

    async beat(video_id, claim, progress) {
      const { count } = await sql`
        update video_entries
        set    download_heartbeat_at = now(), download_progress = ${sql.json(progress)}
        where  ${mine} and ${inOrder([video_id])} and ${claimedBy(claim)}`
      return count > 0
    },
  }
}
