/**
 * Pauses and resumes downloads of one user, moves one before the others, and tries a site that is paused. `queue/paused.ts` says what a
 * pause does.
 */
import type { ProbeResult } from '../../schema/downloads/download-api.ts'
import type { UserId } from '../../schema/values/user.ts'
import { eachValue, firstValue, hasAny, type Queryable, type Sql } from '../postgres/client.ts'
import { beginProbe } from '../queue/host-checks.ts'
import { addWatchNow } from '../queue/jobs.ts'
import { isPaused, turnOf } from '../queue/paused.ts'
import { moveFirst } from '../queue/places.ts'
import { downloadKey, queueAgain } from '../queue/queue.ts'
import { movesOf } from './moves.ts'
import { requestIn } from './requests.ts'
import { requeueIn, type StoppedDownload, stopIn } from './stops.ts'

/** Every site, as `host`. */
export const all_sites = ''

export function pausesOf(sql: Sql, user_id: UserId) {
  const mine = sql`entry.user_id = ${user_id}`
  const { inOrder } = movesOf(sql, user_id)

  const hasVideosOf = (tx: Queryable, host: string) =>
    hasAny(tx`select from video_entries entry where ${mine} and video_host = ${host} limit 1`)

  const resumeIn = async (tx: Queryable, video_ids: string[]) => {
    const resumed = await eachValue<string>(tx`
      update video_entries entry
      set    download_paused_at = null
      where  ${mine} and ${inOrder(video_ids)} and download_paused_at is not null
      returning video_id`)
    await requeueIn(tx, user_id)
    return [...new Set(resumed)]
  }

  const nextIn = async (tx: Queryable, video_id: string) => {
    const is_waiting = await hasAny(tx`
      select from video_entries entry where ${mine} and video_id = ${video_id} and standing = 'waiting'`)
    if (!is_waiting) return false
    // A retry that would wait, and a download of a rule, join what the person requested.
    await requestIn(tx, user_id, [video_id], 'person')
    await resumeIn(tx, [video_id])
    await moveFirst(tx, { user_id, video_id })
    await putFirst(tx, video_id)
    return true
  }

  /** While its site or all downloads are paused, no download has a job: they get theirs in the order of their turns. */
  const putFirst = (tx: Queryable, video_id: string) => tx`
    update video_entries entry
    set    download_turn_at = least(${turnOf(tx, 'entry')}, (
             select min(${turnOf(tx, 'other')}) - interval '1 millisecond'
             from   video_entries other
             where  other.user_id = ${user_id} and other.standing = 'waiting' and other.video_id <> entry.video_id))
    where  ${mine} and ${inOrder([video_id])} and ${isPaused(tx)}`

  return {
    /** Returns the videos that were paused: those whose download waits or runs. */
    pause: (video_ids: string[]): Promise<string[]> =>
      sql.begin(async tx => {
        const paused = await tx<StoppedDownload[]>`
          update video_entries entry
          set    download_paused_at = now()
          where  ${mine} and ${inOrder(video_ids)} and standing in ('waiting', 'running') and download_paused_at is null
          returning video_id, download_claim as claim`
        await stopIn(tx, user_id, paused)
        return [...new Set(paused.map(({ video_id }) => video_id))]
      }),

    /** Returns the videos that were paused before, one by one. */
    resume: (video_ids: string[]): Promise<string[]> => sql.begin(tx => resumeIn(tx, video_ids)),

    /** `all_sites`: also what is requested later, from any site. `false`: this person has no video of the site. */
    pauseSite: (host: string): Promise<boolean> =>
      sql.begin(async tx => {
        // Each site is a row, so a person may have no more of them than sites.
        if (host !== all_sites && !(await hasVideosOf(tx, host))) return false
        await tx`
          insert into download_pauses (user_id, host) values (${user_id}, ${host})
          on conflict on constraint download_pauses_pkey do nothing`
        const downloads = await tx<StoppedDownload[]>`
          select video_id, download_claim as claim
          from   video_entries entry
          where  ${mine} and standing in ('waiting', 'running') and ${host} in ('', video_host)`
        await stopIn(tx, user_id, downloads)
        return true
      }),

    resumeSite: (host: string): Promise<void> =>
      sql.begin(async tx => {
        await tx`delete from download_pauses where user_id = ${user_id} and host = ${host}`
        await requeueIn(tx, user_id)
      }),

    /** Everything that is paused: single downloads, sites and all. */
    resumeAll: (): Promise<void> =>
      sql.begin(async tx => {
        await tx`delete from download_pauses where user_id = ${user_id}`
        const paused = await eachValue<string>(tx`
          select video_id
          from   video_entries entry
          where  ${mine} and standing in ('waiting', 'running') and download_paused_at is not null`)
        await resumeIn(tx, paused)
      }),

    /** Puts a waiting download before the others of this person. `false`: it does not wait. */
    downloadNext: (video_id: string): Promise<boolean> => sql.begin(tx => nextIn(tx, video_id)),

    /**
     * Puts a waiting download before the others of this person. A worker starts it even if all slots are taken. `false`: it does not wait.
     */
    watchNow: (video_id: string): Promise<boolean> =>
      sql.begin(async tx => {
        const is_waiting = await nextIn(tx, video_id)
        if (is_waiting) await addWatchNow(tx, { user_id, video_id })
        return is_waiting
      }),

    /** Lets workers get ready for a video that may be watched next. Writes nothing. */
    expectWatch: () => sql`select pg_notify('watch_expected', '')`,

    /** Tries a site before its pause ends, with the next download of this person. `queue/host-checks.ts` says what a probe may do. */
    tryHost: (host: string): Promise<ProbeResult> => sql.begin(tx => tryHostIn(tx, user_id, host)),
  }
}

async function tryHostIn(tx: Queryable, user_id: UserId, host: string): Promise<ProbeResult> {
  // As the end of a run does, this locks the video before the probe.
  const video_id = await firstValue<string>(tx`
    select    video_id
    from      video_entries entry
    left join graphile_worker.jobs job on job.key = ${downloadKey({ user_id, video_id: '' })} || entry.video_id
    where     entry.user_id = ${user_id} and video_host = ${host} and standing = 'waiting' and not ${isPaused(tx)}
    order by  job.priority, job.run_at, job.id, entry.id
    limit     1
    for update of entry`)
  if (video_id === undefined) return 'nothing_waits'
  if (await isTrying(tx, user_id, host)) return 'trying'
  const job = { user_id, video_id }
  if (!(await beginProbe(tx, host, job))) return 'just_tried'
  // A retry that would wait, and a download of a rule, join what the person requested.
  await requestIn(tx, user_id, [video_id], 'person')
  await queueAgain(tx, { ...job, video_host: host, by: 'person' })
  await moveFirst(tx, job)
  return 'trying'
}

/** Whether the probe of this person runs. Another one would take its place. */
const isTrying = (tx: Queryable, user_id: UserId, host: string): Promise<boolean> =>
  hasAny(tx`
    select
    from   host_probes probe
    join   video_entries entry using (user_id, video_id)
    where  entry.user_id = ${user_id} and probe.host = ${host} and entry.standing = 'running'`)
