/** Reads yt-dlp's info file (`--write-info-json`): its subtitles, pictures and chapters, and its facts. Pure. */
import { z } from 'zod'
import type { Chapter } from '../../schema/sources/facts.ts'
import type { LookedVideo } from '../../schema/sources/listing.ts'
import { lookedVideoOf, VideoInfo } from './video-info.ts'

const Stretch = z.object({
  // Some sites have a first chapter that starts a little before 0.
  start_time: z.number().transform(seconds => Math.max(0, seconds)),
  end_time: z.number().nullish(),
  title: z.string().catch(''),
})
type Stretch = z.infer<typeof Stretch> & { end_time: number }

/** A field of the wrong form counts as missing. */
export const InfoFile = VideoInfo.extend({
  /** The address is that of the file itself, by the type of the answer. */
  direct: z.boolean().nullish().catch(null),
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
type WithChapters = Pick<InfoFile, 'chapters'> & Partial<Pick<InfoFile, 'duration'>>

/** What a look would have found out; `undefined`: the file names no page of the video. */
export const aboutIn = (info: InfoFile): LookedVideo | undefined => lookedVideoOf({ info, picture: null, format: null })

const max_chapters = 500

/** Chapters in ffmpeg's metadata format; `undefined`: there are none. Source: ffmpeg-formats, "Metadata". */
export function chapterText(info: InfoFile): string | undefined {
  const usable = usableIn(info)
  return usable.length === 0 ? undefined : [';FFMETADATA1', ...usable.map(chapterLines), ''].join('\n')
}

/** In the order of their times; `undefined`: there are none. */
export function chaptersIn(info: WithChapters): Chapter[] | undefined {
  const chapters = usableIn(info).map(({ start_time, title }) => ({
    start_seconds: start_time,
    title: onOneLine(title),
  }))
  return chapters.length === 0 ? undefined : chapters.toSorted((one, other) => one.start_seconds - other.start_seconds)
}

/** A chapter without an end lasts until the next one, or until the end of the video. */
function usableIn({ chapters, duration }: WithChapters): Stretch[] {
  const read = (chapters ?? []).slice(0, max_chapters).flatMap(chapter => Stretch.safeParse(chapter).data ?? [])
  const ended = read.map((chapter, n) => ({
    ...chapter,
    end_time: chapter.end_time ?? read[n + 1]?.start_time ?? duration ?? chapter.start_time + 1,
  }))
  return ended.filter(({ start_time, end_time }) => end_time > start_time && end_time < max_chapter_s)
}

/** Ten days, in seconds. Longer times overflow ffmpeg's milliseconds on some systems. */
const max_chapter_s = 864_000

const chapterLines = ({ start_time, end_time, title }: Stretch) =>
  [
    '[CHAPTER]',
    'TIMEBASE=1/1000',
    `START=${Math.round(start_time * 1000)}`,
    `END=${Math.round(end_time * 1000)}`,
    `title=${escaped(title)}`,
  ].join('\n')

/** On one line, with ffmpeg's special characters escaped. */
const escaped = (title: string) => onOneLine(title).replace(/[=;#\\]/g, '\\$&')

const onOneLine = (title: string) =>
  title
    .replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ')
    .slice(0, 200)
    .replace(/[\ud800-\udbff]$/, '')

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
