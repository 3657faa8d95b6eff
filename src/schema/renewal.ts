/** How yt-dlp is kept up to date on one machine: what `tools/yt-dlp/state.json` holds, and what the health page shows of it. */
import { z } from 'zod'

export const ReleaseChannel = z.enum(['stable', 'nightly'])
export type ReleaseChannel = z.infer<typeof ReleaseChannel>

export const YtdlpSource = z.enum(['named', 'own', 'path'])
export type YtdlpSource = z.infer<typeof YtdlpSource>

const Moment = z.iso.datetime()

/** `null` everywhere: not yet. Versions are folders beside the file. */
export const Renewal = z.object({
  channel: ReleaseChannel.default('stable'),
  current: z.string().nullable().default(null),
  /** Kept so that a worse release can be undone; running downloads may still use it. */
  previous: z.string().nullable().default(null),
  switched_at: Moment.nullable().default(null),
  checked_at: Moment.nullable().default(null),
  /** What came of the latest check. */
  outcome: z.enum(['up_to_date', 'switched', 'failed', 'rolled_back']).nullable().default(null),
  /** Why the latest check, or one source of it, failed. */
  problem: z.string().max(500).nullable().default(null),
  /** The latest return to an older version. */
  rolled_back: z.object({ from: z.string(), to: z.string(), at: Moment, why: z.string() }).nullable().default(null),
  /** Versions that were worse, and are not taken again. */
  refused: z.array(z.string()).default([]),
  /** The latest version that did not pass its test; tried again a day later. */
  failed: z.object({ version: z.string(), at: Moment }).nullable().default(null),
})
export type Renewal = z.infer<typeof Renewal>

export const no_renewal: Renewal = Renewal.parse({})

/** What the health page shows. */
export const RenewalReport = Renewal.pick({
  channel: true,
  previous: true,
  switched_at: true,
  checked_at: true,
  outcome: true,
  problem: true,
  rolled_back: true,
})
export type RenewalReport = z.infer<typeof RenewalReport>
