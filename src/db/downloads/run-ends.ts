/**
 * The ends of a run: it finishes with a file, fails, or hands its download back to the queue. What the site and the file say about the
 * video is stored for its person, and for those who get a copy of the file.
 */
import type { Availability, FileFacts } from '../../schema/sources/facts.ts'
import type { UserId } from '../../schema/values/user.ts'
import { recordDownload } from '../notifications/outbox.ts'
import { firstValue, type Queryable, type Sql } from '../postgres/client.ts'
import { endProbe, requestHostCheck } from '../queue/host-checks.ts'
import { forgetRefusals, liftOwnPause, pauseHost } from '../queue/host-pauses.ts'
import { addTranscript } from '../queue/jobs.ts'
import { queueAgain, removeDownloads } from '../queue/queue.ts'
import { endHolds, recordRuleFailure } from './holds.ts'
import { movesOf } from './moves.ts'
import type { FinishedFile, HandBack, RunFailure, SiteFacts } from './run-types.ts'
import { wantSoundOfPodcast } from './sounds.ts'

/** Removes a file from the bin. */
export type Purge = (download_path: string) => Promise<unknown>

/**
 * The move `finish` in the transaction of the caller, who then puts the file into its place as the last step. Returns a row after it;
 * `undefined`: the run has lost its claim.
 */
export async function finishIn(
  tx: Queryable,
  user_id: UserId,
  video_id: string,
  claim: string,
  { download_path, file_size, subtitles = [], facts, in_file, words_hash, copied = false }: FinishedFile,
  purge: Purge,
) {
  const { move, claimedBy, noRun, noRequest, noFailures } = movesOf(tx, user_id)
  const [finished] = await move(
    tx,
    'finish',
    [video_id],
    tx`${noRun}, ${noRequest}, ${noFailures}, download_by_rule = false, download_path = ${download_path}, file_size = ${file_size},
       subtitles = ${subtitles}::text[], words_hash = ${words_hash ?? null}, site_facts = ${siteFacts(tx, facts, in_file)}, download_copied = ${copied}, download_error = null,
       download_detail = null, download_completed_at = now()
       ${facts ? siteSays(tx, facts) : tx``} ${fileSays(tx, facts, in_file)}`,
    claimedBy(claim),
  )
  if (!finished) return undefined
  await leaveBin(tx, user_id, video_id, purge)
  if (subtitles.length > 0) await addReading(tx, user_id, video_id)
  await wantSoundOfPodcast(tx, user_id, video_id)
  return finished
}

export function runEndsOf(sql: Sql, user_id: UserId) {
  const { move, claimedBy, noRun, noFile, noRequest, countYield } = movesOf(sql, user_id)

  return {
    /**
     * `put` moves the file into its place while the row is locked, so that no other run can be about to do the same. Before, `purge`
     * removes the former file of the video from the bin, if it is there.
     */
    async finish(
      video_id: string,
      claim: string,
      file: FinishedFile,
      put: () => Promise<unknown>,
      purge: Purge,
    ): Promise<boolean> {
      const finished = await sql.begin(async tx => {
        const finished = await finishIn(tx, user_id, video_id, claim, file, purge)
        if (!finished) return undefined
        const { video_host } = finished
        // The site of a copied file was not requested. The run of a copy has no job, so the one of the download is left.
        if (file.copied) await removeDownloads(tx, user_id, [video_id])
        else if (video_host) {
          await forgetRefusals(tx, video_host, user_id)
          if (await endProbe(tx, video_host, { user_id, video_id })) await liftOwnPause(tx, video_host, user_id)
        }
        await recordDownload(tx, user_id, video_id, null)
        await put()
        return finished
      })
      // In a transaction of its own: it locks other rows, and every transaction locks rows in the same order.
      if (finished && !file.copied) await endHolds(sql, user_id, finished.video_host ?? '')
      return finished !== undefined
    },

    fail: (
      video_id: string,
      claim: string,
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
      }: RunFailure,
    ): Promise<boolean> =>
      sql.begin(async tx => {
        const wanted = next_attempt_at
          ? sql`download_next_attempt_at = ${next_attempt_at}`
          : sql`${noRequest}, address_hash = null`
        const [failed] = await move(
          tx,
          'fail',
          [video_id],
          sql`${noRun}, ${noFile}, ${wanted}, download_error = ${download_error}, download_detail = ${download_detail},
              download_completed_at = now(),
              download_attempts = ${resets_attempts ? 0 : sql`download_attempts - ${refund ? 1 : 0}`},
              download_reason = ${reason}, download_failures = least(${failures}::int, 30000),
              download_by_rule = download_by_rule and ${next_attempt_at !== null} ${closedAs(tx, availability)}`,
          claimedBy(claim, silent_s),
        )
        if (!failed) return false
        const { video_host } = failed
        const was_probe = video_host !== null && (await endProbe(tx, video_host, { user_id, video_id }))
        if (next_attempt_at)
          await queueAgain(
            tx,
            { user_id, video_id, video_host, by: by_rule ? 'rule' : 'person' },
            { run_at: next_attempt_at, round: resets_attempts ? 'last' : 'same' },
          )
        else await recordDownload(tx, user_id, video_id, download_error)
        if (by_rule) await recordRuleFailure(tx, user_id, video_host ?? '', { holds, reason })
        if (video_host && slow_down) {
          await pauseHost(tx, video_host, { user_id, reason: download_error, extends: was_probe })
          await requestHostCheck(tx, video_host, { user_id })
        }
        return true
      }),

    /** Puts the download back into the queue. */
    handBack: (
      video_id: string,
      claim: string,
      { refund = false, silent_s, meanwhile = async () => {}, yielded }: HandBack = {},
    ): Promise<boolean> =>
      sql.begin(async tx => {
        const [again] = await move(
          tx,
          'hand_back',
          [video_id],
          sql`${noRun}, ${noFile}, download_started_at = null, download_attempts = download_attempts - ${refund ? 1 : 0}
              ${yielded ? sql`, ${countYield(yielded)}` : sql``}`,
          claimedBy(claim, silent_s),
        )
        if (!again) return false
        await meanwhile()
        const { video_host, download_by_rule, download_asked_by } = again
        const by = download_by_rule && download_asked_by === 'rule' ? 'rule' : 'person'
        await queueAgain(tx, { user_id, video_id, video_host, by }, { round: yielded ? 'behind_others' : 'same' })
        return true
      }),
  }
}

