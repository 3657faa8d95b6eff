/** Moves one waiting download before the others of its person. People still take turns: the person's jobs only exchange their places. */
import type { DownloadJob } from '../../schema/service/jobs.ts'
import type { Queryable } from '../postgres/client.ts'
import { userFlag } from './flags.ts'
import { downloadKey, inClass, isFree } from './queue.ts'

/** The download gets the first place that its person has, and each one before it the next of these places. */
export const moveFirst = (sql: Queryable, job: DownloadJob) => sql`
  with mine as (
    select   id, key, priority, run_at
    from     graphile_worker._private_jobs job
    where    ${isFree(sql)} and job.flags ? ${userFlag(job.user_id)} and ${inClass(sql, 'person')}
    order by id
    for update
  ),
  places as (
    select id, key, priority, run_at, row_number() over (order by priority, run_at, id) as place
    from   mine
  ),
  chosen as (
    select id, place from places where key = ${downloadKey(job)}
  ),
  moved as (
    select places.id, case when places.id = chosen.id then 1 else places.place + 1 end as place
    from   places, chosen
    where  places.place <= chosen.place
  )
  update graphile_worker._private_jobs job
  set    priority = places.priority, run_at = places.run_at
  from   moved
  join   places using (place)
  where  job.id = moved.id`
