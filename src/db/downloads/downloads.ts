/** Requests and cancels downloads of one person, and deletes their files. Each is a guarded move, in one transaction with its job. */
import { currentTime } from '../../runtime/clock.ts'
import type { Quality } from '../../schema/downloads/quality.ts'
import type { FileFacts } from '../../schema/sources/facts.ts'
import type { UserId } from '../../schema/values/user.ts'
import { eachValue, type Queryable, type Sql } from '../postgres/client.ts'
import { type Requester, removeDownloads } from '../queue/queue.ts'
import { binFiles, type Deletion } from '../rows/bin-rows.ts'
import { type CompletedWithFile, completeWithFile, type FileInHand } from './completed-with-file.ts'
import { movesOf } from './moves.ts'
import { pausesOf } from './pauses.ts'
import { type RequestResult, reopenedOf, requestAgainIn, requestIn } from './requests.ts'
import { isPlayedLately } from './retention.ts'
import { runEndsOf, storeFileFacts } from './run-ends.ts'
import { runsOf } from './runs.ts'

/** A file is deleted only if it fits; an absent field excludes none. */
type DeletionGuard = {
  /** No person requested or pinned the file, or played it within the last day. */
  only_kept_by_rule?: boolean
  /** The video is watched, and was neither marked nor played within the last day. */
  only_watched?: boolean
  not_pinned?: boolean
  /** It was downloaded in another quality. */
  other_than_quality?: Quality
}

