/** Removes temporary folders that a process left when it was killed. */
import { readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The beginning of the names of folders in which pictures are converted. */
export const picture_folders = 'backlot-picture-'

/** Work in such a folder takes minutes. */
const usual_ms = 6 * 60 * 60_000

/** Removes the folders whose names begin with `prefix`, and to which nothing was written for `abandoned_ms`. */
export async function removeAbandoned(prefix: string, abandoned_ms = usual_ms): Promise<void> {
  const names = (await readdir(tmpdir()).catch(() => [])).filter(name => name.startsWith(prefix))
  for (const name of names) {
    const path = join(tmpdir(), name)
    const found = await stat(path).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > abandoned_ms)
      await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}
