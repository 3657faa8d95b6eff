/**
 * Makes sure that a partial file is continued only with bytes of the same file. yt-dlp asks for the rest without `If-Range`, and our proxy
 * cannot see the headers of https, so the size of the whole file is compared, which yt-dlp reports: it is noted when the first bytes
 * come, also for later runs. A partial file whose whole size is unknown is fetched anew.
 */
import { readdir, readFile, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { writeWhole } from '../../runtime/folders.ts'
import { sound_folder, stemFor } from './command.ts'
import type { DownloadContext } from './download-context.ts'
import type { FileProgress } from './line.ts'

type Work = Pick<DownloadContext, 'folder' | 'quality'>

const note = 'sizes.json'

/** `isOther`: the bytes that come now belong to another file than those before. `saved`: resolves when the sizes are noted. */
type KnownSizes = { isOther(report: FileProgress): boolean; saved(): Promise<void> }

/** Removes what cannot be continued. Call before yt-dlp starts. */
export async function knownSizes(work: Work): Promise<KnownSizes> {
  const file = join(work.folder, note)
  const known = await notedIn(file)
  if (known.size === 0 || [...known.values()].includes(unknown)) {
    await forgetPartial(work)
    known.clear()
  }
  // Its sizes are not reported.
  await rm(join(work.folder, sound_folder), { recursive: true, force: true })
  let saved = Promise.resolve()
  return {
    isOther({ format_id, progress }) {
      const { unit, size } = sizeOf(progress)
      const key = `${format_id} ${unit}`
      const earlier = known.get(key)
      if (earlier !== undefined) return size !== earlier
      if (size === unknown && progress.status === 'finished') return false
      known.set(key, size)
      const text = JSON.stringify([...known])
      // Without the note, the next run begins anew.
      saved = saved.then(() => writeWhole(file, text)).catch(() => {})
      return false
    },
    saved: () => saved,
  }
}

/** None where the note is missing or, after a crash, not whole. */
const notedIn = async (file: string): Promise<Map<string, number>> => {
  try {
    // Only we write it.
    return new Map(JSON.parse(await readFile(file, 'utf8')) as [string, number][])
  } catch {
    return new Map()
  }
}

const unknown = -1

/** Of a file in fragments, only their number is known before it is complete. */
function sizeOf({ total_bytes, fragment_count }: FileProgress['progress']): { unit: string; size: number } {
  if (fragment_count) return { unit: 'fragments', size: fragment_count }
  return total_bytes ? { unit: 'bytes', size: total_bytes } : { unit: 'unknown', size: unknown }
}

/** Removes all that a run has fetched, so that the next one begins anew. */
export async function forgetPartial({ folder, quality }: Work): Promise<void> {
  const stem = `${stemFor(quality)}.`
  const names = (await readdir(folder)).filter(name => name.startsWith(stem) || name === note)
  for (const name of names) {
    // A reader of the growing file notices that it begins again (`readGrowing`).
    if (name.endsWith('.part')) await truncate(join(folder, name))
    await rm(join(folder, name), { recursive: true, force: true })
  }
}
