/**
 * Stores what is said in videos, from the captions of a site or from subtitles on disk. People take turns at a host, and the captions of a
 * video are fetched for all who want them. Plans and turns are in `db/search/everyone/captions.ts`.
 */
import type { Everyone } from '../../db/everyone.ts'
import { type Library, libraryOf } from '../../db/library.ts'
import { pauseForPerson } from '../../db/queue/host-checks.ts'
import { captions_prefix, forgetRefusals } from '../../db/queue/host-pauses.ts'
import { takeDueCaptions } from '../../db/search/everyone/captions.ts'
import { subtitlesOfTranscript } from '../../schema/sources/subtitle-languages.ts'
import type { Files } from '../../store/files.ts'
import { subtitlePath } from '../../store/paths.ts'
import type { CaptionFetcher } from '../../ytdlp/ask/captions.ts'
import { max_subtitle_bytes } from '../../ytdlp/ask/subtitles.ts'
import { isRefusal, pauseAfter } from '../videos/look-at-host.ts'
import { transcriptIn } from './webvtt.ts'

export type CaptionParts = { everyone: Everyone; fetchCaptions: CaptionFetcher; signal: AbortSignal }

/** `asked`: the site answered, with captions or without. */
type CaptionsOutcome = 'nothing' | 'asked' | 'paused'

export async function fetchDueCaptions(parts: CaptionParts, host: string): Promise<CaptionsOutcome> {
  const { everyone, fetchCaptions, signal } = parts
  const due = await takeDueCaptions(everyone, host)
  if (!due) return 'nothing'
  const transcripts = due.wanted_by.map(user_id => libraryOf(everyone, user_id).transcripts)
  // Recorded before the request, so that a worker that dies over a video does not take the video again at once.
  for (const known of transcripts) await known.recordAsked(due.video_id)
  const forget = async () => {
    for (const known of transcripts) await known.forgetAsked(due.video_id)
  }
  const result = await fetchCaptions({ url: due.video_url, signal }).catch(async (cause: unknown) => {
    await forget()
    throw cause
  })
  const [turn_of] = due.wanted_by
  if ('failure' in result && isRefusal(result.failure)) {
    await forget()
    await pauseForPerson(everyone, captions_prefix, host, pauseAfter(result.failure, turn_of))
    return 'paused'
  }
  if ('captions' in result && result.captions) {
    const { language, webvtt } = result.captions
    const transcript = transcriptIn(language, webvtt)
    for (const known of transcripts) await known.save(due.video_id, transcript)
  }
  await forgetRefusals(everyone, captions_prefix + host, turn_of)
  return 'asked'
}

/**
 * Reads the subtitles of one video on disk into its transcript. A file that was deleted meanwhile leaves the transcript as it is: what was
 * said stays in the library.
 */
export async function readTranscript(
  { transcripts, videos, settings }: Library,
  files: Files,
  video_id: string,
): Promise<void> {
  const video = await videos.find(video_id)
  if (!video) return
  const { download_path, subtitles } = video
  const { subtitle_languages } = await settings.get()
  const language = subtitlesOfTranscript(subtitles, await transcripts.spokenIn(video_id), subtitle_languages)
  const bytes = download_path && language ? await files.read(subtitlePath(download_path, language)) : undefined
  if (!bytes && (await transcripts.find(video_id))) return
  // Downloads keep no larger file, but a person may have put a larger file there.
  const webvtt = bytes ? new TextDecoder().decode(bytes.subarray(0, max_subtitle_bytes)) : ''
  await transcripts.save(video_id, transcriptIn(language ?? 'und', webvtt))
}
