/** The places of stored files: paths relative to the downloads folder, the same for every kind of storage. */
import { basename, extname } from 'node:path'
import type { Extension } from '../schema/downloads/quality.ts'
import { Language } from '../schema/sources/subtitles.ts'
import type { PictureSize } from '../schema/values/picture.ts'
import type { UserId } from '../schema/values/user.ts'

/** The place of a finished video. */
export const placeOf = (video: {
  user_id: UserId
  channel_id: string
  video_id: string
  /** The default is `mp4`. */
  extension?: Extension
}): string =>
  [video.user_id, segment(video.channel_id), `${segment(video.video_id)}.${video.extension ?? 'mp4'}`].join('/')

/** The place of a stored picture. The folders keep lists of names short: of ten million files, each has about 150. */
export const picturePath = (picture_id: string, size: PictureSize): string =>
  ['.pictures', picture_id.slice(0, 2), picture_id.slice(2, 4), `${picture_id}.${size}`].join('/')

/** The path of the subtitles in one language, next to their video. */
export const subtitlePath = (download_path: string, language: string): string =>
  `${stemOf(download_path)}.${language}.vtt`

/**
 * The path of the sound that was cut out of a film, next to the film. No video has this extension, so it is the place of none. A version
 * that knows no sound takes it for the same video as the film, and leaves it in the bin as long as the film.
 */
export const soundPath = (download_path: string): string => stemOf(download_path) + sound_extension

const sound_extension = '.sound'

export const isSoundPath = (path: string): boolean => path.endsWith(sound_extension)

/**
 * Whether a file with this name, in the folder of the video, is beside it: subtitles of the video, or its sound. Nothing is beside a sound.
 */
export const isBeside = (name: string, download_path: string): boolean =>
  !isSoundPath(download_path) && videoOf(name) === stemOf(basename(download_path))

/** Finds the names of the files beside a video among the names in its folder, which are sorted only once. */
export function besideAmong(names: string[]): (download_path: string) => string[] {
  const by_stem = Map.groupBy(names, videoOf)
  return download_path => (isSoundPath(download_path) ? [] : (by_stem.get(stemOf(basename(download_path))) ?? []))
}

/** The name, without its extension, of the video that this file is beside; `undefined`: it is beside none. */
function videoOf(name: string): string | undefined {
  if (isSoundPath(name)) return stemOf(name)
  // A language contains no dot, which distinguishes the video `a.en` from subtitles of `a`.
  const [, stem, language] = /^(.*)\.([^.]*)\.vtt$/.exec(name) ?? []
  return Language.safeParse(language).success ? stem : undefined
}

/** An identifier as one path segment, even if it is not URL-safe. */
export const segment = (id: string): string => encodeURIComponent(id).replace(/^\.+/, dots => '%2E'.repeat(dots.length))

/** The video whose file is at this place; `undefined`: this is not the place of a video. */
export function videoIdAt(download_path: string): string | undefined {
  try {
    return decodeURIComponent(basename(stemOf(download_path)))
  } catch {
    return undefined
  }
}

/** The path without its extension. */
export const stemOf = (path: string) => path.slice(0, -extname(path).length)
