/**
 * A rule: which videos of a channel download automatically, and how long their files stay; and the patterns for titles, which are read in
 * bounded time. The form is in `rule-fields.ts`.
 */
import { RE2JS } from 're2js'
import { z } from 'zod'
import type { Facts } from '../sources/facts.ts'
import type { FeedEntry } from '../sources/feed.ts'
import { PlaylistId, VideoId } from '../values/fields.ts'

const Words = z
  .array(z.string().trim().min(1, 'Remove the empty word.'))
  .max(30, 'Use at most 30 words.')
  .refine(words => words.every(word => word.length <= 100), 'One word is too long. Use at most 100 characters.')

const pattern_fault =
  'This expression can’t be used. Check its brackets, and avoid look-arounds, back-references and large counts.'
const TitlePattern = z
  .string()
  .trim()
  .min(1, 'Enter an expression, or remove the field.')
  .refine(written => patternOf(written) !== undefined, pattern_fault)

const number = (most: number, sentence: string) => z.int(sentence).min(1, sentence).max(most, sentence)
const count = number(500, 'Use a number from 1 to 500.')
const days = number(3650, 'Use a number from 1 to 3650.')
const length = number(7 * 24 * 60 * 60, 'Enter a length above 0, at most a week.')

/** Recordings of live streams: together with the other videos, only these, or all but these. */
export const LiveChoice = z.enum(['any', 'only', 'none'])
export type LiveChoice = z.infer<typeof LiveChoice>

export const Rule = z.object({
  auto_download: z.boolean().describe('Whether videos that appear from now on download automatically.'),
  title_words: Words.describe(
    'The title must contain one of these words, ignoring case; empty: any title. Each has at most 100 characters.',
  ),
  without_words: Words.describe('The title must contain none of these words. Each has at most 100 characters.'),
  title_pattern: TitlePattern.nullable().describe(
    'A regular expression (RE2) that the title must match, ignoring case; null: any title.',
  ),
  skip_shorts: z.boolean().describe('Whether short vertical videos are left out.'),
  min_seconds: length
    .nullable()
    .describe('The shortest length in seconds; null: no limit. A video of unknown length waits until it is known.'),
  max_seconds: length.nullable().describe('The greatest length in seconds, like `min_seconds`.'),
  live: LiveChoice.describe(
    'Recordings of live streams. `any`: like other videos. `only`: nothing else. `none`: left out. Announced and running streams wait until they have ended.',
  ),
  also_days: days
    .nullable()
    .describe('Videos published within so many days before the rule is saved also download; null: none of them.'),
  include_older: z
    .boolean()
    .describe(
      'Whether videos also download that were there before, including those that loading older videos brought; with `also_days`, only as far back.',
    ),
  most_per_day: count
    .nullable()
    .describe('How many downloads the rule starts in a day (UTC), the newest first; the rest waits. Null: no limit.'),
  /** Files that a person requested or pinned do not count, and stay. */
  keep_newest: count.nullable().describe('How many files of the newest videos to keep; null: all.'),
  keep_days: days.nullable().describe('For how many days to keep a file; null: forever.'),
  delete_watched_days: days
    .nullable()
    .describe(
      'How many days after it was last watched a watched file is deleted, and none that was watched is requested; null: watching deletes nothing.',
    ),
  keep_newest_watched: count
    .nullable()
    .describe('How many of the files that `delete_watched_days` would delete stay, the newest videos; null: none.'),
  playlist_id: PlaylistId.nullable().describe(
    'The playlist at whose end each video is added when the rule requests its download; null: none. A video that you remove from it is not added again.',
  ),
})
export type Rule = z.infer<typeof Rule>

/** The fields that say which videos fit a rule, and the fields that say which files stay. */
export const condition_fields = [
  'title_words',
  'without_words',
  'title_pattern',
  'skip_shorts',
  'min_seconds',
  'max_seconds',
  'live',
] as const satisfies (keyof Rule)[]
export const keep_fields = [
  'keep_newest',
  'keep_days',
  'delete_watched_days',
  'keep_newest_watched',
] as const satisfies (keyof Rule)[]

export const ChannelRule = Rule.extend({
  on_since: z.date().nullable().describe('Videos that appear after this time download automatically; null: off.'),
}).meta({ id: 'ChannelRule' })
export type ChannelRule = z.infer<typeof ChannelRule>

/**
 * A video that a rule judges. `sort_at`: its place in the list of its channel. `new`: the rule may request it. `held`: on disk or requested
 * because of the rule. `spent`: requested before by a person, or by a rule and no longer there. `earlier`: from before the rule.
 * `was_watched`: the person has watched it, so a rule that deletes watched files does not request it. `was_dismissed`: it is not for
 * this person, so no rule requests it.
 */
export type Judged = Pick<FeedEntry, 'video_id' | 'title' | 'video_url'> &
  Pick<Facts, 'duration_seconds' | 'live_status' | 'availability'> & {
    sort_at: Date
    was_watched: boolean
    was_dismissed: boolean
    state: 'new' | 'held' | 'spent' | 'earlier'
  }

type Lengths = Pick<Rule, 'min_seconds' | 'max_seconds'>
export const lengthsAgree = ({ min_seconds, max_seconds }: Lengths): boolean =>
  min_seconds === null || max_seconds === null || min_seconds <= max_seconds
export const lengths_disagree = { path: ['max_seconds'], error: 'Use at least the shortest length.' }

