/**
 * Fetches what is said in a video that has no subtitles on disk, for all who want it: the video of the person whose turn it is at one host.
 * Plans and turns are in `db/search/everyone/captions.ts`.
 */

import type { Library } from '../../db/library.ts'
import type { PersonPause } from '../../db/queue/host-checks.ts'
import type { DueCaptions } from '../../db/search/everyone/captions.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { CaptionFetcher } from '../../ytdlp/run/captions.ts'
import { isRefusal, pauseAfter } from '../videos/look-at-host.ts'
import { transcriptIn } from './webvtt.ts'

/** The queries across people that this needs. Only a job has them. */
export type CaptionStore = {
  /** Takes the turn of a person. */
  take(host: string): Promise<DueCaptions | undefined>
  libraryOf(user_id: UserId): Pick<Library, 'transcripts'>
  pause(host: string, pause: PersonPause): Promise<void>
  forgetRefusals(host: string, user_id: UserId): Promise<void>
}

export type CaptionParts = { store: CaptionStore; fetchCaptions: CaptionFetcher; signal: AbortSignal }

/** `asked`: the site answered, also when there are none. */
export type Asked = 'nothing' | 'asked' | 'paused'

export async function fetchDueCaptions(parts: CaptionParts, host: string): Promise<Asked> {
  const { store, fetchCaptions, signal } = parts
  const due = await store.take(host)
  if (!due) return 'nothing'
  const transcripts = due.wanted_by.map(user_id => store.libraryOf(user_id).transcripts)
  // Noted before, so that a worker that dies over a video does not take it again at once.
  for (const known of transcripts) await known.noteAsked(due.video_id)
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
    await store.pause(host, pauseAfter(result.failure, turn_of))
    return 'paused'
  }
  if ('captions' in result && result.captions) {
    const { language, webvtt } = result.captions
    const transcript = transcriptIn(language, webvtt)
    for (const known of transcripts) await known.save(due.video_id, transcript)
  }
  await store.forgetRefusals(host, turn_of)
  return 'asked'
}
