/** What the API takes and answers about downloads: several, those of a site, all of a scope, or all. */
import { z } from 'zod'
import { ChannelId, cursor, limit, listOf, SentTime, VideoId } from '../values/fields.ts'
import { Download, Sort, Standing } from './download.ts'
import { meaning, Quality } from './quality.ts'

/** Which videos are downloaded together, of a channel or of everything the person has. In the order of the menu. */
export const Which = z.enum(['newest', 'unwatched', 'year', 'all'])
export type Which = z.infer<typeof Which>

/** How many videos `newest` means. */
export const newest_count = 20

/** At most this many are queued by one request, the newest ones. */
export const max_downloads_per_request = 5000

export const ScopeOf = z.object({
  channel_id: ChannelId.optional().describe('Only videos of this channel; absent: of all channels.'),
})
export type ScopeOf = z.infer<typeof ScopeOf>

export const Scope = ScopeOf.extend({
  which: Which.describe(
    `\`newest\`: the ${newest_count} newest. \`unwatched\`: those you did not watch. \`year\`: published in this calendar year, in UTC. \`all\`: every one. Never videos that are on disk, in the queue, failed, live, or that their site does not give away. At most ${max_downloads_per_request} are queued at once, the newest ones.`,
  ),
})
export type Scope = z.infer<typeof Scope>

/** `confirmed`: the person was told how many and how large they are. */
export const ScopeForm = Scope.extend({ confirmed: z.string().optional() })

/** The downloads that were requested together. */
export const TakeBackForm = z.object({ requested_at: SentTime.transform(at => new Date(at)) })

/** The downloads that were cancelled together. */
export const QueueAgainForm = z.object({ cancelled_at: SentTime.transform(at => new Date(at)) })

const ScopeSize = z.object({
  count: z.int().describe('How many videos would be queued.'),
  bytes: z.int().describe('About how many bytes they take, by their lengths and your files.'),
})
export type ScopeSize = z.infer<typeof ScopeSize>

/**
 * What a person is asked before many videos are queued. `free_bytes`: on the disk; null: unknown. `quota_left`: null: there is no quota.
 */
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

/** The body of a request for one download; it may be absent. */
export const QualityRequest = z.object({
  quality: Quality.optional().describe(`${meaning}. Absent: the quality of its channel, or of your settings.`),
})

const video_ids = z
  .array(z.string().min(1).max(200))
  .min(1, 'Name at least one video.')
  .max(500, 'Name at most 500 videos.')
  .describe('The ids of 1 to 500 videos.')
export const BatchRequest = z.object({ video_ids })
/** Strict: a `quality`, which only the request for one video takes, would be ignored silently. */
export const DownloadRequest = z
  .strictObject({
    video_ids: video_ids.optional(),
    scope: Scope.strict().optional().describe('Instead of ids: many videos at once.'),
  })
  .refine(({ video_ids, scope }) => (video_ids === undefined) !== (scope === undefined), 'Send video_ids, or a scope.')

/** All waiting downloads, or all failed downloads without a planned attempt. */
export const AllOf = z.enum(['waiting', 'failed'])
export type AllOf = z.infer<typeof AllOf>
export const CancelRequest = z.union(
  [z.object({ video_ids }), z.object({ all: AllOf.describe('Instead of ids: all waiting, or all failed.') })],
  'Send video_ids, or all: "waiting" or "failed".',
)

/** What is paused or resumed. */
export const PauseRequest = z.union(
  [
    z.object({ video_ids }),
    z.object({ host: z.string().min(1).max(260).describe('The host of an address, such as `www.youtube.com`.') }),
    z.object({
      all: z.literal(true).describe('Everything that waits or runs, and what is requested until it is resumed.'),
    }),
  ],
  'Send video_ids, host, or all: true.',
)
export type PauseRequest = z.infer<typeof PauseRequest>

export const TryRequest = z.object({
  host: z.string().min(1).max(260).describe('The host of an address, such as `www.youtube.com`.'),
})
export const ProbeResult = z
  .enum(['trying', 'just_tried', 'nothing_waits'])
  .describe(
    '`trying`: one download starts now, or runs already. `just_tried`: this site was tried less than a minute ago.',
  )
export type ProbeResult = z.infer<typeof ProbeResult>

/**
 * The form around the downloads: selected videos, or `all` instead. `chosen`: only the selected videos are meant. `from`: the page to go
 * back to, instead of the downloads. A name, so that no form leads to another site.
 */
export const ChosenForm = z.object({
  video_id: listOf(500),
  all: AllOf.optional(),
  chosen: z.string().optional(),
  confirmed: z.string().optional(),
  from: z.literal('space').optional(),
})
export type ChosenForm = z.infer<typeof ChosenForm>

/** A button that pauses or resumes: everything, a site, or the selected downloads. */
export const PauseForm = z.object({
  video_id: listOf(500),
  host: z.string().max(260).optional(),
  all: z.string().optional(),
})
export type PauseForm = z.infer<typeof PauseForm>

/** `video_id` may be repeated. */
export const StatusQuery = z.object({ video_id: listOf(500).meta({ ...z.globalRegistry.get(VideoId) }) })

/** The poll of a page, once a second: the videos it shows, and what it shows of them already. */
export const PollQuery = StatusQuery.extend({
  /** A short hash of the shown cell of each `video_id`, in the same order. */
  known: listOf(500),
  /** The shown figures of the downloads page; absent on other pages. */
  tally: z.string().max(100).optional(),
  ...shelfFields(),
})

/** The query of the downloads page: one shelf, or the beginning of all four. `select`: rows have checkboxes. */
export const ShelfQuery = z.object(shelfFields())

export type ShelfQuery = z.infer<typeof ShelfQuery>

export const DownloadsQuery = z.object({
  standing: Standing.default('done').meta({
    description:
      '`running`: on a worker now. `waiting`: for a worker or the next attempt. `failed`: no attempt planned. `done`: on disk.',
    examples: ['done'],
  }),
  sort: Sort.default('newest').meta({
    description: '`size`: the largest file first, for `done` only; the others have one order.',
    examples: ['size'],
  }),
  limit,
  cursor,
})

/** Invalid values are ignored, so that an old link still shows the page. */
function shelfFields() {
  return {
    show: Standing.optional().catch(undefined),
    sort: Sort.catch('newest').default('newest'),
    cursor: z.string().max(200).optional(),
    select: z.literal('1').optional().catch(undefined),
  }
}

const resultFor = <const Results extends readonly string[]>(results: Results) =>
  z.object({ video_id: VideoId, result: z.enum(results).describe('What happened to the video.') })

export const Requested = resultFor(['queued', 'already_queued', 'already_completed', 'not_found'])

export type Requested = z.infer<typeof Requested>

export const BatchResult = z.object({ results: z.array(Requested) })

export const Cancelled = resultFor(['cancelled', 'not_waiting', 'not_found'])

export type Cancelled = z.infer<typeof Cancelled>

export const CancelResult = z.object({ results: z.array(Cancelled) })

export const Removed = resultFor(['removed', 'not_on_disk', 'not_found'])

export type Removed = z.infer<typeof Removed>

export const RemoveResult = z.object({ results: z.array(Removed) })

export const Statuses = z.object({ statuses: z.array(Download) })
