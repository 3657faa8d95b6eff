/** Tries a site before its pause ends, with one download of one user. What a probe may do is in `queue/host-probes.ts`. */
import type { ProbeResult } from '../../schema/downloads/download-api.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Queryable, Sql } from '../postgres/client.ts'
import { beginProbe } from '../queue/host-probes.ts'
import { moveFirst } from '../queue/move-first.ts'
import { isPaused } from '../queue/paused.ts'
import { addDownload, downloadKey } from '../queue/queue.ts'
import { requestIn } from './requests.ts'

export interface Probes {
  tryHost(host: string): Promise<ProbeResult>
}

export const probesOf = (sql: Sql, user_id: UserId): Probes => ({
  tryHost: host =>
    sql.begin(async tx => {
      // As the end of a run does, this locks the video before the probe.
      const [next] = await tx<{ video_id: string }[]>`
        select    video_id
        from      video_entries entry
        left join graphile_worker.jobs job on job.key = ${downloadKey({ user_id, video_id: '' })} || entry.video_id
        where     entry.user_id = ${user_id} and video_host = ${host} and standing = 'waiting' and not ${isPaused(tx)}
        order by  job.priority, job.run_at, job.id, entry.id
        limit     1
        for update of entry`
      if (!next) return 'nothing_waits'
      if (await isTrying(tx, user_id, host)) return 'trying'
      const job = { user_id, video_id: next.video_id }
      if (!(await beginProbe(tx, host, job))) return 'just_tried'
      // A retry that would wait, and a download of a rule, join what the person requested.
      await requestIn(tx, user_id, [job.video_id], 'person')
      await addDownload(tx, { ...job, video_host: host, by: 'person' })
      await moveFirst(tx, job)
      return 'trying'
    }),
})

/** Whether the probe of this person runs. Another one would take its place. */
async function isTrying(tx: Queryable, user_id: UserId, host: string): Promise<boolean> {
  const rows = await tx`
    select
    from   host_probes probe
    join   video_entries entry using (user_id, video_id)
    where  entry.user_id = ${user_id} and probe.host = ${host} and entry.standing = 'running'`
  return rows.length > 0
}
