/**
 * The state of the service as metrics for Prometheus: the same facts as `/health`, as numbers. A label comes from a fixed list, so no
 * metric names a person, channel, video or host.
 */
import type { DatabaseRoom } from '../../db/postgres/room.ts'
import type { EndedRuns, Service } from '../../db/service/service.ts'
import type { ProcessFigures } from '../../runtime/measures.ts'
import { Reason } from '../../schema/downloads/run.ts'
import type { WorkerReport } from '../../schema/service/health.ts'
import { task_names } from '../../schema/service/jobs.ts'
import type { Distribution, Metric, Sample } from '../../schema/service/metrics.ts'
import { ageInDays } from '../../ytdlp/process/version.ts'
import { dead_after_s } from '../downloads/recovery.ts'

export type Figures = Awaited<ReturnType<typeof figuresOf>>

/** Asks one question after another, so that a scrape uses one connection. */
export async function figuresOf(service: Service) {
  return {
    reports: await service.workers(dead_after_s),
    last_beat_s: await service.lastBeat(),
    queue: await service.queue(),
    files: await service.files(),
    bin_bytes: await service.binBytes(),
    ended: await service.ended(),
    feeds: await service.feeds(),
    pushed_feeds: await service.pushedFeeds(),
    pictures: await service.pictures(),
    jobs: await service.jobs(),
    paused: await service.paused(),
    people: await service.people(),
    messages: await service.messages(),
  }
}

/** `null`: it cannot be used now. */
export type StorageFigures = { free_bytes: number; size_bytes: number } | null

/** What this process knows without the database. */
export type OwnFigures = {
  version: string
  runtime: string
  is_bucket: boolean
  requests: { le: number[]; all: Distribution[] }
  open_answers: number
  process: ProcessFigures
}

type StateFigures = {
  /** `undefined` while the database is away. */
  figures: Figures | undefined
  storage: StorageFigures
  /** `room`: `undefined` when the database is not on this machine. */
  database: { is_writable: boolean; room: DatabaseRoom | undefined }
  own: OwnFigures
}

export function metricsOf({ figures, storage, database, own }: StateFigures, now: Date): Metric[] {
  return [
    gauge('database_up', 'Whether the database answers this process.', figures ? 1 : 0),
    gauge('database_writable', 'Whether the database takes changes.', database.is_writable ? 1 : 0),
    ...diskMetrics('database_disk', 'of the embedded database', database.room),
    ...storageMetrics(storage, own.is_bucket),
    ...(figures ? serviceMetrics(figures, now) : []),
    ...ownMetrics(own),
  ]
}

const gauge = (name: string, help: string, samples: number | Sample[]): Metric => ({
  name: `backlot_${name}`,
  help,
  type: 'gauge',
  samples: typeof samples === 'number' ? [{ value: samples }] : samples,
})

/** A bucket has no size. Unfinished downloads are on the disk of a worker then. */
function storageMetrics(storage: StorageFigures, is_bucket: boolean): Metric[] {
  return [
    gauge('storage_up', 'Whether this process can store files.', storage ? 1 : 0),
    ...(storage && !is_bucket && Number.isFinite(storage.size_bytes)
      ? diskMetrics('disk', 'of DOWNLOADS_DIR', storage)
      : []),
  ]
}

const diskMetrics = (name: string, whose: string, room: DatabaseRoom | undefined): Metric[] =>
  room
    ? [
        gauge(`${name}_free_bytes`, `Free bytes on the disk ${whose}.`, room.free_bytes),
        gauge(`${name}_size_bytes`, `Size of the disk ${whose}.`, room.size_bytes),
      ]
    : []

function serviceMetrics(figures: Figures, now: Date): Metric[] {
  const { files, bin_bytes, pictures, people, pushed_feeds, jobs, paused, messages } = figures
  return [
    ...feedMetrics(figures),
    gauge('feeds_pushed', 'Feeds whose new videos a hub announces.', pushed_feeds),
    ...downloadMetrics(figures),
    ...workerMetrics(figures, now),
    gauge('files_bytes', 'Bytes of the files of all people.', files.bytes),
    gauge('bin_bytes', 'Bytes of deleted files that can be restored.', bin_bytes),
    gauge('pictures', 'Pictures that are not stored; counting ends at 10,000.', [
      { labels: { state: 'waiting' }, value: pictures.waiting },
      { labels: { state: 'given_up' }, value: pictures.given_up },
    ]),
    gauge(
      'hosts_paused',
      'Hosts that are paused, for everyone or for some, by kind of work.',
      countsBy(
        works,
        'work',
        paused.map(({ what, hosts }) => [what, hosts]),
      ),
    ),
    gauge(
      'jobs',
      'Jobs of the queue by task and state; over: without an attempt left.',
      jobs
        .filter(({ task }) => task_names.includes(task))
        .map(({ task, state, jobs }) => ({ labels: { task, state }, value: jobs })),
    ),
    gauge(
      'messages',
      'Messages to people of the last three days, by state.',
      Object.entries(messages).map(([state, value]) => ({ labels: { state }, value })),
    ),
    gauge('people', 'Accounts.', people.people),
    gauge('people_active', 'Accounts whose session or token was used within a day.', people.active),
    gauge('sessions', 'Sessions that are signed in.', people.sessions),
  ]
}

const feedMetrics = ({ feeds }: Figures): Metric[] => [
  gauge('feeds_due', 'Feeds whose check is due; counting ends at 50,000.', feeds.due),
  gauge('feeds_late_seconds', 'How long the check that is due first is due; 0: none is.', feeds.late_seconds),
  gauge('feeds_failing', 'Feeds that could not be read at the last check; counting ends at 50,000.', feeds.failing),
]

