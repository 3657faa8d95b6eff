/**
 * The keys of jobs, and how one is added in the caller's transaction, so that a state and its job are saved together or not at all.
 * Downloads have more to say (`queue.ts`), and so have the jobs that ask a host (`host-jobs.ts`, `host-checks.ts`, `picture-plans.ts`).
 */
import type {
  BackfillJob,
  DownloadJob,
  ExchangeJob,
  ImportJob,
  MediaJob,
  TranscriptJob,
} from '../../schema/service/jobs.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Piece, Queryable, Sql } from '../postgres/client.ts'
import { lockedJobs, workerJobs } from '../postgres/worker-tables.ts'
import { isLocked } from './paused.ts'

/** As a condition: no job of this key waits or runs. */
export const hasNoJob = (sql: Queryable, key: Piece): Piece => sql`
  not exists (
    select from ${workerJobs(sql)} job
    where  job.key = ${key} and (job.locked_at is not null or job.attempts < job.max_attempts))`

/**
 * Runs one plan at a time. A statement does not see the jobs that another plan adds after the statement has begun, and graphile-worker
 * adds a second job beside one of the same key that runs.
 */
export const planAlone = <T>(sql: Sql, plan: (tx: Queryable) => Promise<T>) =>
  sql.begin(async tx => {
    await tx`select pg_advisory_xact_lock(hashtextextended('backlot plans', 0))`
    return plan(tx)
  })

/** Over all workers, so many jobs of these kinds run at once. */
const lanes = { listings: 8, pictures: 12, sounds: 4 }

/**
 * The name of a queue of graphile-worker. The jobs of one queue run one after the other over all workers, and a worker takes only the first
 * of them. Kinds of which thousands of jobs may wait have a few queues each, so that they leave the places of a worker to other kinds.
 * `of`: the site or the person, whose jobs are all in one queue.
 */
export const lane = (sql: Queryable, kind: keyof typeof lanes, of: Piece): Piece =>
  sql`${`${kind}:`}::text || abs(hashtext(${of}::text) % ${lanes[kind]}::int)`

export const backfillKey = ({ user_id, channel_id }: BackfillJob): string => `backfill:${user_id}:${channel_id}`

/**
 * `site`: the host of the list; null: unknown. `round`: the priority, 0 being the first. People take turns by rounds, as with downloads.
 */
export type QueuedBackfill = BackfillJob & { site: string | null; round: number }

/**
 * Replaces a waiting job of the same channel. A locked person gets no job. `run_at`: null means now. One list of a site is read
 * at a time.
 */
export const addBackfill = (
  sql: Queryable,
  { site, round, user_id, channel_id }: QueuedBackfill,
  run_at: Date | null = null,
) => sql`
  with locked as (${lockedJobs(sql, sql`${backfillKey({ user_id, channel_id })}`)})
  select graphile_worker.add_job(
    'load-older',
    payload    := ${sql.json({ user_id, channel_id })}::json,
    queue_name := ${lane(sql, 'listings', sql`${site ?? ''}`)},
    job_key    := ${backfillKey({ user_id, channel_id })},
    priority   := ${round},
    run_at     := ${run_at}::timestamptz)
  from  (select count(*) from locked) as all_locked
  where not ${isLocked(sql, sql`${user_id}::uuid`)}`

/** Removes a waiting job. A running one stops because it loses its claim. */
export const removeBackfill = (sql: Queryable, job: BackfillJob) => sql`
  select graphile_worker.remove_job(${backfillKey(job)})`

export const importKeys = (user_id: UserId): string => `import:${user_id}:`

/**
 * The lists of channels that a person imports run one after the other. A job that adds its own successor is not blocked by its key. A
 * locked person gets no job.
 */
export const addImport = (sql: Queryable, job: ImportJob, run_at: Date | null = null) => sql`
  select graphile_worker.add_job(
    'import-channels',
    payload    := ${sql.json(job)}::json,
    queue_name := ${`import:${job.user_id}`},
    job_key    := ${importKeys(job.user_id) + job.import_id},
    run_at     := ${run_at}::timestamptz)
  where not ${isLocked(sql, sql`${job.user_id}::uuid`)}`

/**
 * Updates MEDIA_DIR. The jobs of one person run one after the other, and at most one waits. Changes of files add the job by a trigger of
 * the database (migration `media`).
 */
export const addMediaUpdate = (sql: Queryable, { user_id }: MediaJob) => sql`
  select graphile_worker.add_job(
    'update-media',
    payload      := ${sql.json({ user_id })}::json,
    queue_name   := ${`media:${user_id}`},
    job_key      := ${`media:${user_id}`})`

