/**
 * The waiting downloads as graphile-worker stores them, and their kinds. A kind is a set of flags: the downloads of one person from
 * one host have the same flags, so there are far fewer kinds than downloads. Others decide with it; this only reads.
 *
 * The public view of the jobs cannot use graphile-worker's index of the jobs that are free, so this reads the table behind the view.
 */
import type { Piece, Queryable } from '../postgres/client.ts'

/** A row named `job` is a download that a worker could take now, if nothing held it back. Their order is `priority, run_at, id`. */
export const isWaiting = (sql: Queryable) => sql`
  job.is_available and job.run_at <= now()
  and job.task_id = (select id from graphile_worker._private_tasks where identifier = 'download')`

/**
 * A part of `with recursive`: the `flags` of each kind of free jobs, and a last row without flags. Each step finds the next kind in
 * the index, so the cost depends on the number of kinds. `wanted`: if it is false, nothing is read.
 */
export const kindsOfJobs = (sql: Queryable, wanted: Piece = sql`true`) => sql`
  kinds as (
    (select   flags
     from     graphile_worker._private_jobs
     where    is_available and flags is not null and ${wanted}
     order by flags
     limit    1)
    union all
    select (select   job.flags
            from     graphile_worker._private_jobs job
            where    is_available and job.flags is not null and job.flags > kinds.flags
            order by job.flags
            limit    1)
    from   kinds
    where  flags is not null
  )`
