/** Looks for words in everything below a folder, by content and by name, hidden and binary files included. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The paths, relative to `folder`, that have one of `words` in their names or contents. Files that vanish meanwhile count as empty. */
export async function foundIn(folder: string, words: string[]): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const found = await Promise.all(
    names.map(async name => {
      const bytes = await readFile(join(folder, name)).catch(() => Buffer.alloc(0))
      return words.some(word => name.includes(word) || bytes.includes(word)) ? [name] : []
    }),
  )
  return found.flat().toSorted()
}
