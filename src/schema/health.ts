/** How the service itself is doing. What is told of other people's downloads are counts alone. */
import { z } from 'zod'
import { RenewalReport, YtdlpSource } from './renewal.ts'

/** What a worker found on its machine; it stands in `workers.report`. `null`: there is none. */
export const WorkerReport = z.object({
  ytdlp_version: z.string().nullable(),
  ffmpeg_version: z.string().nullable(),
  /** Whose yt-dlp it is; a worker of an earlier release does not say. */
  ytdlp_source: YtdlpSource.nullable().optional(),
  /** How the yt-dlp of the data folder is renewed; `null`: it is not. */
  renewal: RenewalReport.nullable().optional(),
  /** The JavaScript runtime that yt-dlp may use: "node 24.21.0". */
  javascript: z.string().nullable(),
  /** What to do about a tool that is missing. */
  missing: z.string().nullable(),
  /** Downloads that it runs at once. */
  slots: z.number().int().optional(),
  /** Downloads that failed and wait for nobody but their owners. */
  failed: z.number().int(),
  /** Hosts with such downloads. */
  failing_sites: z.number().int(),
})
export type WorkerReport = z.infer<typeof WorkerReport>

export const Queue = z.object({
  /** In line, their next attempt planned included. */
  waiting: z.number().int(),
  running: z.number().int(),
  /** `null`: none of those in line could run now. */
  oldest_waiting_seconds: z.number().int().nullable(),
})
export type Queue = z.infer<typeof Queue>

/** A site that does not let your downloads through. */
export const FailingSite = z.object({
  host: z.string(),
  failed: z.number().int(),
  /** What the latest of them failed with; `null`: none did. */
  latest_error: z.string().nullable(),
  /** Until when the site asked to be left alone; `null`: it does not. */
  rests_until: z.date().nullable(),
})
export type FailingSite = z.infer<typeof FailingSite>

export const Health = z.object({
  status: z.enum(['ok', 'warning']),
  /** What is wrong, a sentence each, the worst first. */
  warnings: z.array(z.string()),
  /** How many live. */
  workers: z.number().int(),
  /** `null`: it is missing, or no worker has said yet. */
  ytdlp: z
    .object({
      version: z.string(),
      age_days: z.number().int().nullable(),
      outdated: z.boolean(),
      /** `named`: in YTDLP_PATH; `own`: in the data folder, kept up to date; `path`: installed on the machine. */
      source: YtdlpSource.nullable(),
    })
    .nullable(),
  /** How the yt-dlp of the data folder is kept up to date; `null`: it is not, or no worker has said yet. */
  renewal: RenewalReport.nullable(),
  ffmpeg: z.object({ version: z.string() }).nullable(),
  javascript: z.string().nullable(),
  queue: Queue.extend({
    /** `null`: no worker has counted yet. */
    failed: z.number().int().nullable(),
    failing_sites: z.number().int().nullable(),
  }),
  /** Free on the disk of the downloads; `null`: the system does not tell. */
  disk: z.object({ free_bytes: z.number() }).nullable(),
  /** Yours alone. */
  sites: z.array(FailingSite),
})
export type Health = z.infer<typeof Health>
