/** The state of the service over all people, with a warning for everything that an administrator should fix. */
import type { ServiceDesk } from '../../db/admin/service-desk.ts'
import type { Notice } from '../../db/notifications/everyone/notices.ts'
import { databaseTrouble } from '../../db/postgres/room.ts'
import type { Service } from '../../db/service/service.ts'
import { downloadTimes, hoursBeginAt } from '../../runtime/download-times.ts'
import { hoursWords, rateAt } from '../../schema/downloads/hours.ts'
import type { Reason } from '../../schema/downloads/run.ts'
import type { Health, OperatorReport, WorkerReport } from '../../schema/service/health.ts'
import { secondsWords } from '../../schema/values/words.ts'
import type { Files } from '../../store/files.ts'
import { ageInDays, isAtLeast, oldest_safe } from '../../ytdlp/process/version.ts'
import { dead_after_s } from '../downloads/recovery.ts'
import { reachTrouble } from '../downloads/room.ts'

export async function healthOf(service: Service, desk: ServiceDesk, files: Files, now: Date): Promise<Health> {
  const [trouble, pushed_feeds, pictures, queue, sites, bin_bytes] = await Promise.all([
    lookForTrouble(service, files),
    service.pushedFeeds(),
    service.pictures(),
    service.queue(),
    desk.sites(),
    service.binBytes(),
  ])
  const { reports, feeds, free_bytes } = trouble
  const report = oldest(reports)
  const warnings = noticesOf(trouble, now).map(({ sentence }) => sentence)
  return {
    status: warnings.length === 0 ? 'ok' : 'warning',
    warnings,
    workers: reports.length,
    ytdlp: report?.ytdlp_version
      ? { ...ytdlpOf(report.ytdlp_version, now), source: report.ytdlp_source ?? null }
      : null,
    renewal: report?.renewal ?? null,
    operator: operatorOf(reports),
    ffmpeg: report?.ffmpeg_version ? { version: report.ffmpeg_version } : null,
    javascript: report?.javascript ?? null,
    proxy: reports.find(({ proxy }) => proxy)?.proxy?.kind ?? null,
    download_times: timesNow(now),
    queue: { ...queue, failing_sites: sites.filter(({ failed }) => failed > 0).length },
    feeds,
    pushed_feeds,
    pictures,
    disk: Number.isFinite(free_bytes) ? { free_bytes, bin_bytes } : null,
    sites: sites.map(site => ({ ...site, remedy: remedyFor(site.reasons) })),
  }
}

function timesNow(now: Date): Health['download_times'] {
  const { hours, rates, time_zone } = downloadTimes()
  if (hours.length + rates.length === 0) return null
  return {
    hours: hours.length === 0 ? null : hoursWords(hours),
    time_zone,
    begin_at: hoursBeginAt(),
    bytes_per_second: rateAt({ rates, time_zone }, now) ?? null,
  }
}

const remedyFor = (reasons: string[]): string | null =>
  Object.entries(remedies).find(([reason]) => reasons.includes(reason))?.[1] ?? null

const remedies: { [reason in Reason]?: string } = {
  bot_check:
    'The site asks for a proof that no robot is asking. A plugin that provides it (for YouTube, a PO-token provider), DOWNLOAD_PROXY or cookies may help. See “Your options and plugins” in docs/yt-dlp.md.',
  fingerprint:
    'The site refuses yt-dlp by its TLS fingerprint. Install curl_cffi for the Python that runs yt-dlp, or set YTDLP_PATH to the binary of yt-dlp, which has curl_cffi. Then restart the workers.',
}

/** What the workers report together. All of them have one configuration, unless they are being restarted. */
function operatorOf(reports: WorkerReport[]): OperatorReport | null {
  const found = reports.flatMap(({ operator }) => operator ?? [])
  const [first] = found
  if (!first) return null
  const failed = latestBy(found, ({ failed_at }) => failed_at)
  return {
    ...first,
    problem: found.find(({ problem }) => problem !== null)?.problem ?? null,
    completed_at: latestBy(found, ({ completed_at }) => completed_at)?.completed_at ?? null,
    failed_at: failed?.failed_at ?? null,
    failed_reason: failed?.failed_reason ?? null,
  }
}

const latestBy = (reports: OperatorReport[], at: (report: OperatorReport) => string | null) =>
  reports.toSorted((a, b) => ((at(a) ?? '') < (at(b) ?? '') ? 1 : -1))[0]

type Trouble = Awaited<ReturnType<typeof lookForTrouble>>

