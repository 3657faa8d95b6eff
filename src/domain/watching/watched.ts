/** The history of one person: what was watched leaves it on request, and returns by Undo. */
import type { Library } from '../../db/library.ts'
import { getVideo } from '../get.ts'

/** Takes one video out of the history, whether it is there or not. Undo finds it by `at`. */
export async function forgetWatched(library: Library, video_id: string, at: Date): Promise<void> {
  await getVideo(library, video_id)
  await library.watched.forget(at, video_id)
}
