/** Requests and cancels downloads of one user, and deletes their files. Each is a guarded move, in one transaction with its job. */
import type { ProbeResult } from '../../schema/downloads/download-api.ts'
import type { FileFacts } from '../../schema/sources/facts.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Queryable, Sql } from '../postgres/client.ts'
import { beginProbe } from '../queue/host-checks.ts'
import { isPaused } from '../queue/paused.ts'
import { moveFirst } from '../queue/places.ts'
import { addDownload, downloadKey, type Requester, removeDownloads } from '../queue/queue.ts'
import { binFiles, type Deletion } from '../rows/bin-rows.ts'
import type { RequestResult } from '../rows/request-result.ts'
import { type CompletedWithFile, completeWithFile, type FileInHand } from './completed-with-file.ts'
import { storeFileFacts } from './found-facts.ts'
import { movesOf } from './moves.ts'
import { pausesOf } from './pauses.ts'
import { reopenedOf } from './reopened.ts'
import { requestIn } from './requests.ts'
import { isPlayedLately } from './retention.ts'
import { runEndsOf } from './run-ends.ts'
import { runsOf } from './runs.ts'

type Only = { only_kept_by_rule: boolean; only_watched?: boolean; not_pinned?: boolean }

/** Each is one guarded move of `schema/downloads/download.ts`; `false` or `undefined`: the move is not legal now. */
export function downloadsOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`

  const { move, noRun, noFile, noRequest, noFailures } = movesOf(sql, user_id)

  const cancelAll = (video_ids: string[], { guard = sql`standing is not null`, at = new Date() } = {}) =>
    sql.begin(async tx => {
      const cancelled = await move(
        tx,
        'cancel',
        video_ids,
        sql`${noRun}, ${noFile}, ${noRequest}, address_hash = null, download_started_at = null, download_completed_at = null,
            download_error = null, download_detail = null, download_by_rule = false, download_cancelled_at = ${at}, ${noFailures}`,
        guard,
      )
      const gone = [...new Set(cancelled.map(({ video_id }) => video_id))]
      await removeDownloads(tx, user_id, gone)
      return gone
    })

  /** Resets the columns of a completed file, and calls `lost` while the row is locked. */
  const lose = (
    video_id: string,
    only: Only,
    lost: (tx: Queryable, download_path: string, reset: () => Promise<unknown>) => Promise<boolean>,
  ) =>
    sql.begin(async tx => {
      const [file] = await tx<{ download_path: string }[]>`
        select download_path
        from   video_entries
        where  ${mine} and video_id = ${video_id} and download_status = 'COMPLETED'
        ${only.only_kept_by_rule ? sql`and download_asked_by = 'rule' and not pinned` : sql``}
        ${only.not_pinned ? sql`and not pinned` : sql``}
        order by video_id, id
        limit  1
        for update`
      if (!file) return false
      // A note of a viewing locks that row as well, so this sees all of them.
      if (only.only_watched || only.only_kept_by_rule) {
        const [viewing] = await tx<{ is_lately: boolean; is_watched: boolean }[]>`
          select ${isPlayedLately(tx)} as is_lately, (seen_at < now() - interval '1 day') is true as is_watched
          from   viewings
          where  ${mine} and video_id = ${video_id}`
        if (viewing?.is_lately || (only.only_watched && !viewing?.is_watched)) return false
      }
      return lost(tx, file.download_path, () =>
        move(
          tx,
          'lose_file',
          [video_id],
          sql`${noFile}, address_hash = null, download_path = null, file_size = null, subtitles = '{}', download_started_at = null,
              download_completed_at = null, download_attempts = 0`,
        ),
      )
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
    ...probesOf(sql, user_id),

    /** Completes the download with a file that a person had already. No worker sees it in between. */
    completeWithFile: (video_id: string, file: FileInHand): Promise<CompletedWithFile> =>
      sql.begin(tx => completeWithFile(tx, user_id, video_id, file)),

    /** Stores what the file at this path says, where the site said nothing. Does nothing if the person has it no more. */
    noteFile: (video_id: string, download_path: string, in_file: FileFacts): Promise<void> =>
      storeFileFacts(sql, user_id, video_id, download_path, in_file),

    cancel: async (video_id: string): Promise<boolean> => (await cancelAll([video_id])).length > 0,
    /** Returns the videos that could be cancelled. `cancelled_at`: the same for all of them, for `requestAgain`. */
    cancelAll: (video_ids: string[], at: Date = new Date()): Promise<string[]> => cancelAll(video_ids, { at }),

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
        // A rule requests only what was not requested before.
        await tx`update video_entries set download_asked_by = null where ${mine} and video_id = any(${idsOf(true)})`
        return new Map([
          ...(await requestIn(tx, user_id, idsOf(false), 'person')),
          ...(await requestIn(tx, user_id, idsOf(true), 'rule')),
        ])
      }),

    /** Cancels the downloads of one request that no run has started. Returns the videos. */
    async cancelRequest(requested_at: Date): Promise<string[]> {
      const not_started = sql`
        standing = 'waiting' and download_status = 'PENDING' and download_attempts = 0
        and download_requested_at = ${requested_at}`
      const rows = await sql<{ video_id: string }[]>`
        select distinct video_id from video_entries where ${mine} and ${not_started}`
      return cancelAll(
        rows.map(({ video_id }) => video_id),
        { guard: not_started },
      )
    },

    /**
     * `remove` deletes the file, if it is still there, while the row is locked. `only_kept_by_rule`: unless a person requested
     * or pinned it, or played it within the last day. `not_pinned`: unless it is pinned. `only_watched`: unless it is unwatched now, or was played within the last day.
     */
    loseFile: (
      video_id: string,
      remove: (download_path: string) => Promise<unknown> = async () => {},
      only: Only = any_file,
    ): Promise<boolean> =>
      lose(video_id, only, async (_, download_path, reset) => {
        await reset()
        await remove(download_path)
        return true
      }),

    /** The same, but `discard` moves the file into the bin. */
    discardFile: (
      video_id: string,
      discard: (download_path: string) => Promise<unknown>,
      deletion: Deletion = {},
      only: Only = any_file,
    ): Promise<boolean> =>
      lose(video_id, only, async (tx, download_path, reset) => {
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
      lose(video_id, any_file, async (_, download_path, reset) => {
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

const any_file: Only = { only_kept_by_rule: false }

// Tries a site before its pause ends, with one download of one user. What a probe may do is in `queue/host-checks.ts`.

const probesOf = (sql: Sql, user_id: UserId) => ({
  tryHost: (host: string): Promise<ProbeResult> =>
    sql.begin(async tx => {
      // As the end of a run does, this locks the video before the probe.
      const [next] = await tx<{ video_id: string }[]>`
        select    video_id
        from      video_entries entry
        left join graphile_worker.jobs job on job.key = ${downloadKey({ user_id, video_id: '' })} || entry.video_id
        where     entry.user_id = ${user_id} and video_host = ${host} and standing = 'waiting' and not ${isPaused(tx)}
        order by  job.priority, job.run_at, job.id, entry.id
        limit     1
        for update of entry`
      if (!next) return 'nothing_waits'
      if (await isTrying(tx, user_id, host)) return 'trying'
      const job = { user_id, video_id: next.video_id }
      if (!(await beginProbe(tx, host, job))) return 'just_tried'
      // A retry that would wait, and a download of a rule, join what the person requested.
      await requestIn(tx, user_id, [job.video_id], 'person')
      await addDownload(tx, { ...job, video_host: host, by: 'person' })
      await moveFirst(tx, job)
      return 'trying'
    }),
})

/** Whether the probe of this person runs. Another one would take its place. */
async function isTrying(tx: Queryable, user_id: UserId, host: string): Promise<boolean> {
  const rows = await tx`
    select
    from   host_probes probe
    join   video_entries entry using (user_id, video_id)
    where  entry.user_id = ${user_id} and probe.host = ${host} and entry.standing = 'running'`
  return rows.length > 0
}
