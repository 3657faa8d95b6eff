/** Opens the file or the subtitles of a video. */
import type { Library } from '../../db/library.ts'
import { DomainError } from '../../errors.ts'
import { type Extension, extensionOf } from '../../schema/downloads/quality.ts'
import type { Video } from '../../schema/videos/video.ts'
import type { Files, OpenFile } from '../../store/files.ts'
import { subtitlePath } from '../../store/paths.ts'
import { recovered } from '../downloads/deletions.ts'
import { getVideo } from '../get.ts'

/** The caller closes the file. A file that is missing is looked for in the bin. Notes a missing file, so that the video can be downloaded again. */
export async function openVideo(
  library: Library,
  files: Files,
  video_id: string,
): Promise<{ video: Video; file: OpenFile; extension: Extension }> {
  const video = await getVideo(library, video_id)
  if (!video.download_path) throw new DomainError('not_found', 'This video is not on disk. Download it first.')
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
 * With the time at which this person got the file. A link to another person's file has that person's time on the disk, which would say
 * that the other one had it, and since when.
 */
function dated(file: OpenFile, { download_completed_at }: Video): OpenFile {
  const modified_at = download_completed_at ?? file.modified_at
  return { ...file, modified_at, etag: `"${file.size.toString(36)}-${modified_at.getTime().toString(36)}"` }
}
