/** What is fetched of a channel without a click, and for how long it is kept; as JSON, and as its form sends it. */
import { z } from 'zod'
import { patternOf } from './pattern.ts'
import type { Video } from './video.ts'

const Words = z
  .array(z.string().trim().min(1, 'Leave no word empty.'))
  .max(30, 'Name at most 30.')
  .refine(words => words.every(word => word.length <= 100), 'One of these is too long. Use at most 100 characters.')

const pattern_fault =
  'This expression can’t be used. Check its brackets, and leave out look-arounds, back-references and large counts.'
const TitlePattern = z
  .string()
  .trim()
  .min(1, 'Write an expression, or leave it out.')
  .refine(written => patternOf(written) !== undefined, pattern_fault)

const count = (most: number, sentence: string) => z.int(sentence).min(1, sentence).max(most, sentence)

export const Rule = z.object({
  auto_download: z.boolean(),
  /** A title must have at least one of these in it, in any case; empty: every title will do. */
  title_words: Words,
  /** It must have none of these. */
  without_words: Words,
  /** It must fit this regular expression, in any case; `null`: every title will do. */
  title_pattern: TitlePattern.nullable(),
  skip_shorts: z.boolean(),
  /** Files kept, of the newest videos; `null`: all. What a person asked for or pinned does not count, and stays. */
  keep_newest: count(500, 'Use a number from 1 to 500.').nullable(),
  /** Days for which a file is kept; `null`: for ever. */
  keep_days: count(3650, 'Use a number from 1 to 3650.').nullable(),
})
export type Rule = z.infer<typeof Rule>

export const ChannelRule = Rule.extend({
  /** Only what appears after it is fetched; `null`: off. */
  on_since: z.date().nullable(),
})
export type ChannelRule = z.infer<typeof ChannelRule>

/**
 * A video that a rule judges. `sort_at`: its place in the history. `new`: never asked for. `held`: on disk because of the
 * rule, or on its way there. `spent`: asked for before and not there; it failed, or was deleted, cancelled or let go.
 */
export type Judged = Pick<Video, 'video_id' | 'title' | 'video_url'> & {
  sort_at: Date
  standing: 'new' | 'held' | 'spent'
}

/** What is not said does not limit. */
export const RuleRequest = Rule.extend({
  title_words: Words.default([]),
  without_words: Words.default([]),
  title_pattern: Rule.shape.title_pattern.default(null),
  skip_shorts: z.boolean().default(false),
  keep_newest: Rule.shape.keep_newest.default(null),
  keep_days: Rule.shape.keep_days.default(null),
})

/** The fields as they are typed. */
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

/** An empty field does not limit; words stand between commas. */
export const RuleForm = RuleFields.transform(fields => ({
  auto_download: fields.auto_download !== undefined,
  title_words: wordsOf(fields.title_words),
  without_words: wordsOf(fields.without_words),
  title_pattern: fields.title_pattern.trim() || null,
  skip_shorts: fields.skip_shorts !== undefined,
  keep_newest: numberOf(fields.keep_newest),
  keep_days: numberOf(fields.keep_days),
})).pipe(Rule)

/** A rule as its form shows it. */
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

/** What is no number is refused by the rule itself. */
const numberOf = (typed: string) => (typed.trim() === '' ? null : Number(typed))
