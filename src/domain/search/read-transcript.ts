/** Reads the subtitles of one video on disk into its transcript. */
import type { Library } from '../../db/library.ts'
import { isAutomatic, isSame } from '../../schema/sources/subtitles.ts'
import type { Files } from '../../store/files.ts'
import { subtitlePath } from '../../store/paths.ts'
import { transcriptIn } from './webvtt.ts'

/** A file that was deleted meanwhile leaves the transcript as it is: what was said stays in the history. */
export async function readTranscript({ transcripts, videos }: Library, files: Files, video_id: string): Promise<void> {
  const video = await videos.find(video_id)
  if (!video) return
  const { download_path, subtitles } = video
  const language = chosenOf(subtitles, await transcripts.spokenIn(video_id))
  const bytes = download_path && language ? await files.read(subtitlePath(download_path, language)) : undefined
  if (!bytes && (await transcripts.find(video_id))) return
  const webvtt = bytes ? new TextDecoder().decode(bytes.subarray(0, most_bytes)) : ''
  await transcripts.save(video_id, transcriptIn(language ?? 'und', webvtt))
}

/** What people wrote in the spoken language, else its automatic captions, else the first. */
export const chosenOf = (subtitles: string[], spoken: string | null): string | undefined =>
  subtitles.find(name => !isAutomatic(name) && isSame(name, spoken)) ?? subtitles.find(isAutomatic) ?? subtitles[0]

/** Downloads keep no larger file; a person may have put one there. */
const most_bytes = 4 * 1024 * 1024