const limits = z.object({
  auto_download: Rule.shape.auto_download,
  title_words: Rule.shape.title_words.default([]),
  without_words: Rule.shape.without_words.default([]),
  title_pattern: Rule.shape.title_pattern.default(null),
  skip_shorts: Rule.shape.skip_shorts.default(false),
  min_seconds: Rule.shape.min_seconds.default(null),
  max_seconds: Rule.shape.max_seconds.default(null),
  live: Rule.shape.live.default('any'),
  also_days: Rule.shape.also_days.default(null),
  include_older: Rule.shape.include_older.default(false),
  most_per_day: Rule.shape.most_per_day.default(null),
  keep_newest: Rule.shape.keep_newest.default(null),
  keep_days: Rule.shape.keep_days.default(null),
  delete_watched_days: Rule.shape.delete_watched_days.default(null),
  keep_newest_watched: Rule.shape.keep_newest_watched.default(null),
})

/** A field that is left out sets no limit. */
export const RuleRequest = limits
  .extend({ playlist_id: Rule.shape.playlist_id.default(null) })
  .refine(lengthsAgree, lengths_disagree)

/** A rule of another library, where the ids of playlists differ. */
export const ForeignRule = limits.refine(lengthsAgree, lengths_disagree)

export const rule_off: Rule = RuleRequest.parse({ auto_download: false })

const which_fault = 'Send channel_ids, or all: true.'
/** One rule for several channels. */
export const RulesRequest = z
  .object({
    rule: RuleRequest.describe('The rule; a field left out sets no limit.'),
    channel_ids: z
      .array(z.string().min(1).max(200))
      .min(1, 'Name at least one channel.')
      .max(5000, 'Name at most 5000 channels.')
      .optional()
      .describe('The ids of 1 to 5000 channels.'),
    all: z.literal(true, which_fault).optional().describe('Instead of ids: all channels that you follow.'),
  })
  .refine(({ channel_ids, all }) => (channel_ids === undefined) === (all === true), {
    path: ['channel_ids'],
    error: which_fault,
  })
export type ChosenChannels = { channel_ids?: string[] | undefined; all?: true | undefined }

export const RulesResult = z.object({ changed: z.int().describe('How many channels have the rule now.') })

const VideoOfPreview = z.object({
  video_id: VideoId,
  title: z.string().describe('Its title.'),
  published_at: z.date().nullable().describe('When it was published; null: unknown.'),
})
export const RulePreview = z
  .object({
    would_download: z.array(VideoOfPreview).describe('The videos that saving the rule would request now, at most 200.'),
    would_delete: z.array(VideoOfPreview).describe('The videos whose files the rule would delete now, at most 200.'),
    delete_count: z.int().describe('How many files the rule would delete now.'),
    delete_bytes: z.int().describe('The size of these files.'),
    only_copies: z.int().describe('How many more files stay only because they could not be downloaded again.'),
    skipped: z
      .array(
        VideoOfPreview.extend({
          reason: z.string().describe('Why not, as a few words for people.'),
          fits: z
            .boolean()
            .describe('Whether it fits the conditions of the rule, and only its age or its download are against it.'),
        }),
      )
      .describe('The newest videos that the rule would not request now, at most 200.'),
    newest_count: z.int().describe('How many of the newest videos of the channel were looked through.'),
    newest_fits: z
      .int()
      .describe('How many of these fit the conditions of the rule, whatever their age and whether downloaded or not.'),
    newest_downloads: z.int().describe('How many of these the rule would request now.'),
    has_more: z.boolean().describe('Whether older videos would be judged after these, within minutes.'),
    per_week: z
      .number()
      .nullable()
      .describe('How many videos a week the rule would have requested of those posted before; null: unknown.'),
  })
  .meta({ id: 'RulePreview' })
export type RulePreview = z.infer<typeof RulePreview>

/** Why a video that fits does not download: it was there before the rule. */
export const older_than_rule = 'Older than the rule'

/** What saving a rule would delete at once. */
export type RuleDeletions = Pick<RulePreview, 'would_delete' | 'delete_count' | 'delete_bytes' | 'only_copies'>

export type VideoOfPreview = z.infer<typeof VideoOfPreview>
/** Of a rule for several channels: which of their newest videos fit its conditions, and what it would delete. */
export type RulesPreview = RuleDeletions &
  Pick<RulePreview, 'per_week'> & { fitting: VideoOfPreview[]; unfitting: (VideoOfPreview & { reason: string })[] }

/** Whether the expression matches anywhere in the text, ignoring case. */
export type Pattern = (text: string) => boolean

/** The longest pattern, in characters. */
const max_pattern_letters = 200
/** Steps of the compiled program, and characters of a text that are read. Their product limits a match to about 1 ms. */
const max_program_steps = 300
const max_letters_read = 300

/**
 * Compiles a regular expression that a person wrote; `undefined`: it is invalid or too expensive. RE2JS matches in linear time;
 * JavaScript's engine can take years for `(a+)+$`, and the process serves all people. So there are no look-arounds and no back-references.
 */
export function patternOf(written: string): Pattern | undefined {
  if (written.length > max_pattern_letters) return undefined
  try {
    const program = RE2JS.compile(written, RE2JS.CASE_INSENSITIVE)
    if (program.programSize() > max_program_steps) return undefined
    return text => program.matcher(text.slice(0, max_letters_read)).find()
  } catch {
    return undefined
  }
}
