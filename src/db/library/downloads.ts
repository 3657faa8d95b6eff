/** The life of one user's downloads: each step is one guarded move (`moves.ts`), with its job in the same transaction. */
import type { UserId } from '../../schema/user.ts'
import type { Video } from '../../schema/video.ts'
import type { Queryable, Sql } from '../postgres/client.ts'
import { forgetRefusals } from '../queue/host-pauses.ts'
import { addDownload, queueUp, removeDownloads } from '../queue/queue.ts'
import { earlyEndsOf } from './early-ends.ts'
import { endHolds } from './holds.ts'
import type { Library } from './library.ts'
import { movesOf } from './moves.ts'
import { requestResult } from './request-result.ts'
import type { EarliestStart, StartRequest } from './run.ts'
import { settingsOf } from './settings.ts'
import { findVideo } from './videos.ts'

export function downloadsOf(sql: Sql, user_id: UserId): Library['downloads'] {
  const mine = sql`user_id = ${user_id}`

  const { move, noteAsked, inOrder, heldBy, ended, unasked, afresh, askedBy } = movesOf(sql, user_id)

  /** Puts a download that has to wait for its turn back into the queue, as it is, and says until when. */
  const postponed = async (tx: Queryable, video_id: string, earliestStart: EarliestStart | undefined) => {
    if (!earliestStart) return undefined
    const [request] = await tx<Omit<StartRequest, 'user_id'>[]>`
      select video_host, download_restarts as restarts, ${askedBy} as by
      from   video_entries
      where  ${mine} and video_id = ${video_id}
      and    standing = 'waiting'
      order by id
      limit  1`
    const free_at = request && (await earliestStart(tx, { user_id, ...request }))
    if (free_at) await addDownload(tx, { user_id, video_id, ...request }, { run_at: free_at })
    return free_at
  }

  /** A rule that is still on asked for it. */
  const isByRule = async (tx: Queryable, video_id: string) => {
    const [row] = await tx`
      select 1
      from   video_entries entry
      join   channel_rules rule using (user_id, channel_id)
      where  entry.user_id = ${user_id} and entry.video_id = ${video_id}
      and    entry.download_by_rule and rule.on_since is not null`
    return row !== undefined
  }

  const cancelAll = (video_ids: string[]) =>
    sql.begin(async tx => {
      const cancelled = await move(
        tx,
        'cancel',
        video_ids,
        sql`${ended}, ${unasked}, download_started_at = null, download_completed_at = null, download_error = null,
            download_detail = null, download_by_rule = false, ${afresh}`,
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
          await noteAsked(tx, video_ids, by),
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

    start: (video_id, claim, earliestStart) =>
      sql.begin(async tx => {
        const free_at = await postponed(tx, video_id, earliestStart)
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
        const video: Video | undefined = started && (await findVideo(tx, user_id, video_id))
        const requested_at = started?.download_requested_at
        if (!video || !requested_at) return undefined
        const quality = await settingsOf(tx, user_id).qualityFor(video.channel_id)
        const { download_attempts, download_reason, download_failures, ...kept } = started
        return {
          attempt: download_attempts,
          by_rule: await isByRule(tx, video_id),
          failing: download_reason === null ? null : { reason: download_reason, failures: download_failures },
          turns_lost: kept.download_turns_lost,
          kept_bytes: kept.download_kept_bytes,
          video,
          quality,
        }
      }),

    async beat(video_id, claim, progress) {
      const { count } = await sql`
        update video_entries
        set    download_heartbeat_at = now(), download_progress = ${sql.json(progress)}
        where  ${mine} and ${inOrder([video_id])} and ${heldBy(claim)}`
      return count > 0
    },

    async finish(video_id, claim, { download_path, file_size, subtitles = [] }, put) {
      const finished = await sql.begin(async tx => {
        const finished = await move(
          tx,
          'finish',
          [video_id],
          sql`${ended}, ${unasked}, ${afresh}, download_by_rule = false, download_path = ${download_path}, file_size = ${file_size}, subtitles = ${subtitles}::text[],
              download_error = null, download_detail = null, download_completed_at = now()`,
          heldBy(claim),
        )
        const [{ video_host } = { video_host: null }] = finished
        if (video_host) await forgetRefusals(tx, video_host, user_id)
        if (finished.length > 0) await put()
        return finished
      })
      const [{ video_host } = { video_host: null }] = finished
      // Afterwards, because it takes other rows, and they are always taken in one order.
      if (finished.length > 0) await endHolds(sql, user_id, video_host ?? '')
      return finished.length > 0
    },

    ...earlyEndsOf(sql, user_id),

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
