/** The languages of subtitles that a person prefers, and which subtitles are in them. */
import { z } from 'zod'
import { isAutomatic, isForced, isSame, usualTag, withoutPart } from './subtitles.ts'

/** The most languages of a list. */
export const max_preferred = 20

const wrong = 'Use language tags, such as de, en or pt-BR.'

const LanguageTag = z
  .string()
  .max(40, wrong)
  .regex(/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*$/, wrong)
  .refine(tag => isLanguage(tag), wrong)

/** A language that is listed twice, in whatever case, stays at its first place. */
export const SubtitleLanguages = z
  .array(LanguageTag)
  .max(max_preferred, `List at most ${max_preferred} languages.`)
  .overwrite(tags => [...new Set(tags.map(tag => usualTag(tag) ?? tag))])
  .describe(
    'The languages of subtitles that you prefer, as tags such as `de` or `pt-BR`, the first one most. Empty: English, then the spoken language.',
  )

/** As a person writes the list: with commas or spaces between. */
export const SubtitleLanguagesForm = z.object({
  subtitle_languages: z
    .string()
    .max(1000)
    .transform(text => text.split(/[\s,;]+/).filter(tag => tag !== ''))
    .pipe(SubtitleLanguages),
})

/** Other words have the form of a tag, too. */
function isLanguage(tag: string): boolean {
  const usual = usualTag(tag)
  return usual !== undefined && known.of(usual.split('-')[0] ?? '') !== undefined
}
const known = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

/**
 * A regular expression, for JavaScript and for Postgres, of the names of subtitles in one language: of every region, but of one script.
 * A region of Chinese names a script.
 */
export function languagePattern(tag: string): string {
  const { language, script } = partsOf(tag)
  if (language === 'zh' && script === 'hant') return `^zh[-_]${traditional}`
  if (language === 'zh' && script === 'hans') return `^zh(?![-_]${traditional})([-_]|$)`
  return script === undefined ? `^${language}([-_]|$)` : `^${language}([-_]${script}|[-_][a-z0-9]{1,3}([-_]|$)|$)`
}

const traditional = '(hant|tw|hk|mo)([-_]|$)'

function partsOf(tag: string): { language: string; script: string | undefined } {
  const [language = '', ...more] = tag.toLowerCase().split(/[-_]/)
  const script = more.find(part => /^[a-z]{4}$/.test(part))
  if (language !== 'zh' || script !== undefined) return { language, script }
  if (more.some(part => /^(tw|hk|mo)$/.test(part))) return { language, script: 'hant' }
  return { language, script: more.some(part => /^(cn|sg|my)$/.test(part)) ? 'hans' : undefined }
}

/**
 * How far the language of these subtitles is from being the first one that is preferred: 0 is the first one exactly, 1 the second; another
 * region counts half a place more, and what a machine wrote a quarter. `undefined`: it is not preferred at all.
 */
function distanceOf(name: string, preferred: string[]): number | undefined {
  const language = plain(withoutPart(name))
  const places = preferred.flatMap((tag, place) => {
    if (plain(tag) === language) return place
    return new RegExp(languagePattern(tag), 'i').test(language) ? place + 0.5 : []
  })
  return places.length === 0 ? undefined : Math.min(...places) + (isAutomatic(name) ? 0.25 : 0)
}

const plain = (tag: string) => tag.toLowerCase().replaceAll('_', '-')

/** The names of subtitles, the preferred ones first. The others keep their order. */
export const inPreferredOrder = (names: string[], preferred: string[]): string[] => {
  const distance = new Map(names.map(name => [name, distanceOf(name, preferred) ?? preferred.length]))
  return names.toSorted((one, other) => (distance.get(one) ?? 0) - (distance.get(other) ?? 0))
}

/** The names of the subtitles that are preferred, the most preferred one first. */
export const onlyPreferred = (names: string[], preferred: string[]): string[] =>
  inPreferredOrder(
    names.filter(name => distanceOf(name, preferred) !== undefined),
    preferred,
  )

/**
 * The subtitles from which the transcript of a video is read: those that people wrote, in the language that the person prefers most, else
 * in the spoken one; else automatic captions, else the first subtitles. Forced ones have too little of what is said.
 */
export function subtitlesOfTranscript(
  subtitles: string[],
  spoken: string | null,
  preferred: string[] = [],
): string | undefined {
  const whole = subtitles.filter(name => !isForced(name))
  const written = whole.filter(name => !isAutomatic(name))
  return (
    onlyPreferred(written, preferred)[0] ??
    written.find(name => isSame(name, spoken)) ??
    whole.find(isAutomatic) ??
    whole[0]
  )
}
