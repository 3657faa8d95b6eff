/**
 * Downloads that wait while another one fetches the same video. Their jobs have a flag that names what they wait for, and a time at
 * which they are tried in any case. When the run ends, the next of them is woken.
 */
import { type Quality, qualities } from '../../schema/downloads/quality.ts'
import type { Queryable } from '../postgres/client.ts'
import { workerJobs } from '../postgres/worker-tables.ts'
import { flagsSkippedNow } from './flags.ts'

/** Marks the jobs that wait for a run of the same video in the same quality. */
export const runFlag = (address_hash: string, quality: Quality): string => `after:${address_hash}:${quality}`

/** A row `job` waits for a run of the same video. */
export const waitsForRun = (sql: Queryable) => sql`
  (job.is_available and exists (select from jsonb_object_keys(job.flags) as flag where starts_with(flag, 'after:')))`

/**
 * Wakes the next download of each quality that waits for a run of this video. Only one, because the others would only wait again. Does
 * nothing if that one may run already. Downloads that workers skip now, because their host or person has to wait, are chosen last: they
 * would delay the others too. `add_job` tells the workers at once, which `reschedule_jobs` does not.
 */
export const wakeNext = (sql: Queryable, address_hash: string) => sql`
  with passed as (${flagsSkippedNow(sql)}),
  next as (
    select job.*
    from   unnest(${qualities.map(quality => runFlag(address_hash, quality))}::text[]) as flag
    cross join lateral (
      select   key, payload, priority, flags, max_attempts, run_at
      from     ${workerJobs(sql)} job
      where    job.is_available and job.flags ? flag
      order by job.flags ?| array(select flag from passed), priority, id
      limit    1
      for update skip locked) job
    where  job.run_at > now()
  )
  select graphile_worker.add_job(
    'download',
    payload      := payload,
    job_key      := key,
    max_attempts := max_attempts,
    priority     := priority,
    flags        := array(select jsonb_object_keys(flags)),
    run_at       := now())
  from next`
