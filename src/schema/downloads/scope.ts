/** Videos that are downloaded together: which of a channel's, or of everything the person has. */
import { z } from 'zod'
import { ChannelId } from '../values/ids.ts'

/** In the order of the menu. */
export const Which = z.enum(['newest', 'unwatched', 'year', 'all'])
export type Which = z.infer<typeof Which>

/** How many videos `newest` means. */
export const newest_count = 20

/** At most this many are queued by one request, the newest ones. */
export const most_at_once = 5000

export const ScopeOf = z.object({
  channel_id: ChannelId.optional().describe('Only videos of this channel; absent: of all channels.'),
})
export type ScopeOf = z.infer<typeof ScopeOf>

export const Scope = ScopeOf.extend({
  which: Which.describe(
    `\`newest\`: the ${newest_count} newest. \`unwatched\`: those you did not watch. \`year\`: published in this calendar year, in UTC. \`all\`: every one. Never videos that are on disk, in the queue, failed, live, or that their site does not give away. At most ${most_at_once} are queued at once, the newest ones.`,
  ),
})
export type Scope = z.infer<typeof Scope>

/** `confirmed`: the person was told how many and how large they are. */
export const ScopeForm = Scope.extend({ confirmed: z.string().optional() })

/** The downloads that were requested together. */
export const TakeBackForm = z.object({ requested_at: z.iso.datetime().transform(at => new Date(at)) })

/** The downloads that were cancelled together. */
export const QueueAgainForm = z.object({ cancelled_at: z.iso.datetime().transform(at => new Date(at)) })

const ScopeSize = z.object({
  count: z.number().int().describe('How many videos would be queued.'),
  bytes: z.number().int().describe('About how many bytes they take, by their lengths and your files.'),
})
export type ScopeSize = z.infer<typeof ScopeSize>

/** What a person is asked before many videos are queued. `free_bytes`: on the disk; null: unknown. `quota_left`: null: there is no quota. */
export type ScopeQuestion = ScopeSize & { free_bytes: number | null; quota_left: number | null }

export const ScopeOutlook = z
  .object({
    newest: ScopeSize.describe('The newest videos.'),
    unwatched: ScopeSize.describe('Those that you did not watch.'),
    year: ScopeSize.describe('Those of this year.'),
    all: ScopeSize.describe('Every one.'),
  })
  .meta({ id: 'ScopeOutlook' })
export type ScopeOutlook = z.infer<typeof ScopeOutlook>
