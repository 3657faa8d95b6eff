/**
 * Reads yt-dlp's info file (`--write-info-json`): subtitles, pictures, chapters and facts; and makes of it the texts that are written into
 * the video's file, in ffmpeg's metadata format. Pure.
 */
import { z } from 'zod'
import type { Chapter } from '../../schema/sources/facts.ts'
import type { LookedVideo } from '../../schema/sources/listing.ts'
import { withoutBidiControls } from '../../schema/values/direction.ts'
import { cut } from '../../schema/values/stored.ts'
import { type FileWords, wordsHash } from '../../schema/videos/video.ts'
import { lookedVideoOf, VideoInfo } from './video-info.ts'

const Stretch = z.object({
  // Some sites have a first chapter that starts a little before 0.
  start_time: z.number().transform(seconds => Math.max(0, seconds)),
  end_time: z.number().nullish(),
  // yt-dlp names a chapter that has no name.
  title: z
    .string()
    .transform(title => title.replace(/^<Untitled Chapter \d+>$/, ''))
    .catch(''),
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

const metadata_header = ';FFMETADATA1'

const max_chapters = 500

/** Chapters in ffmpeg's metadata format; `undefined`: there are none. Source: ffmpeg-formats, "Metadata". */
export function chapterText(info: InfoFile): string | undefined {
  const usable = usableIn(info)
  return usable.length === 0 ? undefined : [metadata_header, ...usable.map(chapterLines), ''].join('\n')
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
    `title=${escaped(onOneLine(title))}`,
  ].join('\n')

const onOneLine = (title: string) =>
  title
    .replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ')
    .slice(0, 200)
    .replace(/[\ud800-\udbff]$/, '')

/** The texts and the cover that are written into a file. */
type FileTags = {
  title: string | null
  channel: string | null
  published_at: Date | null
  description: string | null
  address: string
  /** Addresses of the cover, the best first. */
  covers: string[]
  /** The digest of the person's words, if the texts are these. */
  words_hash?: string
}

/**
 * What the site says about the video. A bare media file has no site that says anything, so its tags have the words of the person's own
 * entry. `undefined`: the info file names no page of the video.
 */
export function tagsOf(info: InfoFile, words: FileWords | undefined): FileTags | undefined {
  if (words && isBareFile(info)) {
    const { title, channel_title: channel, published_at, description, video_url: address, thumbnail_url } = words
    const covers = thumbnail_url === null ? [] : [thumbnail_url]
    return { title, channel, published_at, description, address, covers, words_hash: wordsHash(words) }
  }
  const about = aboutIn(info)
  if (!about) return undefined
  const { title, channel, published_at, description, video_url: address } = about
  return { title, channel: channel.title, published_at, description, address, covers: coversOf(info) }
}

/** yt-dlp's generic extractor takes the title from the address and knows no channel. */
const isBareFile = ({ extractor_key }: InfoFile) => extractor_key === 'Generic'

/** Sites list pictures that they may not have, so several are tried. */
const max_covers = 4
/** Of all pictures that a site lists, the last ones are examined. A site can list any number. */
const max_listed_pictures = 100

/** yt-dlp sorts pictures from the worst to the best. */
function coversOf({ thumbnail, thumbnails }: InfoFile): string[] {
  const listed = (thumbnails ?? [])
    .slice(-max_listed_pictures)
    .map(({ url }) => url)
    .toReversed()
  const addresses = [thumbnail, ...listed].filter(url => url != null && /^https?:\/\//i.test(url) && url.length <= 2048)
  return [...new Set(addresses as string[])].slice(0, max_covers)
}

/** Media servers show about as many characters. */
const max_description_characters = 4000

/**
 * The texts in ffmpeg's metadata format, with `chapters` of the same format after them. ffmpeg writes these names as the fields that
 * iTunes, Jellyfin, Plex and Kodi read. Sources: ffmpeg-formats, "Metadata"; libavformat/movenc.c, `mov_write_ilst_tag`.
 */
export function metadataText(tags: FileTags | undefined, chapters: string | undefined): string {
  const description = clean(tags?.description, max_description_characters)
  const fields: Record<string, string | undefined> = {
    title: clean(tags?.title),
    artist: clean(tags?.channel),
    album_artist: clean(tags?.channel),
    date: tags?.published_at?.toISOString().slice(0, 10),
    description,
    synopsis: description,
    comment: tags?.address,
  }
  const lines = Object.entries(fields).flatMap(([name, text]) => (text ? [`${name}=${escaped(text)}`] : []))
  return [metadata_header, ...lines, chapters?.replace(`${metadata_header}\n`, '') ?? ''].join('\n')
}

/** Keeps the line breaks and tabs of a description; a title is cut when it is read. */
const clean = (text: string | null | undefined, most = 500): string | undefined =>
  text == null
    ? undefined
    : cut(
        text
          .replace(/\r\n?|[\u2028\u2029]/g, '\n')
          .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
          .trim(),
        most,
      ).toWellFormed()

/** With ffmpeg's special characters escaped. A backslash continues a value on the next line. */
const escaped = (text: string) => withoutBidiControls(text).replace(/[=;#\\\n]/g, '\\$&')

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
