/** Opens the file or the subtitles of a video. */
import type { Library } from '../../db/library/library.ts'
import { DomainError } from '../../errors.ts'
import { type Extension, extensionOf } from '../../schema/quality.ts'
import type { Video } from '../../schema/video.ts'
import { type Files, type OpenFile, subtitlePath } from '../downloads/files.ts'
import { getVideo } from './history.ts'

/** The caller closes the file. Notes a missing file, so that the video can be downloaded again. */
export async function openVideo(
  library: Library,
  files: Files,
  video_id: string,
): Promise<{ video: Video; file: OpenFile; extension: Extension }> {
  const video = await getVideo(library, video_id)
  if (!video.download_path) throw new DomainError('not_found', 'This video is not on disk. Download it first.')
  const file = await files.open(video.download_path)
  if (file) return { video, file, extension: extensionOf(video.download_path) }
  await library.downloads.loseFile(video_id)
  throw new DomainError('not_found', 'The file of this video is missing. Download it again.')
}

/** The caller closes the file. */
export async function openSubtitles(
  library: Library,
  files: Files,
  video_id: string,
  language: string,
): Promise<OpenFile> {
  const { download_path, subtitles } = await getVideo(library, video_id)
  const known = download_path !== null && subtitles.includes(language)
  const file = known ? await files.open(subtitlePath(download_path, language)) : undefined
  if (!file) throw new DomainError('not_found', 'This video has no such subtitles.')
  return file
}
