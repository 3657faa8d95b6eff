/**
 * Adds and removes the jobs of downloads in the caller's transaction, so that a state and its job are saved together or not at all.
 *
 * People take turns: the priority of a download is its round, which is the round being served or the one after the last round of
 * its person, whichever is later. A person who requests a thousand videos has one in each of a thousand rounds, so another
 * person's first video is among the next to run. Downloads of rules come after all of these. A queue position counts
 * only downloads that can run earlier; every two seconds each worker reports which ones it skips.
 */
import { max_attempts } from '../../schema/downloads/download.ts'
import type { DownloadJob } from '../../schema/service/jobs.ts'
import type { UserId } from '../../schema/values/user.ts'
import { type Piece, type Queryable, sharedPiece } from '../postgres/client.ts'
import { isOfTask, lockedJobs, workerJobs } from '../postgres/worker-tables.ts'
import { download_flag, hostFlag, ruleFlag, userFlag } from './flags.ts'
import { isProbe } from './host-checks.ts'
import { backfillKey, importKeys, soundKeys, watchKeys } from './jobs.ts'
import { isPaused } from './paused.ts'

/** One key per user and video: two requests make one job. */
export const downloadKey = ({ user_id, video_id }: DownloadJob): string => `download:${user_id}:${video_id}`

const flagsOf = (user_id: UserId, video_host: string | null, by: Requester): string[] => {
  const host = video_host ?? ''
  const flags = [download_flag, hostFlag(host), userFlag(user_id)]
  return by === 'rule' ? [...flags, ruleFlag(user_id, host), ruleFlag(user_id, '')] : flags
}

/** Downloads that a person requested run before those of rules, whatever the rounds. */
export const first_round = { person: 0, rule: 16_000 }
/** Who requested a download: its person, or a rule of that person. */
export type Requester = keyof typeof first_round
/**
 * Who requested the download `entry`, for its place in the queue: after a person's request, a rule's download counts as the person's until
 * its next failure.
 */
export const requesterOf = sharedPiece(
  sql => sql`
  case when entry.download_by_rule and (entry.download_asked_by = 'rule' or entry.download_status = 'FAILED')
       then 'rule' else 'person' end`,
)
/** The last round of a class, from 0. A priority is a `smallint`. Downloads beyond the last round share it, in the order of their times. */
const last_round = 15_999
/** The priority of a rule's download that failed and is tried again much later: after everything else. */
export const late_priority = 32_000

/**
 * Condition: a row `job` of graphile-worker's own table is a download that a worker could take now, if no flag held it back. Workers take
 * jobs in the order `priority, run_at, id`.
 */
export const isFree = (sql: Queryable) => sql`
  job.is_available and job.run_at <= now()
  and ${isOfTask(sql, 'download')}`

type HostedVideo = { video_id: string; video_host: string | null }

/**
 * Queues new requests. A waiting download of a rule moves up when a person requests it. `just_requested`: the videos whose state this
 * request has changed.
 */
export async function queueUp(
  sql: Queryable,
  user_id: UserId,
  videos: HostedVideo[],
  just_requested: Set<string>,
  by: Requester,
): Promise<void> {
  const others = videos.filter(({ video_id }) => !just_requested.has(video_id))
  const keys = others.map(({ video_id }) => downloadKey({ user_id, video_id }))
  const by_rule =
    by === 'rule' || keys.length === 0
      ? []
      : await sql<{ key: string }[]>`
          select key
          from   graphile_worker.jobs
          where  key = any(${keys}) and priority >= ${first_round.rule} and locked_at is null`
  const moved_up = new Set(by_rule.map(({ key }) => key))
  const wanted = videos.filter(
    ({ video_id }) => just_requested.has(video_id) || moved_up.has(downloadKey({ user_id, video_id })),
  )
  if (wanted.length > 0) await addInRounds(sql, user_id, wanted, by)
}

/** Queues downloads that have no job: those of the person before those of rules. */
export async function queueAll(
  sql: Queryable,
  user_id: UserId,
  videos: (HostedVideo & { by: Requester })[],
): Promise<void> {
  for (const by of ['person', 'rule'] satisfies Requester[]) {
    const some = videos.filter(video => video.by === by)
    if (some.length > 0) await addInRounds(sql, user_id, some, by)
  }
}

/**
 * Adds one person's downloads in this order, one to each round after the last round of this person. A round is a priority, so people
 * take turns: 1,000 queued downloads of one person do not delay the first download of another.
 */
