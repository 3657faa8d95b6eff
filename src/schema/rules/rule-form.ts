/** The form of a rule: its fields as they are typed, and the rule that they say. */
import { z } from 'zod'
import { Quality } from '../downloads/quality.ts'
import { condition_fields, keep_fields, lengths_disagree, lengthsAgree, Rule } from './rule.ts'

/** The form as it is typed, so that a refused form can be shown again. */
export const RuleFields = z.object({
  auto_download: z.string().optional(),
  title_words: z.string().default(''),
  without_words: z.string().default(''),
  title_pattern: z.string().default(''),
  skip_shorts: z.string().optional(),
  /** In minutes. */
  min_seconds: z.string().default(''),
  max_seconds: z.string().default(''),
  live: z.string().default('any'),
  also_days: z.string().default(''),
  include_older: z.string().optional(),
  most_per_day: z.string().default(''),
  keep_newest: z.string().default(''),
  keep_days: z.string().default(''),
  delete_watched_days: z.string().default(''),
  keep_newest_watched: z.string().default(''),
  playlist_id: z.string().default(''),
  /** The choices that the page offers first. What another choice hides is ignored; absent: every field counts. */
  which: z.string().optional(),
  older: z.string().optional(),
  keep: z.string().optional(),
})
export type RuleFields = z.infer<typeof RuleFields>

/** The fields that "Only some videos…" shows; "Delete old files…" shows the `keep_fields`. */
export const choice_fields = [...condition_fields, 'most_per_day'] as const

const none = RuleFields.parse({})
const noneOf = (names: readonly (keyof RuleFields)[]) => Object.fromEntries(names.map(name => [name, none[name]]))

const withoutHidden = (fields: RuleFields): RuleFields => ({
  ...fields,
  ...(fields.which === 'all' && noneOf(choice_fields)),
  ...(fields.keep === 'all' && noneOf(keep_fields)),
  ...(fields.older === 'none' && { also_days: '', include_older: undefined }),
  ...(fields.older === 'all' && { also_days: '', include_older: 'on' }),
  // Without a number, this choice would mean all of them.
  ...(fields.older === 'days' && fields.also_days.trim() === '' && { also_days: 'missing' }),
})

/** An empty field sets no limit. Commas separate words. */
export const RuleForm = RuleFields.transform(withoutHidden)
  .transform(fields => ({
    auto_download: fields.auto_download !== undefined,
    title_words: wordsOf(fields.title_words),
    without_words: wordsOf(fields.without_words),
    title_pattern: fields.title_pattern.trim() || null,
    skip_shorts: fields.skip_shorts !== undefined,
    min_seconds: secondsOf(fields.min_seconds),
    max_seconds: secondsOf(fields.max_seconds),
    live: fields.live,
    also_days: numberOf(fields.also_days),
    include_older: fields.include_older !== undefined,
    most_per_day: numberOf(fields.most_per_day),
    keep_newest: numberOf(fields.keep_newest),
    keep_days: numberOf(fields.keep_days),
    delete_watched_days: numberOf(fields.delete_watched_days),
    keep_newest_watched: numberOf(fields.keep_newest_watched),
    playlist_id: fields.playlist_id || null,
  }))
  .pipe(Rule.refine(lengthsAgree, lengths_disagree))

/** The quality in the same form: empty is the person's default, absent leaves it as it is. */
export const ChosenQuality = z.object({
  quality: z.union([Quality, z.literal('')], 'Choose an option from the list.').optional(),
})
export const ChannelSettingsForm = z.intersection(ChosenQuality, RuleForm)

/** The form that shows a rule. */
export const fieldsOf = (rule: Rule): RuleFields => ({
  ...(rule.auto_download && { auto_download: 'on' }),
  title_words: rule.title_words.join(', '),
  without_words: rule.without_words.join(', '),
  title_pattern: rule.title_pattern ?? '',
  ...(rule.skip_shorts && { skip_shorts: 'on' }),
  min_seconds: minutesOf(rule.min_seconds),
  max_seconds: minutesOf(rule.max_seconds),
  live: rule.live,
  also_days: String(rule.also_days ?? ''),
  ...(rule.include_older && { include_older: 'on' }),
  most_per_day: String(rule.most_per_day ?? ''),
  keep_newest: String(rule.keep_newest ?? ''),
  keep_days: String(rule.keep_days ?? ''),
  delete_watched_days: String(rule.delete_watched_days ?? ''),
  keep_newest_watched: String(rule.keep_newest_watched ?? ''),
  playlist_id: rule.playlist_id ?? '',
})

const wordsOf = (typed: string) =>
  typed
    .split(',')
    .map(word => word.trim())
    .filter(word => word !== '')

/** NaN for anything but a number, which `Rule` then refuses. */
const numberOf = (typed: string) => (typed.trim() === '' ? null : Number(typed))

/** From minutes, which may have a fraction, with a point or a comma. */
function secondsOf(typed: string): number | null {
  const minutes = numberOf(typed.replace(',', '.'))
  return minutes === null ? null : Math.round(minutes * 60)
}

/** Rounded to a hundredth, which `secondsOf` turns into the same seconds again. */
const minutesOf = (seconds: number | null) => (seconds === null ? '' : String(Math.round((seconds / 60) * 100) / 100))
