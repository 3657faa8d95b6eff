/** The folders the service writes to, made before anything needs them. */
import { access, constants, mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** Throws a sentence that names the variable when nothing can be written there. */
export async function requireFolder(variable: string, path: string): Promise<void> {
  try {
    await make(resolve(path))
    await access(path, constants.W_OK)
  } catch (cause) {
    throw new Error(`${variable} should be a folder that can be written to, and ${path} is none.`, { cause })
  }
}

/** Not by `recursive`: where a folder can't be, in /proc for instance, that tries for ever. */
async function make(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory()) return
  if (dirname(path) !== path) await make(dirname(path))
  await mkdir(path).catch((fault: NodeJS.ErrnoException) => {
    if (fault.code !== 'EEXIST' || found) throw fault
  })
}
