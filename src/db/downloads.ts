/** The only writer of `download_status`: each move is one guarded update over every row of one user's video. */
import type { PendingQuery, Row } from 'postgres'
import { type Move, moves } from '../schema/download.ts'
import type { UserId } from '../schema/user.ts'
import type { Video } from '../schema/video.ts'
import type { Queryable, Sql } from './client.ts'
import type { Asked, Library } from './library.ts'
import { addDownload, removeDownload } from './queue.ts'
import { videosOf } from './videos.ts'

type Fragment = PendingQuery<Row[]>

export function downloadsOf(sql: Sql, user_id: UserId): Library['downloads'] {
  const mine = sql`user_id = ${user_id}`

  /** Returns the rows as they are after the move; none: the move is not legal now. */
  const move = (tx: Queryable, name: Move, video_ids: string[], changes: Fragment, guard: Fragment = sql`true`) => tx<
    { video_id: string; download_attempts: number }[]
  >`
    update video_entries
    set    download_status = ${moves[name].to.toUpperCase()}, ${changes}
    where  ${mine} and video_id = any(${video_ids})
    and    download_status in ${sql(moves[name].from.map(status => status.toUpperCase()))}
    and    ${guard}
    returning video_id, download_attempts`

  const ended = sql`download_claim = null, download_heartbeat_at = null, download_progress = null`
  const unasked = sql`download_requested_at = null, download_next_attempt_at = null`
  const heldBy = (claim: string, silent_s?: number) => sql`
    download_claim = ${claim}
    ${silent_s === undefined ? sql`` : sql`and download_heartbeat_at < now() - ${silent_s} * interval '1 second'`}`

  return {
    request: video_ids =>
      sql.begin(async tx => {
        const known = await tx<{ video_id: string; download_status: string }[]>`
          select   video_id, download_status
          from     video_entries
          where    ${mine} and video_id = any(${video_ids})
          order by video_id, id
          for update`
        const moved = await move(
          tx,
          'request',
          video_ids,
          sql`download_requested_at = now(), download_attempts = 0, download_next_attempt_at = null, download_error = null,
              download_started_at = null, download_completed_at = null`,
          sql`(download_requested_at is null or download_status = 'FAILED')`,
        )
        const queued = new Set(moved.map(({ video_id }) => video_id))
        for (const video_id of queued) await addDownload(tx, { user_id, video_id })

        const state = new Map(known.map(({ video_id, download_status }) => [video_id, download_status]))
        return new Map(video_ids.map(id => [id, asked(state.get(id), queued.has(id))]))
      }),

    async start(video_id, claim) {
      const [started] = await move(
        sql,
        'start',
        [video_id],
        sql`download_claim = ${claim}, download_heartbeat_at = now(), download_started_at = now(), download_completed_at = null,
            download_attempts = download_attempts + 1, download_next_attempt_at = null, download_error = null,
            download_progress = null`,
        sql`download_requested_at is not null`,
      )
      const video: Video | undefined = started && (await videosOf(sql, user_id).find(video_id))
      return started && video && { attempt: started.download_attempts, video }
    },

    async beat(video_id, claim, progress) {
      const { count } = await sql`
        update video_entries
        set    download_heartbeat_at = now(), download_progress = ${sql.json(progress)}
        where  ${mine} and video_id = ${video_id} and ${heldBy(claim)}`
      return count > 0
    },

    finish: (video_id, claim, { download_path, file_size }, put) =>
      sql.begin(async tx => {
        const finished = await move(
          tx,
          'finish',
          [video_id],
          sql`${ended}, ${unasked}, download_path = ${download_path}, file_size = ${file_size}, download_error = null,
              download_completed_at = now()`,
          heldBy(claim),
        )
        if (finished.length > 0) await put()
        return finished.length > 0
      }),

    fail: (video_id, claim, { download_error, next_attempt_at, refund = false, silent_s }) =>
      sql.begin(async tx => {
        const wanted = next_attempt_at ? sql`download_next_attempt_at = ${next_attempt_at}` : unasked
        const failed = await move(
          tx,
          'fail',
          [video_id],
          sql`${ended}, ${wanted}, download_error = ${download_error}, download_completed_at = now(),
              download_attempts = download_attempts - ${refund ? 1 : 0}`,
          heldBy(claim, silent_s),
        )
        if (failed.length > 0 && next_attempt_at) await addDownload(tx, { user_id, video_id }, next_attempt_at)
        return failed.length > 0
      }),

    handBack: (video_id, claim, { refund = false, silent_s, meanwhile = async () => {} } = {}) =>
      sql.begin(async tx => {
        const back = await move(
          tx,
          'hand_back',
          [video_id],
          sql`${ended}, download_started_at = null, download_attempts = download_attempts - ${refund ? 1 : 0}`,
          heldBy(claim, silent_s),
        )
        if (back.length === 0) return false
        await meanwhile()
        await addDownload(tx, { user_id, video_id })
        return true
      }),

    cancel: video_id =>
      sql.begin(async tx => {
        const cancelled = await move(
          tx,
          'cancel',
          [video_id],
          sql`${ended}, ${unasked}, download_started_at = null, download_completed_at = null, download_error = null`,
          sql`(download_requested_at is not null or download_status = 'FAILED')`,
        )
        if (cancelled.length > 0) await removeDownload(tx, { user_id, video_id })
        return cancelled.length > 0
      }),

    loseFile: (video_id, remove = async () => {}) =>
      sql.begin(async tx => {
        const [file] = await tx<{ download_path: string }[]>`
          select download_path
          from   video_entries
          where  ${mine} and video_id = ${video_id} and download_status = 'COMPLETED'
          order by video_id, id
          limit  1
          for update`
        if (!file) return false
        await move(
          tx,
          'lose_file',
          [video_id],
          sql`download_path = null, file_size = null, download_started_at = null, download_completed_at = null,
              download_attempts = 0`,
        )
        await remove(file.download_path)
        return true
      }),
  }
}

const asked = (status: string | undefined, queued: boolean): Asked =>
  queued
    ? 'queued'
    : status === undefined
      ? 'not_found'
      : status === 'COMPLETED'
        ? 'already_completed'
        : 'already_queued'
