/** The state of the service, over all people: counts and hosts, and never whose they are. */
import { z } from 'zod'
import { RenewalReport, YtdlpSource } from './renewal.ts'

const ProxyKind = z.enum(['http', 'socks5'])
export type ProxyKind = z.infer<typeof ProxyKind>

const Moment = z.iso.datetime()

/** What the operator adds to yt-dlp, and how downloads of this worker ended with it. */
export const OperatorReport = z.object({
  options: z.array(z.string()).describe('The names of the options in YTDLP_CONFIG.'),
  plugins: z.array(z.string()).describe('The names of the plugins in YTDLP_PLUGINS.'),
  problem: z.string().nullable().describe('Why yt-dlp cannot use them; null: it can.'),
  completed_at: Moment.nullable().describe('When a download with them was completed last; null: none since the start.'),
  failed_at: Moment.nullable().describe('When a download with them failed last; null: none since the start.'),
  failed_reason: z.string().nullable().describe('Why that one failed: `bot_check`, `rate_limited`, …'),
})
export type OperatorReport = z.infer<typeof OperatorReport>

/** What a worker found on its machine, as stored in `workers.report`. `null`: not found. */
export const WorkerReport = z.object({
  ytdlp_version: z.string().nullable(),
  ffmpeg_version: z.string().nullable(),
  /** Absent in the reports of older releases. */
  ytdlp_source: YtdlpSource.nullable().optional(),
  /** The updates of the yt-dlp in the data folder; `null`: not updated by us. */
  renewal: RenewalReport.nullable().optional(),
  /** `null`: the operator adds nothing to yt-dlp. Absent in the reports of older releases. */
  operator: OperatorReport.nullable().optional(),
  /** The JavaScript runtime that yt-dlp may use: "node 24.21.0". */
  javascript: z.string().nullable(),
  /** What to do about a missing tool. */
  missing: z.string().nullable(),
  /** Why it can store nothing now, and what to do; `null`: it can. Absent in the reports of older releases. */
  storage: z.string().nullable().optional(),
  /** What a wrong clock has done, as a sentence; `null`: nothing. Absent in the reports of older releases. */
  clock: z.string().nullable().optional(),
  /**
   * The proxy of DOWNLOAD_PROXY, and what is wrong with it now, as a sentence; `null`: there is none. Absent in the reports of older
   * releases.
   */
  proxy: z.object({ kind: ProxyKind, trouble: z.string().nullable() }).nullable().optional(),
  /** How many downloads it runs at once. */
  slots: z.int().optional(),
})
export type WorkerReport = z.infer<typeof WorkerReport>

export const QueueState = z.object({
  waiting: z.int().describe('How many downloads wait for a worker or for the next attempt.'),
  running: z.int().describe('How many downloads are running.'),
  oldest_waiting_seconds: z
    .int()
    .nullable()
    .describe('How long the oldest download that could run has waited; null: none could run now.'),
  failed: z.int().describe('How many downloads failed.'),
  failing_sites: z.int().describe('From how many sites.'),
})
export type QueueState = z.infer<typeof QueueState>

/** There can be millions, and a page must not count them all. */
export const max_counted_pictures = 10_000
export const PictureState = z.object({
  waiting: z.int().describe('How many pictures wait to be fetched; 10,000 means that many or more.'),
  given_up: z.int().describe('How many pictures could not be fetched; 10,000 means that many or more.'),
})
export type PictureState = z.infer<typeof PictureState>

const PausedWork = z.enum(['downloads', 'feeds', 'looks', 'captions', 'pictures'])
export type PausedWork = z.infer<typeof PausedWork>

export const FailingSite = z.object({
  host: z.string().describe('The name of the site, without www.'),
  failed: z.int().describe('How many downloads failed.'),
  reasons: z.array(z.string()).describe('Why they fail: `members`, `bot_check`, `rate_limited`, …'),
  latest_error: z.string().nullable().describe('The latest error, as a sentence; null: none failed.'),
  rests_until: z
    .date()
    .nullable()
    .describe('Until when the site is paused, for all people or for some; null: it is not paused.'),
  paused: z.array(PausedWork).describe('What is paused.'),
})
export type FailingSite = z.infer<typeof FailingSite>

export const Health = z
  .object({
    status: z.enum(['ok', 'warning']).describe('`warning`: see `warnings`.'),
    warnings: z.array(z.string()).describe('What is wrong and what to do, one sentence each, the worst first.'),
    workers: z.int().describe('How many workers are alive.'),
    ytdlp: z
      .object({
        version: z.string().describe('The installed version.'),
        age_days: z.int().nullable().describe('The age of the version in days; null: unknown.'),
        outdated: z.boolean().describe('The version is so old that sites may refuse it.'),
        source: YtdlpSource.nullable().describe(
          '`named`: from YTDLP_PATH. `own`: in the data folder, updated automatically. `path`: installed on the machine.',
        ),
      })
      .nullable()
      .describe('Null: missing, or not reported yet.'),
    renewal: RenewalReport.nullable().describe('The updates of yt-dlp; null: not updated by us, or not reported yet.'),
    operator: OperatorReport.nullable().describe(
      'What the operator adds to yt-dlp; null: nothing, or not reported yet.',
    ),
    ffmpeg: z
      .object({ version: z.string().describe('The installed version.') })
      .nullable()
      .describe('Null: missing, or not reported yet.'),
    javascript: z.string().nullable().describe('The JavaScript runtime that yt-dlp uses; null: none.'),
    proxy: ProxyKind.nullable().describe('The kind of the proxy through which downloads leave; null: there is none.'),
    download_times: z
      .object({
        hours: z
          .string()
          .nullable()
          .describe('In which downloads run, such as `from 22:00 to 06:00`; null: at any time.'),
        time_zone: z.string().describe('The time zone of these hours.'),
        begin_at: z.date().nullable().describe('When these hours begin; null: downloads run now.'),
        bytes_per_second: z.int().nullable().describe('The rate of all downloads of one worker now; null: no limit.'),
      })
      .nullable()
      .describe('DOWNLOAD_HOURS and DOWNLOAD_RATE; null: neither is set.'),
    queue: QueueState.describe('The downloads of all people.'),
    feeds: z
      .object({
        due: z.int().describe('Of how many feeds a check is due; 50,000 means that many or more.'),
        late_seconds: z.number().describe('How long the check that is due first is due; 0: none is.'),
        failing: z
          .int()
          .describe('How many feeds could not be read at the last check; 50,000 means that many or more.'),
      })
      .describe('The feeds of all people.'),
    pushed_feeds: z.int().describe('Of how many feeds a hub announces new videos (WebSub).'),
    pictures: PictureState.describe('The pictures of all videos and channels.'),
    disk: z
      .object({
        free_bytes: z.number().describe('Free space in bytes.'),
        bin_bytes: z.int().describe('Bytes of the deleted files of all people that can be restored.'),
      })
      .nullable()
      .describe('The disk with the downloads; null: unknown.'),
    sites: z
      .array(FailingSite.extend({ remedy: z.string().nullable().describe('What you can do about it, in sentences.') }))
      .describe('Sites at which downloads fail, or that are paused, 50 at most.'),
  })
  .meta({ id: 'Health' })
export type Health = z.infer<typeof Health>

/** The form of a repair. `host`: absent, of all hosts. */
export const HostForm = z.object({ host: z.string().trim().toLowerCase().min(1).max(300).optional() })
