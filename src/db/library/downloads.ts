/** Requests and cancels downloads of one user, and deletes their files. Each is a guarded move, in one transaction with its job. */
import type { UserId } from '../../schema/user.ts'
import type { Sql } from '../postgres/client.ts'
import { type Requester, removeDownloads } from '../queue/queue.ts'
import { movesOf } from './moves.ts'
import { type Reopened, reopenedOf } from './reopened.ts'
import type { RequestResult } from './request-result.ts'
import { requestIn } from './requests.ts'
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
   * or pinned it. `only_watched`: unless it is unwatched now, or was played within the last day.
   */
  loseFile(
    video_id: string,
    remove?: (download_path: string) => Promise<unknown>,
    only?: { only_kept_by_rule: boolean; only_watched?: boolean },
  ): Promise<boolean>
}

export function downloadsOf(sql: Sql, user_id: UserId): Downloads {
  const mine = sql`user_id = ${user_id}`

  const { move, noRun, noRequest, noFailures } = movesOf(sql, user_id)

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
    request: (video_ids, by = 'person') => sql.begin(tx => requestIn(tx, user_id, video_ids, by)),

    ...runsOf(sql, user_id),
    ...runEndsOf(sql, user_id),
    ...reopenedOf(sql, user_id),

    cancel: async video_id => (await cancelAll([video_id])).length > 0,
    cancelAll,

    loseFile: (video_id, remove = async () => {}, only = { only_kept_by_rule: false }) =>
      sql.begin(async tx => {
        const [file] = await tx<{ download_path: string }[]>`
          select download_path
          from   video_entries
          where  ${mine} and video_id = ${video_id} and download_status = 'COMPLETED'
          ${only.only_kept_by_rule ? sql`and download_asked_by = 'rule' and not pinned` : sql``}
          order by video_id, id
          limit  1
          for update`
        if (!file) return false
        // A note of a viewing locks that row as well, so this sees all of them.
        if (only.only_watched) {
          const [watched] = await tx`
            select from viewings
            where  ${mine} and video_id = ${video_id}
            and    seen_at is not null and greatest(seen_at, watched_at) < now() - interval '1 day'`
          if (!watched) return false
        }
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