/** Each is one guarded move of `schema/downloads/download.ts`; `false` or `undefined`: the move is not legal now. */
export function downloadsOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`

  const { move, inOrder, noRun, noFile, noRequest, noFailures } = movesOf(sql, user_id)

  const cancelAll = (video_ids: string[], { guard = sql`standing is not null`, cancelled_at = currentTime() } = {}) =>
    sql.begin(async tx => {
      const cancelled = await move(
        tx,
        'cancel',
        video_ids,
        sql`${noRun}, ${noFile}, ${noRequest}, address_hash = null, download_started_at = null, download_completed_at = null,
            download_error = null, download_detail = null, download_by_rule = false, download_cancelled_at = ${cancelled_at}, wanted_quality = null, ${noFailures}`,
        guard,
      )
      const gone = [...new Set(cancelled.map(({ video_id }) => video_id))]
      await removeDownloads(tx, user_id, gone)
      return gone
    })

  return {
    /** `requested_at`: names this request for `cancelRequest`; absent: the time of the database. */
    request: (
      video_ids: string[],
      by: Requester = 'person',
      requested_at?: Date,
    ): Promise<Map<string, RequestResult>> => sql.begin(tx => requestIn(tx, user_id, video_ids, by, requested_at)),

    ...runsOf(sql, user_id),
    ...runEndsOf(sql, user_id),
    ...reopenedOf(sql, user_id),
    ...pausesOf(sql, user_id),
    ...completedFilesOf(sql, user_id),

    /** Completes the download with a file that a person had already. No worker sees it in between. */
    completeWithFile: (video_id: string, file: FileInHand): Promise<CompletedWithFile> =>
      sql.begin(tx => completeWithFile(tx, user_id, video_id, file)),

    /** A download that is neither running nor complete will be of this quality. */
    want: async (video_id: string, quality: Quality): Promise<void> => {
      await sql`
        update video_entries
        set    wanted_quality = ${quality}
        where  ${mine} and ${inOrder([video_id])} and download_status in ('PENDING', 'FAILED')`
    },

    /** Stores what the file at this path says, where the site said nothing. Does nothing if the person has it no more. */
    storeFacts: (video_id: string, download_path: string, in_file: FileFacts): Promise<void> =>
      storeFileFacts(sql, user_id, video_id, download_path, in_file),

    cancel: async (video_id: string): Promise<boolean> => (await cancelAll([video_id])).length > 0,
    /** Returns the videos that could be cancelled. `cancelled_at`: stored for all of them, for `requestAgain`. */
    cancelAll: (video_ids: string[], cancelled_at = currentTime()): Promise<string[]> =>
      cancelAll(video_ids, { cancelled_at }),

    /** Requests the videos that were cancelled at that time and not requested since, each for the one who had requested it. */
    requestAgain: (cancelled_at: Date): Promise<Map<string, RequestResult>> =>
      sql.begin(async tx => {
        const cancelled = await tx<{ video_id: string; is_by_rule: boolean }[]>`
          select   video_id, download_asked_by is not distinct from 'rule' as is_by_rule
          from     video_entries
          where    ${mine} and download_cancelled_at = ${cancelled_at} and standing is null
          order by video_id, id
          for update`
        const idsOf = (by_rule: boolean) =>
          cancelled.flatMap(({ video_id, is_by_rule }) => (is_by_rule === by_rule ? [video_id] : []))
        return new Map([
          ...(await requestAgainIn(tx, user_id, idsOf(false), 'person')),
          ...(await requestAgainIn(tx, user_id, idsOf(true), 'rule')),
        ])
      }),

    /** Cancels the downloads of one request that no run has started. Returns the videos. */
    async cancelRequest(requested_at: Date): Promise<string[]> {
      const not_started = sql`
        standing = 'waiting' and download_status = 'PENDING' and download_attempts = 0
        and download_requested_at = ${requested_at}`
      const video_ids = await eachValue<string>(sql`
        select distinct video_id from video_entries where ${mine} and ${not_started}`)
      return cancelAll(video_ids, { guard: not_started })
    },
  }
}

/** Deletes and finds the files of completed downloads, while their rows are locked. */
function completedFilesOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`

  const { move, noFile } = movesOf(sql, user_id)

  /** Calls `work` while the row of a completed file is locked. `reset` makes the move `lose_file`. `false`: there is no such file. */
  const whileLocked = (
    video_id: string,
    guard: DeletionGuard,
    work: (tx: Queryable, download_path: string, reset: () => Promise<unknown>) => Promise<boolean>,
  ) =>
    sql.begin(async tx => {
      const [file] = await tx<{ download_path: string }[]>`
        select download_path
        from   video_entries
        where  ${mine} and video_id = ${video_id} and download_status = 'COMPLETED'
        ${guard.only_kept_by_rule ? sql`and download_asked_by = 'rule' and not pinned` : sql``}
        ${guard.not_pinned ? sql`and not pinned` : sql``}
        ${guard.other_than_quality ? sql`and download_quality is distinct from ${guard.other_than_quality}` : sql``}
        order by video_id, id
        limit  1
        for update`
      if (!file) return false
      // A change of a viewing locks that row as well, so this sees all of them.
      if (guard.only_watched || guard.only_kept_by_rule) {
        const [viewing] = await tx<{ is_lately: boolean; is_watched: boolean }[]>`
          select ${isPlayedLately(tx)} as is_lately, (seen_at < now() - interval '1 day') is true as is_watched
          from   viewings
          where  ${mine} and video_id = ${video_id}`
        if (viewing?.is_lately || (guard.only_watched && !viewing?.is_watched)) return false
      }
      return work(tx, file.download_path, () =>
        move(
          tx,
          'lose_file',
          [video_id],
          sql`${noFile}, address_hash = null, download_path = null, file_size = null, subtitles = '{}', download_started_at = null,
              download_completed_at = null, download_attempts = 0, file_streams = null, wanted_quality = null`,
        ),
      )
    })

  return {
    /** `remove` deletes the file, if it is still there, while the row is locked. */
    deleteFile: (
      video_id: string,
      remove: (download_path: string) => Promise<unknown> = async () => {},
      guard: DeletionGuard = {},
    ): Promise<boolean> =>
      whileLocked(video_id, guard, async (_, download_path, reset) => {
        await reset()
        await remove(download_path)
        return true
      }),

    /** `discard` moves the file into the bin while the row is locked. */
    discardFile: (
      video_id: string,
      discard: (download_path: string) => Promise<unknown>,
      deletion: Deletion = {},
      guard: DeletionGuard = {},
    ): Promise<boolean> =>
      whileLocked(video_id, guard, async (tx, download_path, reset) => {
        await binFiles(tx, user_id, tx`entry.video_id = ${video_id}`, deletion)
        await reset()
        await discard(download_path)
        return true
      }),

    /**
     * Looks in the bin for the file of a completed download that is missing at its place, because a process ended between its move and the
     * commit. `recover`: brings it back, and says whether it was there; otherwise the download is no longer complete.
     */
    findFile: (video_id: string, recover: (download_path: string) => Promise<boolean>): Promise<boolean> =>
      whileLocked(video_id, {}, async (_, download_path, reset) => {
        if (await recover(download_path)) return true
        await reset()
        return false
      }),

    /** Calls `recover` with the files of those downloads that are complete, while their rows are locked. Returns its answer. */
    whileCompleted: (
      video_ids: string[],
      recover: (...download_paths: string[]) => Promise<boolean>,
    ): Promise<boolean> =>
      sql.begin(async tx => {
        const rows = await tx<{ download_path: string }[]>`
          select   download_path
          from     video_entries
          where    ${mine} and video_id = any(${video_ids}) and download_status = 'COMPLETED'
          order by video_id, id
          for update`
        return recover(...new Set(rows.map(({ download_path }) => download_path)))
      }),
  }
}
