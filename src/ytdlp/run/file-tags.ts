/**
 * The texts and the cover inside a file: what its site says about the video. A bare media file has no site that says anything; then
 * the words of the person's own entry are used. Pure.
 */
import { cut } from '../../schema/values/stored.ts'
import { type FileWords, wordsHash } from '../../schema/videos/file-words.ts'
import { aboutIn, type InfoFile } from './info-file.ts'

export type FileTags = {
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

/** `undefined`: the info file names no page of the video. */
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

/** `covers`: sites list pictures that they may not have, so several are tried. `listed`: a site can list any number of pictures. */
const most = { covers: 4, listed: 100 }

/** yt-dlp sorts pictures from the worst to the best. */
function coversOf({ thumbnail, thumbnails }: InfoFile): string[] {
  const listed = (thumbnails ?? [])
    .slice(-most.listed)
    .map(({ url }) => url)
    .toReversed()
  const addresses = [thumbnail, ...listed].filter(url => url != null && /^https?:\/\//i.test(url) && url.length <= 2048)
  return [...new Set(addresses as string[])].slice(0, most.covers)
}

/** In characters. Media servers show about as many. */
const most_of_description = 4000

/**
 * The texts in ffmpeg's metadata format, with `chapters` of the same format after them. ffmpeg writes these names as the fields that
 * iTunes, Jellyfin, Plex and Kodi read. Sources: ffmpeg-formats, "Metadata"; libavformat/movenc.c, `mov_write_ilst_tag`.
 */
export function metadataText(tags: FileTags | undefined, chapters: string | undefined): string {
  const description = clean(tags?.description, most_of_description)
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
  return [header, ...lines, chapters?.replace(`${header}\n`, '') ?? ''].join('\n')
}

const header = ';FFMETADATA1'

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

/** A backslash continues a value on the next line. */
const escaped = (text: string) => text.replace(/[=;#\\\n]/g, '\\$&')
