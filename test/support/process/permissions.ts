/** On disk: lists the files of the service that other users of the machine could open. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The paths in `data` and `downloads` of this folder that another user can read, list or write. Entering folders is allowed. */
export async function openToOthers(folder: string): Promise<string[]> {
  const found: string[] = []
  for (const top of ['data', 'downloads']) {
    const entries = await readdir(join(folder, top), { recursive: true, withFileTypes: true })
    const paths = entries.filter(entry => !entry.isSymbolicLink()).map(({ parentPath, name }) => join(parentPath, name))
    for (const path of [join(folder, top), ...paths]) {
      const mode = (await stat(path)).mode & 0o777
      if ((mode & 0o066) !== 0) found.push(`${mode.toString(8)} ${path}`)
    }
  }
  return found
}
