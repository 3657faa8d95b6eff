/** Reads yt-dlp's info file (`--write-info-json`): its subtitles, pictures and chapters, and its facts. Pure. */
import { z } from 'zod'
import type { LookedVideo } from '../../schema/listing.ts'
import { lookedVideoOf } from './video-info.ts'
import { VideoInfo } from './video-line.ts'

const Chapter = z.object({ start_time: z.number().nonnegative(), end_time: z.number(), title: z.string().catch('') })
type Chapter = z.infer<typeof Chapter>

/** A field of the wrong form counts as missing. */
export const InfoFile = VideoInfo.extend({
  language: z.string().nullish().catch(null),
  subtitles: z.record(z.string(), z.unknown()).nullish().catch(null),
  automatic_captions: z.record(z.string(), z.unknown()).nullish().catch(null),
  chapters: z.array(z.unknown()).nullish().catch(null),
  thumbnails: z
    .array(z.object({ url: z.string().nullish().catch(null) }))
    .nullish()
    .catch(null),
})
export type InfoFile = z.infer<typeof InfoFile>

/** What a look would have found out; `undefined`: the file names no page of the video. */
export const aboutIn = (info: InfoFile): LookedVideo | undefined => lookedVideoOf({ info, picture: null, format: null })

const max_chapters = 500

/** Chapters in ffmpeg's metadata format; `undefined`: there are none. Source: ffmpeg-formats, "Metadata". */
export function chapterText({ chapters }: InfoFile): string | undefined {
  const read = (chapters ?? []).slice(0, max_chapters).flatMap(chapter => Chapter.safeParse(chapter).data ?? [])
  const usable = read.filter(({ start_time, end_time }) => end_time > start_time && end_time < max_chapter_s)
  return usable.length === 0 ? undefined : [';FFMETADATA1', ...usable.map(chapterLines), ''].join('\n')
}

/** Ten days, in seconds. Longer times overflow ffmpeg's milliseconds on some systems. */
const max_chapter_s = 864_000

const chapterLines = ({ start_time, end_time, title }: Chapter) =>
  [
    '[CHAPTER]',
    'TIMEBASE=1/1000',
    `START=${Math.round(start_time * 1000)}`,
    `END=${Math.round(end_time * 1000)}`,
    `title=${escaped(title)}`,
  ].join('\n')

/** On one line, with ffmpeg's special characters escaped. */
const escaped = (title: string) =>
  title
    .replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ')
    .slice(0, 200)
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/[=;#\\]/g, '\\$&')

/** The three-letter code of a language in an MP4 (ISO 639-2/T); `und`: unknown. */
export const threeLetterCode = (language: string): string =>
  letters.get(language.toLowerCase().split(/[-_]/)[0] ?? '') ?? 'und'

const letters = new Map(
  `ar ara bg bul bn ben ca cat cs ces da dan de deu el ell en eng es spa et est fa fas fi fin fr fra he heb hi hin hr hrv
   hu hun id ind it ita ja jpn ko kor lt lit lv lav ms msa nb nob nl nld no nor pl pol pt por ro ron ru rus sk slk sl slv
   sr srp sv swe ta tam th tha tr tur uk ukr ur urd vi vie zh zho`
    .split(/\s+/)
    .flatMap((word, n, all) => (n % 2 === 0 ? [[word, all[n + 1] ?? 'und'] as const] : [])),
)
