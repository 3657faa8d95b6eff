/** Answers requests for the file or the subtitles of a video: opens the file, and decides which part of it to send (RFC 9110). */
import { parse } from 'range-parser'
import type { Library } from '../../db/library.ts'
import { DomainError } from '../../errors.ts'
import { type Extension, extensionOf } from '../../schema/downloads/quality.ts'
import type { Video } from '../../schema/videos/video.ts'
import type { Files, OpenFile } from '../../store/files.ts'
import { subtitlePath } from '../../store/paths.ts'
import { recovered } from '../downloads/deletions.ts'
import { getVideo, not_on_disk } from '../get.ts'

/**
 * The caller closes the file. A file that is missing is looked for in the bin. Records a missing file, so that the video can be downloaded
 * again.
 */
export async function openVideo(
  library: Library,
  files: Files,
  video_id: string,
): Promise<{ video: Video; file: OpenFile; extension: Extension }> {
  const video = await getVideo(library, video_id)
  if (!video.download_path) throw new DomainError('not_found', not_on_disk)
  const { download_path } = video
  const file =
    (await files.open(download_path)) ??
    ((await library.downloads.findFile(video_id, recovered(files))) ? await files.open(download_path) : undefined)
  if (file) return { video, file: dated(file, video), extension: extensionOf(download_path) }
  throw new DomainError('not_found', 'The file of this video is missing. Download it again.')
}

/** The caller closes the file. */
export async function openSubtitles(
  library: Library,
  files: Files,
  video_id: string,
  language: string,
): Promise<OpenFile> {
  const video = await getVideo(library, video_id)
  const { download_path, subtitles } = video
  const known = download_path !== null && subtitles.includes(language)
  const file = known ? await files.open(subtitlePath(download_path, language)) : undefined
  if (!file) throw new DomainError('not_found', 'This video has no such subtitles.')
  return dated(file, video)
}

/**
 * Gives the file the time at which this person got it. A link to another person's file has that person's time on the disk, which would
 * tell that another person has the file, and since when.
 */
export function dated(file: OpenFile, { download_completed_at }: Pick<Video, 'download_completed_at'>): OpenFile {
  const modified_at = download_completed_at ?? file.modified_at
  return { ...file, modified_at, etag: `"${file.size.toString(36)}-${modified_at.getTime().toString(36)}"` }
}

export type Conditions = {
  if_match?: string | undefined
  if_unmodified_since?: string | undefined
  if_none_match?: string | undefined
  if_modified_since?: string | undefined
}

/** How to answer a conditional request: send the file, 304, or 412. RFC 9110, section 13.2.2. */
export function conditionOf(
  given: Conditions,
  { etag, modified_at }: Pick<OpenFile, 'etag' | 'modified_at'>,
): 'send' | 'not_modified' | 'failed' {
  const modified_s = Math.floor(modified_at.getTime() / 1000)
  const seconds = (date: string) => Date.parse(date) / 1000

  if (given.if_match !== undefined) {
    if (!names(given.if_match, etag)) return 'failed'
  } else if (given.if_unmodified_since !== undefined && modified_s > seconds(given.if_unmodified_since)) return 'failed'

  if (given.if_none_match !== undefined) {
    return names(given.if_none_match.replaceAll('W/', ''), etag) ? 'not_modified' : 'send'
  }
  if (given.if_modified_since !== undefined && modified_s <= seconds(given.if_modified_since)) return 'not_modified'
  return 'send'
}

/** Whether a list of tags in a header contains this tag. */
const names = (list: string, etag: string) =>
  list.trim() === '*' ||
  list
    .split(',')
    .map(tag => tag.trim())
    .includes(etag)

/** A part of a file. Both ends are inclusive, as in `Content-Range`. */
export type Slice = { first: number; last: number }

/**
 * The slice of a file of `size` bytes that a `Range` header requests (RFC 9110, section 14). `undefined`: send the whole file (no header,
 * several ranges, or not a byte range). `unsatisfiable`: the slice begins after the end of the file.
 */
export function byteRange(header: string | undefined, size: number): Slice | 'unsatisfiable' | undefined {
  if (header === undefined || header.includes(',')) return undefined
  const { code, type, ranges } = parse(size, header)
  const is_invalid = (code & 1) === 1
  if (type !== 'bytes' || is_invalid) return undefined
  const [range] = ranges
  return range ? { first: range.start, last: range.end } : 'unsatisfiable'
}

/** `If-Range` matches only the same file: by its strong tag, or its exact date. */
export const sameFile = (if_range: string | undefined, etag: string, modified_at: Date): boolean =>
  if_range === undefined ||
  if_range === etag ||
  Date.parse(if_range) === Math.floor(modified_at.getTime() / 1000) * 1000
