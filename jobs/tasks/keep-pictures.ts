/**
 * The steps of housekeeping for pictures, each minute: it plans missing ones, deletes unused ones, queues the hosts that have due ones,
 * and removes the temporary folders of killed processes.
 */
import { continuePass, deleteUnused, queueAllPictures } from '../../src/db/videos/everyone/pictures.ts'
import { picture_folders, removeAbandoned } from '../../src/runtime/folders.ts'
import { picture_sizes } from '../../src/schema/values/picture.ts'
import { picturePath } from '../../src/store/paths.ts'
import type { TaskParts } from './task.ts'

/** Five million videos are read in four hours. A part locks its pictures for less than half a second. */
const pass_pace = { parts: 4, rows: 5000 }
/** The files of a part are removed in one transaction. */
const deletion_pace = { parts: 10, pictures: 100 }

async function planPassedPictures({ sql }: Pick<TaskParts, 'sql'>): Promise<void> {
  for (let part = 0; part < pass_pace.parts; part++) if (!(await continuePass(sql, pass_pace.rows))) return
}

async function deleteUnusedPictures({ sql, files }: Pick<TaskParts, 'sql' | 'files'>): Promise<void> {
  const remove = async (picture_id: string) => {
    for (const size of picture_sizes) await files.remove(picturePath(picture_id, size))
  }
  for (let part = 0; part < deletion_pace.parts; part++)
    if ((await deleteUnused(sql, deletion_pace.pictures, remove)) < deletion_pace.pictures) return
}

/** Without tools, pictures wait. */
async function queueHostsOfPictures({ sql, toolReport }: Pick<TaskParts, 'sql' | 'toolReport'>): Promise<void> {
  if (toolReport().missing === null) await queueAllPictures(sql)
}

const removeFolders = () => removeAbandoned(picture_folders)

export const picture_steps = [planPassedPictures, deleteUnusedPictures, queueHostsOfPictures, removeFolders]
