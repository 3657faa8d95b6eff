/** The updates of yt-dlp on one machine: the content of `tools/yt-dlp/state.json`, and the part that the health page shows. */
import { z } from 'zod'

export const ReleaseChannel = z.enum(['stable', 'nightly'])
export type ReleaseChannel = z.infer<typeof ReleaseChannel>

export const YtdlpSource = z.enum(['named', 'own', 'path'])
export type YtdlpSource = z.infer<typeof YtdlpSource>

const Moment = z.iso.datetime()

/** `null` everywhere: not yet. Each version is a folder next to the file. */
export const Renewal = z.object({
  channel: ReleaseChannel.default('stable').describe('Which releases are installed.'),
  current: z.string().nullable().default(null),
  /** Kept so that a worse release can be undone; running downloads may still use it. */
  previous: z.string().nullable().default(null).describe('The version before the current one.'),
  switched_at: Moment.nullable().default(null).describe('When the current version was installed.'),
  checked_at: Moment.nullable().default(null).describe('When the last check for updates was.'),
  outcome: z
    .enum(['up_to_date', 'switched', 'failed', 'rolled_back'])
    .nullable()
    .default(null)
    .describe('The result of the last check for updates.'),
  problem: z.string().max(500).nullable().default(null).describe('Why the last check, or one of its sources, failed.'),
  rolled_back: z
    .object({
      from: z.string().describe('The version that was worse.'),
      to: z.string().describe('The older version.'),
      at: Moment.describe('When this happened.'),
      why: z.string().describe('The reason, as a sentence.'),
    })
    .nullable()
    .default(null)
    .describe('The last return to an older version.'),
  /** Versions that were worse and are never installed again. */
  refused: z.array(z.string()).default([]),
  /** The last version that did not pass its test; it is tried again a day later. */
  failed: z.object({ version: z.string(), at: Moment }).nullable().default(null),
})
export type Renewal = z.infer<typeof Renewal>

export const no_renewal: Renewal = Renewal.parse({})

export const RenewalReport = Renewal.omit({ current: true, refused: true, failed: true })
export type RenewalReport = z.infer<typeof RenewalReport>