export const exchangeKey = (server_id: string): string => `media-server:${server_id}`

/** A server that does not answer keeps no other one waiting. Replaces a waiting job of the same server. */
export const addExchange = (sql: Queryable, { user_id, server_id }: ExchangeJob, wait_s = 0) => sql`
  select graphile_worker.add_job(
    'exchange-watched',
    payload      := ${sql.json({ user_id, server_id })}::json,
    queue_name   := ${exchangeKey(server_id)},
    job_key      := ${exchangeKey(server_id)},
    run_at       := now() + ${wait_s} * interval '1 second',
    max_attempts := 1)
  where not ${isLocked(sql, sql`${user_id}::uuid`)}`

/**
 * Removes from MEDIA_DIR what deleted people had. One such job runs at a time, and at most one waits, even while MEDIA_DIR does not answer.
 */
export const addRemovalOfTrees = (sql: Queryable) => sql`
  select graphile_worker.add_job('remove-media-trees', queue_name := 'media:deleted', job_key := 'media:deleted')`

/**
 * Reads subtitles into a transcript. `is_old`: the subtitles have been on disk for long, so those of new files are read first. At most one
 * job for each video waits.
 */
export const addTranscript = (sql: Queryable, { user_id, video_id }: TranscriptJob, { is_old = false } = {}) => sql`
  select graphile_worker.add_job(
    'read-transcript',
    payload      := ${sql.json({ user_id, video_id })}::json,
    job_key      := ${`transcript:${user_id}:${video_id}`},
    priority     := ${is_old ? 10 : 0},
    max_attempts := 3)`

/** As the trigger does when a run ends (migration `downloads`). */
export const addShareEnded = (sql: Queryable, address_hash: string) => sql`
  select graphile_worker.add_job('share-ended', ${sql.json({ address_hash })}::json)`

export const soundKeys = (user_id: UserId): string => `sound:${user_id}:`

/**
 * Cuts the sound out of films. People take turns: the second film of a person comes after the first ones of others. A film whose job waits
 * or runs gets no other: each reading of a podcast asks for all its sounds. A locked person gets none.
 */
export const addSounds = (sql: Queryable, user_id: UserId, video_ids: string[]) => sql`
  select graphile_worker.add_job(
           'cut-sound',
           payload      := json_build_object('user_id', ${user_id}::uuid, 'video_id', video_id),
           queue_name   := ${lane(sql, 'sounds', sql`${user_id}`)},
           job_key      := ${soundKeys(user_id)} || video_id,
           priority     := 10 + nth::int,
           max_attempts := 5)
  from   unnest(${video_ids}::text[]) with ordinality as film (video_id, nth)
  where  not ${isLocked(sql, sql`${user_id}::uuid`)}
  and    ${hasNoJob(sql, sql`${soundKeys(user_id)} || video_id`)}`

/** The key of the job that checks a feed, by the address: a feed is checked once for all its followers. */
export const feedJobKey = (sql: Queryable, rss_url: Piece) =>
  sql`'refresh:' || encode(sha256(convert_to(${rss_url}, 'utf8')), 'hex')`

/** Before the checks by the clock. Imports and housekeeping run first where one worker does all tasks. */
const pushed_priority = 5
/** A push is not announced again, so a check whose worker dies runs once more. */
const pushed_attempts = 2

/** A part of a query: the job for a check because of a push. A job of the feed that waits already keeps its time. */
export const addPushedCheck = (sql: Queryable, rss_url: Piece, run_at: Piece) => sql`
  graphile_worker.add_job(
    'refresh-feed',
    payload      := json_build_object('rss_url', ${rss_url}, 'pushed', true),
    job_key      := ${feedJobKey(sql, rss_url)},
    job_key_mode := 'preserve_run_at',
    run_at       := ${run_at},
    max_attempts := ${pushed_attempts},
    priority     := ${pushed_priority})`

export const watchKeys = (user_id: UserId): string => `watch:${user_id}:`

/**
 * Starts a download at once, because its person wants to watch it. The place of the download in the queue stays, in case it cannot start.
 * A second press on the same video makes no second job. `run_at`: null means now.
 */
export const addWatchNow = (tx: Queryable, { user_id, video_id }: DownloadJob, run_at: Date | null = null) => tx`
  select graphile_worker.add_job(
    'watch-now',
    payload      := ${tx.json({ user_id, video_id })}::json,
    job_key      := ${watchKeys(user_id) + video_id},
    run_at       := ${run_at}::timestamptz,
    max_attempts := 1)
  where not ${isLocked(tx, tx`${user_id}::uuid`)}`