/** The row remembers that the subtitles were not read, should the job fail for good. Lines of earlier subtitles stay until then. */
async function addReading(tx: Queryable, user_id: UserId, video_id: string) {
  await tx`
    insert into transcripts as known (user_id, video_id)
    values (${user_id}, ${video_id})
    on conflict on constraint transcripts_pkey do update
    set    lines = null
    where  known.lines = ''`
  await addTranscript(tx, { user_id, video_id })
}

/** Deletes the row of a file in the bin, which is its lock: a purge at this moment has ended, or finds no row. */
async function leaveBin(tx: Queryable, user_id: UserId, video_id: string, purge: Purge) {
  const download_path = await firstValue<string>(tx`
    delete from deleted_files
    where  user_id = ${user_id} and video_id = ${video_id}
    returning download_path`)
  if (download_path !== undefined) await purge(download_path)
}

/** A video that may open is looked up again, even if earlier looks were given up. */
const closedAs = (tx: Queryable, availability: Availability | null) => {
  if (availability === null) return tx``
  if (availability !== 'members_only' && availability !== 'private') return tx`, availability = ${availability}`
  return tx`
    , availability = ${availability}, look_at = coalesce(look_at, now()), looks = case when look_at is null then -1 else looks end`
}

/** The facts that others get with a copy of the file. */
const siteFacts = (tx: Queryable, facts: SiteFacts | undefined, in_file: FileFacts | undefined) => {
  if (!facts) return null
  const { duration_seconds, live_status, availability, published_at, published_precision, language = null } = facts
  return tx.json({
    duration_seconds,
    live_status,
    availability,
    published_precision,
    language,
    published_at: published_at?.toISOString() ?? null,
    ...(facts.chapters && { chapters: facts.chapters }),
    ...(in_file && { in_file: { ...in_file, chapters: in_file.chapters ?? null } }),
  })
}

/** Changes of the entry. The file is there, so no further look is needed. */
const siteSays = (tx: Queryable, facts: SiteFacts) => {
  const { live_status, availability, published_at, published_precision } = facts
  // Of the words for precision, the later one in the alphabet is the better.
  const has_better_date = tx`
    (${published_at}::timestamptz is not null
     and (published_at is null or ${published_precision ?? 'exact'} > published_precision))`
  return tx`
    , live_status         = coalesce(${live_status}, live_status),
      availability        = coalesce(${availability}, case when availability in ('unlisted', 'age_restricted') then availability end),
      published_at        = case when ${has_better_date} then ${published_at} else published_at end,
      published_precision = case when ${has_better_date} then ${published_precision ?? 'exact'} else published_precision end,
      look_at             = null`
}

/**
 * Length and chapters are taken from the site; else they stay as they are known; else they are taken from the file.
 * The streams of a file that cannot be read are a null of JSON, so that it is not read again.
 */
const fileSays = (tx: Queryable, facts: SiteFacts | undefined, in_file: FileFacts | undefined) => tx`
    , duration_seconds    = coalesce(${facts?.duration_seconds ?? null}, duration_seconds, ${in_file?.duration_seconds ?? null}),
      chapters            = coalesce(${facts?.chapters ? tx.json(facts.chapters) : null}::jsonb, chapters,
                                     ${in_file?.chapters ? tx.json(in_file.chapters) : null}::jsonb),
      file_is_read        = ${in_file !== undefined},
      file_streams        = ${in_file?.streams === undefined ? null : JSON.stringify(in_file.streams)}::text::jsonb`

/** Stores what the file at this path says, if the person still has it. */
export const storeFileFacts = async (
  sql: Queryable,
  user_id: UserId,
  video_id: string,
  download_path: string,
  in_file: FileFacts,
): Promise<void> => {
  // `subtitles` keeps its value: the list of changes that follows begins with a comma.
  await sql`
    update video_entries
    set    subtitles = subtitles ${fileSays(sql, undefined, in_file)}
    where  user_id = ${user_id} and ${movesOf(sql, user_id).inOrder([video_id])} and download_path = ${download_path}`
}
