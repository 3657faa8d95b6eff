import { open, rename, rm } from 'node:fs/promises'
import { pid } from 'node:process'

/** Writes the whole file or nothing, and to the disk before it returns. A link of that name is replaced, not followed. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const aside = `${file}.${pid}`
  await rm(aside, { force: true })
  const handle = await open(aside, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(aside, file)
}
