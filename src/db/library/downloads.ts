/** Requests and cancels downloads of one user, and deletes their files. Each is a guarded move, in one transaction with its job. */
import type { UserId } from '../../schema/user.ts'
import type { Sql } from '../postgres/client.ts'
import { queueUp, type Requester, removeDownloads } from '../queue/queue.ts'
import { movesOf } from './moves.ts'
import { type Reopened, reopenedOf } from './reopened.ts'
import { type RequestResult, requestResult } from './request-result.ts'
import { type RunEnds, runEndsOf } from './run-ends.ts'
import { type Runs, runsOf } from './runs.ts'

/** Each is one guarded move of `schema/download.ts`; `false` or `undefined`: the move is not legal now. */
export interface Downloads extends Runs, RunEnds, Reopened {
  request(video_ids: string[], by?: Requester): Promise<Map<string, RequestResult>>
  cancel(video_id: string): Promise<boolean>
  /** Returns the videos that could be cancelled. */
  cancelAll(video_ids: string[]): Promise<string[]>
  /**
   * `remove` deletes the file, if it is still there, while the row is locked. `only_kept_by_rule`: unless a person requested
   * or pinned it.
   */
  loseFile(
    video_id: string,
    remove?: (download_path: string) => Promise<unknown>,
    only?: { only_kept_by_rule: boolean },
  ): Promise<boolean>
}

export function downloadsOf(sql: Sql, user_id: UserId): Downloads {
  const mine = sql`user_id = ${user_id}`

  const { move, recordRequester, noRun, noRequest, noFailures } = movesOf(sql, user_id)

  const cancelAll = (video_ids: string[]) =>
    sql.begin(async tx => {
      const cancelled = await move(
        tx,
        'cancel',
        video_ids,
        sql`${noRun}, ${noRequest}, download_started_at = null, download_completed_at = null, download_error = null,
            download_detail = null, download_by_rule = false, ${noFailures}`,
        sql`standing is not null`,
      )
      const gone = [...new Set(cancelled.map(({ video_id }) => video_id))]
      await removeDownloads(tx, user_id, gone)
      return gone
    })

  return {
    request: (video_ids, by = 'person') =>
      sql.begin(async tx => {
        const known = await tx<{ video_id: string; video_host: string | null; download_status: string }[]>`
          select   video_id, video_host, download_status
          from     video_entries
          where    ${mine} and video_id = any(${video_ids})
          order by video_id, id
          for update`
        const moved = await move(
          tx,
          'request',
          await recordRequester(tx, video_ids, by),
          sql`download_requested_at = now(), download_attempts = 0, download_next_attempt_at = null, download_error = null,
              download_detail = null, download_started_at = null, download_completed_at = null`,
          sql`(standing is null or download_status = 'FAILED')`,
        )
        const queued = new Set(moved.map(({ video_id }) => video_id))
        const state = new Map(known.map(entry => [entry.video_id, entry]))
        const found = [...new Set(video_ids)].flatMap(id => state.get(id) ?? [])
        await queueUp(tx, user_id, found, queued, by)
        return new Map(video_ids.map(id => [id, requestResult(state.get(id)?.download_status, queued.has(id))]))
      }),

    ...runsOf(sql, user_id),
    ...runEndsOf(sql, user_id),
    ...reopenedOf(sql, user_id),

    cancel: async video_id => (await cancelAll([video_id])).length > 0,
    cancelAll,

    loseFile: (video_id, remove = async () => {}, { only_kept_by_rule } = { only_kept_by_rule: false }) =>
      sql.begin(async tx => {
        const [file] = await tx<{ download_path: string }[]>`
          select download_path
          from   video_entries
          where  ${mine} and video_id = ${video_id} and download_status = 'COMPLETED'
          ${only_kept_by_rule ? sql`and download_asked_by = 'rule' and not pinned` : sql``}
          order by video_id, id
          limit  1
          for update`
        if (!file) return false
        await move(
          tx,
          'lose_file',
          [video_id],
          sql`download_path = null, file_size = null, subtitles = '{}', download_started_at = null,
              download_completed_at = null, download_attempts = 0`,
        )
        await remove(file.download_path)
        return true
      }),
  }
}