function downloadMetrics({ queue, files, ended }: Figures): Metric[] {
  const { running, waiting, failed } = queue
  const states = Object.entries({ running, waiting, failed, done: files.files })
  const completed = ended.filter(({ is_completed }) => is_completed)
  return [
    gauge(
      'downloads',
      'Downloads of all people by state.',
      states.map(([state, value]) => ({ labels: { state }, value })),
    ),
    gauge(
      'downloads_oldest_waiting_seconds',
      'How long the download that could run first waits; 0: none could.',
      queue.oldest_waiting_seconds ?? 0,
    ),
    gauge('downloads_completed_last_hour', 'Downloads that completed within the last hour.', runsOf(completed)),
    gauge(
      'downloads_failed_last_hour',
      'Downloads whose last attempt failed within the last hour, by cause.',
      countsBy(
        causes,
        'cause',
        ended.filter(({ is_completed }) => !is_completed).map(({ reason, runs }) => [causeOf(reason), runs]),
      ),
    ),
    gauge(
      'downloads_fetched_last_hour_bytes',
      'Bytes of files that were fetched from sites within the last hour.',
      completed.reduce((sum, { bytes }) => sum + bytes, 0),
    ),
  ]
}

const runsOf = (ended: EndedRuns[]): number => ended.reduce((sum, { runs }) => sum + runs, 0)

function workerMetrics({ reports, last_beat_s }: Figures, now: Date): Metric[] {
  const ages = reports.flatMap(({ ytdlp_version }) => ageInDays(ytdlp_version ?? '', now) ?? [])
  return [
    gauge('workers', 'Workers that are alive.', reports.length),
    gauge(
      'worker_slots',
      'Downloads that they can run at once.',
      reports.reduce((sum, { slots = 0 }) => sum + slots, 0),
    ),
    gauge(
      'worker_last_beat_seconds',
      'Seconds since the last heartbeat of any worker.',
      last_beat_s === null ? [] : last_beat_s,
    ),
    gauge('workers_in_trouble', 'Workers that lack a tool, can store nothing, or have a proxy that does not work.', [
      { labels: { lack: 'tools' }, value: reports.filter(({ missing }) => missing).length },
      { labels: { lack: 'storage' }, value: reports.filter(({ storage }) => storage).length },
      { labels: { lack: 'proxy' }, value: reports.filter(({ proxy }) => proxy?.trouble).length },
    ]),
    gauge('ytdlp_info', 'Workers by their version of yt-dlp, and where it is from.', versions(reports)),
    gauge(
      'ytdlp_age_seconds',
      'Age of the oldest yt-dlp that a worker uses.',
      ages.length === 0 ? [] : Math.max(...ages) * 86_400,
    ),
  ]
}

/** A version is a date with an optional number, so it names nothing else. */
function versions(reports: WorkerReport[]): Sample[] {
  const found = reports.map(({ ytdlp_version, ytdlp_source }) => ({
    version: /^\d{4}\.\d\d?\.\d\d?([.-]\d+)?$/.exec(ytdlp_version ?? '')?.[0] ?? 'unknown',
    source: ytdlp_source ?? 'unknown',
  }))
  return [...Map.groupBy(found, labels => `${labels.version} ${labels.source}`).values()].flatMap(same =>
    same[0] ? [{ labels: same[0], value: same.length }] : [],
  )
}

function ownMetrics({ version, runtime, requests, open_answers, process }: OwnFigures): Metric[] {
  return [
    gauge('build_info', 'The release, and the runtime of this process.', [{ labels: { version, runtime }, value: 1 }]),
    {
      name: 'backlot_http_request_duration_seconds',
      help: 'Time until an answer begins, by kind of route, method and class of status.',
      type: 'histogram',
      le: requests.le,
      samples: requests.all,
    },
    gauge('open_answers', 'Answers to signed-in people that this process sends now.', open_answers),
    gauge(
      'event_loop_delay_seconds',
      'How late timers of this process are, in 99 of 100 cases since the last scrape.',
      process.late_seconds,
    ),
    own('process_resident_memory_bytes', 'Resident memory of this process.', 'gauge', process.memory_bytes),
    own('process_cpu_seconds_total', 'Processor time of this process.', 'counter', process.cpu_seconds),
    own('process_start_time_seconds', 'When this process started, in seconds since 1970.', 'gauge', process.started_at),
  ]
}

/** Prometheus gives these names for every program. */
const own = (name: string, help: string, type: 'gauge' | 'counter', value: number): Metric => ({
  name,
  help,
  type,
  samples: [{ value }],
})

/** A sample for each of `all`, so that a count of 0 is seen too. */
function countsBy<Name extends string>(all: readonly Name[], label: string, counted: [Name, number][]): Sample[] {
  return all.map(name => ({
    labels: { [label]: name },
    value: counted.reduce((sum, [of, count]) => (of === name ? sum + count : sum), 0),
  }))
}

const works = ['downloads', 'feeds', 'looks', 'captions', 'pictures'] as const

const causes = ['site', 'machine', 'video', 'broken_off', 'unknown'] as const
type Cause = (typeof causes)[number]

const cause_of: Partial<Record<Reason, Cause>> = {
  rate_limited: 'site',
  bot_check: 'site',
  fingerprint: 'site',
  site_trouble: 'site',
  extraction: 'site',
  no_room: 'machine',
  quota: 'machine',
  tools: 'machine',
  local: 'machine',
  storage: 'machine',
  silent: 'broken_off',
  too_long: 'broken_off',
  cut_off: 'broken_off',
  unknown: 'unknown',
}

/** All other reasons are of the video. */
function causeOf(reason: string | null): Cause {
  const known = Reason.safeParse(reason)
  return known.success ? (cause_of[known.data] ?? 'video') : 'unknown'
}
