/** A rule: which videos of a channel download automatically, and how long their files stay; as JSON and as a form. */
import { z } from 'zod'
import { patternOf } from './pattern.ts'
import type { Video } from './video.ts'

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

const count = (most: number, sentence: string) => z.int(sentence).min(1, sentence).max(most, sentence)

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
  /** Files that a person requested or pinned do not count, and stay. */
  keep_newest: count(500, 'Use a number from 1 to 500.')
    .nullable()
    .describe('How many files of the newest videos to keep; null: all.'),
  keep_days: count(3650, 'Use a number from 1 to 3650.')
    .nullable()
    .describe('For how many days to keep a file; null: forever.'),
})
export type Rule = z.infer<typeof Rule>

export const ChannelRule = Rule.extend({
  on_since: z.date().nullable().describe('Videos that appear after this time download automatically; null: off.'),
}).meta({ id: 'ChannelRule' })
export type ChannelRule = z.infer<typeof ChannelRule>

/**
 * A video that a rule judges. `sort_at`: its position in the history. `new`: never requested. `held`: on disk or requested
 * because of the rule. `spent`: requested before and no longer there, because it failed, or was cancelled or deleted.
 */
export type Judged = Pick<Video, 'video_id' | 'title' | 'video_url'> & {
  sort_at: Date
  state: 'new' | 'held' | 'spent'
}

/** A field that is left out sets no limit. */
export const RuleRequest = Rule.extend({
  title_words: Rule.shape.title_words.default([]),
  without_words: Rule.shape.without_words.default([]),
  title_pattern: Rule.shape.title_pattern.default(null),
  skip_shorts: Rule.shape.skip_shorts.default(false),
  keep_newest: Rule.shape.keep_newest.default(null),
  keep_days: Rule.shape.keep_days.default(null),
})

/** The form as it is typed, so that a refused form can be shown again. */
export const RuleFields = z.object({
  auto_download: z.string().optional(),
  title_words: z.string().default(''),
  without_words: z.string().default(''),
  title_pattern: z.string().default(''),
  skip_shorts: z.string().optional(),
  keep_newest: z.string().default(''),
  keep_days: z.string().default(''),
})
export type RuleFields = z.infer<typeof RuleFields>

/** An empty field sets no limit. Commas separate words. */
export const RuleForm = RuleFields.transform(fields => ({
  auto_download: fields.auto_download !== undefined,
  title_words: wordsOf(fields.title_words),
  without_words: wordsOf(fields.without_words),
  title_pattern: fields.title_pattern.trim() || null,
  skip_shorts: fields.skip_shorts !== undefined,
  keep_newest: numberOf(fields.keep_newest),
  keep_days: numberOf(fields.keep_days),
})).pipe(Rule)

/** The form that shows a rule. */
export const fieldsOf = (rule: Rule): RuleFields => ({
  ...(rule.auto_download && { auto_download: 'on' }),
  title_words: rule.title_words.join(', '),
  without_words: rule.without_words.join(', '),
  title_pattern: rule.title_pattern ?? '',
  ...(rule.skip_shorts && { skip_shorts: 'on' }),
  keep_newest: String(rule.keep_newest ?? ''),
  keep_days: String(rule.keep_days ?? ''),
})

const wordsOf = (typed: string) =>
  typed
    .split(',')
    .map(word => word.trim())
    .filter(word => word !== '')

/** NaN for anything but a number, which `Rule` then refuses. */
const numberOf = (typed: string) => (typed.trim() === '' ? null : Number(typed))
