/** The ends of a run: it finishes with a file, fails, or hands its download back to the queue. */
import type { Availability } from '../../schema/facts.ts'
import type { UserId } from '../../schema/user.ts'
import type { Queryable, Sql } from '../postgres/client.ts'
import { requestHostCheck } from '../queue/host-checks.ts'
import { forgetRefusals, pauseHost } from '../queue/host-pauses.ts'
import { addDownload } from '../queue/queue.ts'
import { endHolds, noteRuleFailure } from './holds.ts'
import { movesOf } from './moves.ts'
import type { Failed, FoundFacts, HandBack } from './run-types.ts'

export interface RunEnds {
  /** `put` moves the file into its place while the row is locked, so that no other run can be about to do the same. */
  finish(
    video_id: string,
    claim: string,
    file: { download_path: string; file_size: number; subtitles?: string[]; facts?: FoundFacts | undefined },
    put: () => Promise<unknown>,
  ): Promise<boolean>
  fail(video_id: string, claim: string, failed: Failed): Promise<boolean>
  /** Puts the download back into the queue. */
  handBack(video_id: string, claim: string, how?: HandBack): Promise<boolean>
}

export function runEndsOf(sql: Sql, user_id: UserId): RunEnds {
  const { move, claimedBy, noRun, noRequest, noFailures, countYield } = movesOf(sql, user_id)

  return {
    async finish(video_id, claim, { download_path, file_size, subtitles = [], facts }, put) {
      const finished = await sql.begin(async tx => {
        const finished = await move(
          tx,
          'finish',
          [video_id],
          sql`${noRun}, ${noRequest}, ${noFailures}, download_by_rule = false, download_path = ${download_path}, file_size = ${file_size},
              subtitles = ${subtitles}::text[], download_error = null, download_detail = null, download_completed_at = now()
              ${facts ? foundFacts(tx, facts) : sql``}`,
          claimedBy(claim),
        )
        const [{ video_host } = { video_host: null }] = finished
        if (video_host) await forgetRefusals(tx, video_host, user_id)
        if (finished.length > 0) await put()
        return finished
      })
      const [{ video_host } = { video_host: null }] = finished
      // In a transaction of its own: it locks other rows, and every transaction locks rows in the same order.
      if (finished.length > 0) await endHolds(sql, user_id, video_host ?? '')
      return finished.length > 0
    },

    fail: (
      video_id,
      claim,
      {
        download_error,
        download_detail = null,
        availability = null,
        next_attempt_at,
        reason = null,
        failures = 0,
        resets_attempts = false,
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
              download_attempts = ${resets_attempts ? 0 : sql`download_attempts - ${refund ? 1 : 0}`},
              download_reason = ${reason}, download_failures = least(${failures}::int, 30000),
              download_by_rule = download_by_rule and ${next_attempt_at !== null} ${closedAs(tx, availability)}`,
          claimedBy(claim, silent_s),
        )
        const [{ video_host } = { video_host: null }] = failed
        if (failed.length > 0 && next_attempt_at)
          await addDownload(
            tx,
            { user_id, video_id, video_host, by: by_rule ? 'rule' : 'person' },
            { run_at: next_attempt_at, place: resets_attempts ? 'last' : 'same' },
          )
        if (failed.length > 0 && by_rule) await noteRuleFailure(tx, user_id, video_host ?? '', { holds, reason })
        if (video_host && slow_down) {
          await pauseHost(tx, video_host, { user_id, reason: download_error })
          await requestHostCheck(tx, video_host, { user_id })
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
              ${yielded ? sql`, ${countYield(yielded)}` : sql``}`,
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
        if (yielded) await recordYield(tx, user_id)
        return true
      }),
  }
}

/** The file is there, so no further look is needed. */
const foundFacts = (tx: Queryable, facts: FoundFacts) => {
  const { duration_seconds, live_status, availability, published_at, published_precision } = facts
  // The later word in the alphabet is the better date.
  const has_better_date = tx`
    (${published_at}::timestamptz is not null
     and (published_at is null or ${published_precision ?? 'exact'} > published_precision))`
  return tx`
    , duration_seconds    = coalesce(${duration_seconds}, duration_seconds),
      live_status         = coalesce(${live_status}, live_status),
      availability        = coalesce(${availability}, case when availability in ('unlisted', 'age_restricted') then availability end),
      published_at        = case when ${has_better_date} then ${published_at} else published_at end,
      published_precision = case when ${has_better_date} then ${published_precision ?? 'exact'} else published_precision end,
      look_at             = null`
}

/** A video that may open is looked up again, even if earlier looks were given up. */
const closedAs = (tx: Queryable, availability: Availability | null) => {
  if (availability === null) return tx``
  if (availability !== 'members_only' && availability !== 'private') return tx`, availability = ${availability}`
  return tx`
    , availability = ${availability}, look_at = coalesce(look_at, now()), looks = case when look_at is null then -1 else looks end`
}

/** Records that a download of this person yielded its slot: for a moment, other people's downloads start first. */
const recordYield = (tx: Queryable, user_id: UserId) => tx`
  insert into turns_given (user_id, given_at) values (${user_id}, now())
  on conflict (user_id) do update set given_at = excluded.given_at`
