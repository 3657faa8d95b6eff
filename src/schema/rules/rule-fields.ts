/** The form of a rule: its fields as they are typed, and the rule that they say. All derive from one table of fields. */
import { z } from 'zod'
import { condition_fields, keep_fields, lengths_disagree, lengthsAgree, Rule } from './rule.ts'

/** How a value is typed. `read`: what a text says; what is no value is refused by `Rule`. `show`: the text that says a value. */
type Typing<Value> = { read: (typed: string) => unknown; show: (value: Value) => string }

/** A box that is not checked is not sent. */
const checkbox: Typing<boolean> = { read: typed => typed !== '', show: is_on => (is_on ? 'on' : '') }
const text: Typing<string | null> = { read: typed => typed.trim() || null, show: value => value ?? '' }
const number: Typing<number | null> = { read: numberIn, show: value => String(value ?? '') }

/** Separated by commas. */
const words: Typing<string[]> = {
  read: typed => typed.split(',').flatMap(word => word.trim() || []),
  show: value => value.join(', '),
}

/** A rule has seconds. Minutes may have a fraction, with a point or a comma; a hundredth gives the same seconds again. */
const minutes: Typing<number | null> = {
  read: typed => secondsIn(numberIn(typed.replace(',', '.'))),
  show: seconds => (seconds === null ? '' : String(Math.round((seconds / 60) * 100) / 100)),
}

const live: Typing<Rule['live']> = { read: typed => typed, show: value => value }

/** An empty field sets no limit. */
const fields: { [Name in keyof Rule]: Typing<Rule[Name]> } = {
  auto_download: checkbox,
  title_words: words,
  without_words: words,
  title_pattern: text,
  skip_shorts: checkbox,
  min_seconds: minutes,
  max_seconds: minutes,
  live,
  also_days: number,
  include_older: checkbox,
  most_per_day: number,
  keep_newest: number,
  keep_days: number,
  delete_watched_days: number,
  keep_newest_watched: number,
  playlist_id: text,
}

const ofEach = <T>(make: (name: keyof Rule) => T) =>
  Object.fromEntries(Object.keys(fields).map(name => [name, make(name as keyof Rule)])) as Record<keyof Rule, T>

const show = <Name extends keyof Rule>(rule: Rule, name: Name): string => fields[name].show(rule[name])

/** What a field says that is absent or hidden. */
const none = (name: keyof Rule): string => (name === 'live' ? 'any' : '')

/** The form as it is typed, so that a refused form can be shown again. */
export const RuleFields = z.object({
  ...ofEach(name => z.string().default(none(name))),
  /** The choices that the page offers first. What another choice hides is ignored; absent: every field counts. */
  which: z.string().optional(),
  older: z.string().optional(),
  keep: z.string().optional(),
})
export type RuleFields = z.infer<typeof RuleFields>

/** The fields that "Only some videos…" shows; "Delete old files…" shows the `keep_fields`. */
export const choice_fields = [...condition_fields, 'most_per_day'] as const

const noneOf = (names: readonly (keyof Rule)[]) => Object.fromEntries(names.map(name => [name, none(name)]))

const withoutHidden = (typed: RuleFields): RuleFields => ({
  ...typed,
  ...(typed.which === 'all' && noneOf(choice_fields)),
  ...(typed.keep === 'all' && noneOf(keep_fields)),
  ...(typed.older === 'none' && { also_days: '', include_older: '' }),
  ...(typed.older === 'all' && { also_days: '', include_older: 'on' }),
  // Without a number, this choice would mean all of them.
  ...(typed.older === 'days' && typed.also_days.trim() === '' && { also_days: 'missing' }),
})

export const RuleForm = RuleFields.transform(withoutHidden)
  .transform(typed => ofEach(name => fields[name].read(typed[name])))
  .pipe(Rule.refine(lengthsAgree, lengths_disagree))

/** The form that shows a rule. */
export const fieldsOf = (rule: Rule): RuleFields => ofEach(name => show(rule, name))

/** NaN for anything but a number. */
function numberIn(typed: string): number | null {
  return typed.trim() === '' ? null : Number(typed)
}

const secondsIn = (minutes: number | null) => (minutes === null ? null : Math.round(minutes * 60))
