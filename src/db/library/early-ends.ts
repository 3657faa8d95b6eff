/** The ends of a run without a file: it fails, or is handed back to the queue. */
import type { UserId } from '../../schema/user.ts'
import type { Queryable, Sql } from '../postgres/client.ts'
import { askForLook } from '../queue/host-looks.ts'
import { pauseHost } from '../queue/host-pauses.ts'
import { addDownload } from '../queue/queue.ts'
import { noteRuleFailure } from './holds.ts'
import { movesOf } from './moves.ts'
import type { Failed, HandBack } from './run-types.ts'

export interface EarlyEnds {
  fail(video_id: string, claim: string, failed: Failed): Promise<boolean>
  /** Puts the download back into the queue. */
  handBack(video_id: string, claim: string, how?: HandBack): Promise<boolean>
}

export function earlyEndsOf(sql: Sql, user_id: UserId): EarlyEnds {
  const { move, claimedBy, noRun, noRequest, turnLost } = movesOf(sql, user_id)

  return {
    fail: (
      video_id,
      claim,
      {
        download_error,
        download_detail = null,
        next_attempt_at,
        reason = null,
        failures = 0,
        begins_anew = false,
        by_rule = false,
        holds,
        slow_down = false,
        refund = false,
        silent_s,
      },
    ) =>
      sql.begin(async tx => {
        const wanted = next_attempt_at ? sql`download_next_attempt_at = ${next_attempt_at}` : noRequest
        const failed = await move(
          tx,
          'fail',
          [video_id],
          sql`${noRun}, ${wanted}, download_error = ${download_error}, download_detail = ${download_detail}, download_completed_at = now(),
              download_attempts = ${begins_anew ? 0 : sql`download_attempts - ${refund ? 1 : 0}`},
              download_reason = ${reason}, download_failures = least(${failures}::int, 30000),
              download_by_rule = download_by_rule and ${next_attempt_at !== null}`,
          claimedBy(claim, silent_s),
        )
        const [{ video_host } = { video_host: null }] = failed
        if (failed.length > 0 && next_attempt_at)
          await addDownload(
            tx,
            { user_id, video_id, video_host, by: by_rule ? 'rule' : 'person' },
            { run_at: next_attempt_at, place: begins_anew ? 'last' : 'same' },
          )
        if (failed.length > 0 && by_rule) await noteRuleFailure(tx, user_id, video_host ?? '', { holds, reason })
        if (video_host && slow_down) {
          await pauseHost(tx, video_host, { user_id, reason: download_error })
          await askForLook(tx, video_host, { user_id })
        }
        return failed.length > 0
      }),

    handBack: (video_id, claim, { refund = false, silent_s, meanwhile = async () => {}, yielded } = {}) =>
      sql.begin(async tx => {
        const back = await move(
          tx,
          'hand_back',
          [video_id],
          sql`${noRun}, download_started_at = null, download_attempts = download_attempts - ${refund ? 1 : 0}
              ${yielded ? sql`, ${turnLost(yielded)}` : sql``}`,
          claimedBy(claim, silent_s),
        )
        const [again] = back
        if (!again) return false
        await meanwhile()
        const { video_host, download_by_rule, download_asked_by } = again
        const by = download_by_rule && download_asked_by === 'rule' ? 'rule' : 'person'
        const run_at = yielded ? new Date(Date.now() + yielded.pause_s * 1000) : null
        await addDownload(
          tx,
          { user_id, video_id, video_host, by },
          { run_at: yielded?.pause_s ? run_at : null, place: yielded ? 'behind_others' : 'same' },
        )
        if (yielded) await noteTurnGiven(tx, user_id)
        return true
      }),
  }
}

/** Records that this person gave up a slot: for a moment, the downloads of others start first. */
const noteTurnGiven = (tx: Queryable, user_id: UserId) => tx`
  insert into turns_given (user_id, given_at) values (${user_id}, now())
  on conflict (user_id) do update set given_at = excluded.given_at`
