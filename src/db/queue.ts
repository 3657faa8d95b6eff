/** Jobs, added in the caller's own transaction, so that a state and its job are saved together or not at all. */

import { type Download, max_attempts } from '../schema/download.ts'
import type { DownloadJob, ImportJob } from '../schema/jobs.ts'
import type { UserId } from '../schema/user.ts'
import type { Queryable } from './client.ts'

/** One key per user and video: asking twice leaves one job. */
export const downloadKey = ({ user_id, video_id }: DownloadJob): string => `download:${user_id}:${video_id}`

/** Marks the jobs of one host, so that workers can pass them over while it needs a rest. */
export const hostFlag = (video_host: string): string => `host:${video_host}`

/** What a person clicked goes before what a rule queued, whatever the rounds. */
export const first_round = { person: 0, rule: 16_000 }
export type AskedBy = keyof typeof first_round
/** A priority is a `smallint`; whoever waits for more rounds than that stands in the last one, by time. */
const rounds = 15_999

export type HostedVideo = { video_id: string; video_host: string | null }

/** Queues those that were just asked for. What waits because of a rule alone moves up when a person asks for it. */
export async function queueUp(
  sql: Queryable,
  user_id: UserId,
  videos: HostedVideo[],
  just_asked: Set<string>,
  by: AskedBy,
): Promise<void> {
  const others = videos.filter(({ video_id }) => !just_asked.has(video_id))
  const keys = others.map(({ video_id }) => downloadKey({ user_id, video_id }))
  const by_rule =
    by === 'rule' || keys.length === 0
      ? []
      : await sql<{ key: string }[]>`
          select key
          from   graphile_worker.jobs
          where  key = any(${keys}) and priority >= ${first_round.rule} and locked_at is null`
  const hurried = new Set(by_rule.map(({ key }) => key))
  const wanted = videos.filter(
    ({ video_id }) => just_asked.has(video_id) || hurried.has(downloadKey({ user_id, video_id })),
  )
  if (wanted.length > 0) await addDownloads(sql, user_id, wanted, by)
}

/**
 * Adds one user's downloads, in this order, one to each of the next rounds that this user has nothing in. A round is a
 * priority, and users who have as many rounds before them take turns: a thousand downloads never stand before another's one.
 */
const addDownloads = (sql: Queryable, user_id: UserId, videos: HostedVideo[], by: AskedBy) => sql`
  with class as (
    select priority, run_at, locked_at, starts_with(key, ${downloadKey({ user_id, video_id: '' })}) as mine
    from   graphile_worker.jobs
    where  task_identifier = 'download'
    and    priority between ${first_round[by]} and ${first_round[by] + rounds}
  ),
  round as (
    select greatest(
             ${first_round[by]}::int,
             min(priority) filter (where locked_at is null and run_at <= now()),
             max(priority) filter (where mine) + 1) as next
    from   class
  ),
  asked as (
    select *
    from   unnest(${videos.map(({ video_id }) => video_id)}::text[],
                  ${videos.map(video => downloadKey({ user_id, ...video }))}::text[],
                  ${videos.map(({ video_host }) => hostFlag(video_host ?? ''))}::text[])
           with ordinality as video (video_id, key, flag, place)
  )
  select count(*)
  from   graphile_worker.add_jobs(array(
           select ('download', json_build_object('user_id', ${user_id}::text, 'video_id', video_id), null, now(),
                   ${max_attempts}, key, least(round.next + place - 1, ${first_round[by] + rounds}),
                   array[flag])::graphile_worker.job_spec
           from   asked, round
           order by place))`

/** What was begun comes again at `run_at`, or now, in the round it had; without one it is the next to run. */
export const addDownload = (
  sql: Queryable,
  job: DownloadJob & { video_host: string | null },
  run_at: Date | null = null,
) => sql`
  select graphile_worker.add_job(
    'download',
    payload      := ${sql.json({ user_id: job.user_id, video_id: job.video_id })}::json,
    job_key      := ${downloadKey(job)},
    max_attempts := ${max_attempts},
    priority     := coalesce((select priority from graphile_worker.jobs where key = ${downloadKey(job)}), ${first_round.person}),
    flags        := array[${hostFlag(job.video_host ?? '')}],
    run_at       := ${run_at}::timestamptz)`

/** How many stand in line up to each of these downloads, itself included, in the order in which the queue takes them. */
export async function placesInLine(sql: Queryable, user_id: UserId, video_ids: string[]): Promise<Map<string, number>> {
  const keys = new Map(video_ids.map(video_id => [downloadKey({ user_id, video_id }), video_id]))
  const rows = await sql<{ key: string; place: number }[]>`
    select key, place
    from   (select key, row_number() over (order by priority, run_at, id) as place
            from   graphile_worker.jobs
            where  task_identifier = 'download' and locked_at is null and run_at <= now() and attempts < max_attempts) line
    where  key = any(${[...keys.keys()]})`
  return new Map(rows.map(({ key, place }) => [keys.get(key) ?? '', place]))
}

export type Unplaced<T extends Download> = Omit<T, 'queue_position'>

/** Only what waits has a place in line; without any, the line is not looked at. */
export async function withPlaces<T extends Unplaced<Download>>(sql: Queryable, user_id: UserId, rows: T[]) {
  const waiting = rows.filter(({ queued }) => queued).map(({ video_id }) => video_id)
  const places = waiting.length === 0 ? new Map<string, number>() : await placesInLine(sql, user_id, waiting)
  return rows.map(row => ({ ...row, queue_position: places.get(row.video_id) ?? null }))
}

/** Takes a waiting job out; a running one is told by its own claim instead, and is not tried again. */
export const removeDownload = (sql: Queryable, job: DownloadJob) => sql`
  select graphile_worker.remove_job(${downloadKey(job)})`

/** One list of a user after the other; a stretch that adds the next one is not held up by its own key. */
export const addImport = (sql: Queryable, job: ImportJob, run_at: Date | null = null) => sql`
  select graphile_worker.add_job(
    'import-channels',
    payload    := ${sql.json(job)}::json,
    queue_name := ${`import:${job.user_id}`},
    job_key    := ${`import:${job.user_id}:${job.import_id}`},
    run_at     := ${run_at}::timestamptz)`
