/**
 * graphile-worker's own tables, which its documentation calls private. Its public view of them (`graphile_worker.jobs`) cannot use their
 * indexes, cannot be locked, and does not say which jobs are available. In `src`, only this file names the tables; the migration `media`
 * does too.
 * `test/db/postgres/worker-tables.test.ts` compares their columns with what our queries read.
 */
import { type Piece, type Queryable, type Sql, sharedPiece } from './client.ts'

/** The table of all jobs, to be read as `job`. */
export const workerJobs = sharedPiece(sql => sql`graphile_worker._private_jobs`)
export const workerCrontabs = sharedPiece(sql => sql`graphile_worker._private_known_crontabs`)

/** Columns of the queue, as `correct-times.ts` names them. */
export const queue_plans = ['graphile_worker._private_jobs.run_at']
export const queue_beats = ['graphile_worker._private_job_queues.locked_at', 'graphile_worker._private_jobs.locked_at']

/** A row `job` is of this task. */
export const isOfTask = (sql: Queryable, task: 'download') => sql`
  job.task_id = (select id from graphile_worker._private_tasks where identifier = ${task})`

/**
 * Keeps workers from taking these jobs until they are replaced. graphile-worker neither replaces nor adds a job that a worker
 * takes between two statements of its `add_jobs`.
 */
export const lockedJobs = (sql: Queryable, keys: Piece) => sql`
  select from ${workerJobs(sql)} where key in (${keys}) order by id for update`

/**
 * Finds the jobs that have a flag, without comparing the flags of all jobs; and those of other tasks, without reading all waiting
 * downloads. A later version of graphile-worker may replace its table, so the indexes are made after graphile-worker's migrations, and not
 * by one of ours. `fastupdate`: a pending list would be read whole by every query.
 */
export const indexJobs = async (sql: Sql) => {
  await sql`
    create index if not exists backlot_jobs_by_flag
    on     ${workerJobs(sql)} using gin (flags) with (fastupdate = off)
    where  is_available and flags is not null`
  await sql`
    create index if not exists backlot_jobs_by_task
    on     ${workerJobs(sql)} (task_id, priority, run_at)
    where  is_available`
}

/**
 * The jobs that wait or run, in the order in which workers take them, in the form of `add_jobs`. A running job has to run again
 * after a restore. A job without an attempt left is left out, because a job that is added has all its attempts.
 */
export const storedJobs = (sql: Queryable) => sql`
  select   task.identifier, job.payload, queue.queue_name, job.run_at, job.max_attempts, job.key, job.priority,
           (select array_agg(flag order by flag) from jsonb_object_keys(job.flags) as flag) as flags
  from     ${workerJobs(sql)} job
  join     graphile_worker._private_tasks task on task.id = job.task_id
  left join graphile_worker._private_job_queues queue on queue.id = job.job_queue_id
  where    job.locked_at is not null or job.attempts < job.max_attempts
  order by job.priority, job.run_at, job.id`
