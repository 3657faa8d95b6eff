/** The history of one person: what was watched leaves it on request, and returns by Undo. */
import type { Library } from '../../db/library.ts'
import { getVideo } from '../get.ts'

/** Takes one video out of the history. Returns the time, by which Undo finds it; `undefined`: it was not there. */
export async function forgetWatched(library: Library, video_id: string): Promise<string | undefined> {
  await getVideo(library, video_id)
  return library.watched.forget(video_id)
}