const addInRounds = (sql: Queryable, user_id: UserId, videos: HostedVideo[], by: Requester) => sql`
  with round as (
    select greatest(
             ${first_round[by]}::int,
             (select   priority
              from     ${workerJobs(sql)} job
              where    ${isFree(sql)} and ${inClass(sql, by)}
              order by priority
              limit    1),
             (select max(priority) + 1
              from   ${workerJobs(sql)} job
              where  job.is_available and job.flags ? ${userFlag(user_id)} and ${inClass(sql, by)}),
             -- A running download has its round too.
             (select max(priority) + 1
              from   ${workerJobs(sql)} job
              where  key in (select ${downloadKey({ user_id, video_id: '' })} || video_id
                             from   video_entries
                             where  user_id = ${user_id} and standing = 'running')
              and    ${inClass(sql, by)})) as next
  ),
  added as (
    select *
    from   unnest(${videos.map(({ video_id }) => video_id)}::text[],
                  ${videos.map(video => downloadKey({ user_id, ...video }))}::text[],
                  ${videos.map(({ video_host }) => JSON.stringify(flagsOf(user_id, video_host, by)))}::text[])
           with ordinality as video (video_id, key, flags, place)
    where  not ${isPausedVideo(sql, user_id, sql`video.video_id`)}
  ),
  locked as (${lockedJobs(sql, sql`select key from added`)})
  select count(*)
  from   graphile_worker.add_jobs(array(
           select spec
           from   (
             select ('download', json_build_object('user_id', ${user_id}::text, 'video_id', video_id), null, now(),
                     ${max_attempts}, key, least(round.next + place - 1, ${first_round[by] + last_round}),
                     array(select json_array_elements_text(flags::json)))::graphile_worker.job_spec as spec,
                    place
             from   added, round, (select count(*) from locked) as all_locked
             union all
             -- Another person may have the file of such a video already. This job gives it without a slot.
             select ('share-requested', json_build_object('user_id', ${user_id}::text, 'video_ids', json_agg(video_id)), null, now(),
                     ${max_attempts}, null, 0, null)::graphile_worker.job_spec,
                    0
             from   added
             having count(*) > 0
           ) job
           order by place))`

/** Condition: the job has a round of this class. */
export const inClass = (sql: Queryable, by: Requester) => sql`
  priority between ${first_round[by]} and ${first_round[by] + last_round}`

/**
 * `same`: the round that it had, or the first one. `behind_others`: behind the next downloads of other people, and before further
 * ones of the same person. `last`: behind everything else.
 */
type Round = 'same' | 'behind_others' | 'last'
type Again = { run_at?: Date | null; round?: Round }

/**
 * Queues one waiting download again: a retry, a run that was handed back or postponed, a resumed download, a probe, or a download that lost
 * its job. The new job has the attempts of the download. `run_at`: null means now. The job of a probe has no flag of its host, so workers
 * take the probe although the host is paused.
 */
export const queueAgain = (
  sql: Queryable,
  job: DownloadJob & { video_host: string | null; by: Requester },
  { run_at = null, round = 'same' }: Again = {},
) => {
  const { user_id, video_id, video_host, by } = job
  return sql`
  with locked as (${lockedJobs(sql, sql`${downloadKey(job)}`)}),
  wanted as (
    select (select least(coalesce(max(download_attempts), 0), ${max_attempts - 1})
            from   video_entries
            where  user_id = ${user_id} and video_id = ${video_id}) as attempts
    from   (select count(*) from locked) as all_locked
    where  not ${isPausedVideo(sql, user_id, sql`${video_id}`)}
  )
  select graphile_worker.reschedule_jobs(array[added.id], attempts := wanted.attempts)
  from   wanted
  cross join lateral graphile_worker.add_job(
    'download',
    payload      := ${sql.json({ user_id, video_id })}::json,
    job_key      := ${downloadKey(job)},
    max_attempts := ${max_attempts},
    priority     := ${round === 'last' ? late_priority : priorityOf(sql, job, round)},
    flags        := case when ${isProbe(sql, video_host, job)} then ${[download_flag, userFlag(user_id)]}::text[]
                         else ${flagsOf(user_id, video_host, by)}::text[] end,
    run_at       := ${run_at}::timestamptz) as added`
}

/** A paused download gets no job. */
const isPausedVideo = (sql: Queryable, user_id: UserId, video_id: Piece) => sql`
  exists (
    select from video_entries entry
    where  entry.user_id = ${user_id} and entry.video_id = ${video_id} and ${isPaused(sql)})`

const priorityOf = (sql: Queryable, job: DownloadJob & { by: Requester }, round: Round) => sql`
  greatest(
    coalesce((select priority from graphile_worker.jobs where key = ${downloadKey(job)}), ${first_round[job.by]}),
    ${
      round === 'same'
        ? null
        : sql`(select   priority
               from     ${workerJobs(sql)} job
               where    ${isFree(sql)} and priority < ${late_priority} and not job.flags ? ${userFlag(job.user_id)}
               order by priority
               limit    1)`
    }::int)`

/** Removes waiting jobs. A running one stops because it loses its claim, and is not tried again. */
export const removeDownloads = (sql: Queryable, user_id: UserId, video_ids: string[]) => sql`
  select graphile_worker.remove_job(key)
  from   unnest(${video_ids.map(video_id => downloadKey({ user_id, video_id }))}::text[]) as key`

/** Removes the waiting downloads, imports, backfills and watched starts of a deleted person. Running jobs are not tried again. */
export const forgetJobs = (sql: Queryable, user_id: UserId) => sql`
  select graphile_worker.remove_job(key)
  from   graphile_worker.jobs
  where  starts_with(key, ${downloadKey({ user_id, video_id: '' })}) or starts_with(key, ${importKeys(user_id)})
  or     starts_with(key, ${backfillKey({ user_id, channel_id: '' })}) or starts_with(key, ${watchKeys(user_id)})
  or     starts_with(key, ${soundKeys(user_id)})`
