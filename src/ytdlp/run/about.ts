/** What the page said of a video, as far as it is kept with the file: which subtitles there are, and its chapters. Pure. */
import { z } from 'zod'
import { Language } from '../../schema/subtitles.ts'

const Chapter = z.object({ start_time: z.number().nonnegative(), end_time: z.number(), title: z.string().catch('') })
type Chapter = z.infer<typeof Chapter>

/** Of yt-dlp's info file; what is not as it should be counts as not there. */
export const About = z.object({
  language: z.string().nullish().catch(null),
  subtitles: z.record(z.string(), z.unknown()).nullish().catch(null),
  chapters: z.array(z.unknown()).nullish().catch(null),
})
export type About = z.infer<typeof About>

/** A video with subtitles in a hundred languages is asked for no more than these. */
export const most_languages = 10

/** Not what people say while watching, and nothing that a machine wrote: English first, then the language spoken. */
export function languagesOf({ subtitles, language }: About): string[] {
  const found = Object.keys(subtitles ?? {}).filter(name => Language.safeParse(name).success && !chats.has(name))
  const base = (tag: string) => tag.toLowerCase().split(/[-_]/)[0]
  const rank = (tag: string) => (base(tag) === 'en' ? 0 : language && base(tag) === base(language) ? 1 : 2)
  return found.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1)).slice(0, most_languages)
}

const chats = new Set(['live_chat', 'danmaku', 'rechat', 'comments', 'all'])

const most_chapters = 500

/** Chapters in ffmpeg's own words; `undefined`: there are none. Source: ffmpeg-formats, "Metadata". */
export function chapterText({ chapters }: About): string | undefined {
  const read = (chapters ?? []).slice(0, most_chapters).flatMap(chapter => Chapter.safeParse(chapter).data ?? [])
  const whole = read.filter(({ start_time, end_time }) => end_time > start_time && end_time < longest_s)
  return whole.length === 0 ? undefined : [';FFMETADATA1', ...whole.map(chapterLines), ''].join('\n')
}

/** Ten days: more would not fit ffmpeg's count of milliseconds everywhere. */
const longest_s = 864_000

const chapterLines = ({ start_time, end_time, title }: Chapter) =>
  [
    '[CHAPTER]',
    'TIMEBASE=1/1000',
    `START=${Math.round(start_time * 1000)}`,
    `END=${Math.round(end_time * 1000)}`,
    `title=${plain(title)}`,
  ].join('\n')

/** On one line, with what means something to ffmpeg made harmless. */
const plain = (title: string) =>
  title
    .replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ')
    .slice(0, 200)
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/[=;#\\]/g, '\\$&')

/** The three letters that an MP4 knows a language by (ISO 639-2/T); `und`: we don't know them. */
export const lettersOf = (language: string): string =>
  letters.get(language.toLowerCase().split(/[-_]/)[0] ?? '') ?? 'und'

const letters = new Map(
  `ar ara bg bul bn ben ca cat cs ces da dan de deu el ell en eng es spa et est fa fas fi fin fr fra he heb hi hin hr hrv
   hu hun id ind it ita ja jpn ko kor lt lit lv lav ms msa nb nob nl nld no nor pl pol pt por ro ron ru rus sk slk sl slv
   sr srp sv swe ta tam th tha tr tur uk ukr ur urd vi vie zh zho`
    .split(/\s+/)
    .flatMap((word, n, all) => (n % 2 === 0 ? [[word, all[n + 1] ?? 'und'] as const] : [])),
)