/** What may be wrong. */
export async function lookForTrouble(service: Service, files: Files) {
  const [reports, feeds, guarded_links, free_bytes, storage, database, is_read_only] = await Promise.all([
    service.workers(dead_after_s),
    service.feeds(),
    service.guardedLinks(),
    files.freeBytes().catch(() => Number.POSITIVE_INFINITY),
    reachTrouble(files),
    databaseTrouble(),
    service.isReadOnly(),
  ])
  return { reports, feeds, guarded_links, free_bytes, storage, database: is_read_only ? read_only : database }
}

const read_only = 'The database is read-only, so nothing can be saved. Set DATABASE_URL to the primary server.'

/** What was wrong, by the name of its notice: the sentence for administrators once it is over. */
const names = {
  workers: 'no worker was running.',
  database: 'the database could not be written, or its disk was almost full.',
  clock: 'the clock was ahead, and times from the future were found.',
  storage: 'files could not be stored.',
  proxy: 'the proxy of DOWNLOAD_PROXY did not work.',
  tools: 'a tool was missing or outdated.',
  feeds: 'feeds were checked late.',
  disk: 'the downloads disk was almost full.',
  media: 'files disappeared from MEDIA_DIR.',
}
type NoticeName = keyof typeof names

export const wasWrong = (notice: string): string => names[notice as NoticeName] ?? `${notice}.`

/** What is wrong. One notice may have several sentences. */
export function noticesOf(
  { reports, feeds, guarded_links, free_bytes, storage, database }: Trouble,
  now: Date,
): (Notice & { notice: NoticeName })[] {
  const found: Record<NoticeName, (string | null | undefined)[]> = {
    workers:
      reports.length === 0 ? ['No worker is running, so nothing is downloaded. Start one with `npm run worker`.'] : [],
    database: [database],
    clock: reports.map(({ clock }) => clock),
    storage: [storage, ...reports.map(report => report.storage)],
    proxy: reports.map(({ proxy }) => proxy?.trouble),
    tools: reports.flatMap(report => toolWarnings(report, now)),
    feeds:
      feeds.late_seconds > late_after_s
        ? [
            `Feeds are checked late: the first one has been due for ${secondsWords(feeds.late_seconds)}. Look for paused hosts below, or start another worker.`,
          ]
        : [],
    disk: free_bytes < little_bytes ? ['The downloads disk is almost full. Delete some videos or add space.'] : [],
    media:
      guarded_links > 0
        ? [
            `${guarded_links} files of one person disappeared from MEDIA_DIR at once. No video was deleted, and the folder is filled again. Check that its disk is mounted, and that all workers have the same MEDIA_DIR.`,
          ]
        : [],
  }
  return Object.entries(found).flatMap(([notice, sentences]) =>
    [...new Set(sentences)].flatMap(sentence => (sentence ? [{ notice: notice as NoticeName, sentence }] : [])),
  )
}

/** What is wrong with the tools of one worker, in sentences for the administrator. */
export function toolWarnings({ missing, ytdlp_version, operator }: ToolsFound, now: Date): string[] {
  if (missing) return [missing]
  if (ytdlp_version === null) return []
  if (operator?.problem) return [operator.problem]
  if (!isAtLeast(ytdlp_version, oldest_safe))
    return [`yt-dlp ${ytdlp_version} has known security holes. Update it to ${oldest_safe} or newer.`]
  const { age_days, outdated } = ytdlpOf(ytdlp_version, now)
  return outdated ? [`yt-dlp ${ytdlp_version} is ${age_days} days old. Update it: sites change every few weeks.`] : []
}

export type ToolsFound = Pick<WorkerReport, 'missing' | 'ytdlp_version' | 'operator'>

/** Sites change often, so downloads begin to fail with an older yt-dlp. */
const outdated_days = 90
const little_bytes = 1e9
/** A feed waits for its host, or for other feeds, without anything being wrong. */
const late_after_s = 3600

function ytdlpOf(version: string, now: Date) {
  const age_days = ageInDays(version, now)
  return {
    version,
    age_days: age_days ?? null,
    outdated: !isAtLeast(version, oldest_safe) || (age_days ?? 0) > outdated_days,
  }
}

/** The report with the oldest yt-dlp. */
const oldest = (reports: WorkerReport[]): WorkerReport | undefined =>
  reports.toSorted((a, b) => ((a.ytdlp_version ?? '') < (b.ytdlp_version ?? '') ? -1 : 1))[0]
