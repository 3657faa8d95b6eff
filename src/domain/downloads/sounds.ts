/**
 * Opens the sound of a video, which is the file itself if it is sound only, else what was cut out of the film; and removes sounds whose
 * film is gone.
 */
import { staleSounds } from '../../db/downloads/everyone/sounds.ts'
import type { Everyone } from '../../db/everyone.ts'
import { type Library, libraryOf } from '../../db/library.ts'
import { isSound } from '../../schema/downloads/quality.ts'
import type { Files, OpenFile } from '../../store/files.ts'
import { soundPath } from '../../store/paths.ts'

/**
 * `undefined`: there is no sound, or its file is missing; a missing sound is cut again. Throws while the whole storage is away. The caller
 * closes the file.
 */
export async function openSound(library: Library, files: Files, video_id: string): Promise<OpenFile | undefined> {
  const sound = (await library.sounds.of([video_id])).get(video_id)
  if (!sound || sound.size === null) return undefined
  if (isSound(sound)) return files.open(sound.download_path)
  const open = await files.open(soundPath(sound.download_path))
  if (!open) await library.sounds.lose(video_id)
  return open
}

/**
 * Removes sounds that were left when their film was deleted, by a version that knows no sounds or by a process that ended. At most `limit`.
 */
export async function sweepSounds(everyone: Everyone, files: Files, limit: number): Promise<void> {
  const remove = async (download_path: string) => {
    await files.remove(soundPath(download_path))
    await files.purge(soundPath(download_path))
  }
  for (const { user_id, video_id } of await staleSounds(everyone, limit))
    await libraryOf(everyone, user_id).sounds.forgetStale(video_id, remove)
}
