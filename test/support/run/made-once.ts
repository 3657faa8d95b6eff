/** On disk: a folder that is made once and kept, also where several processes want it at the same moment. */
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** `make` fills a folder aside, which becomes `place` when it is complete. */
export async function madeOnce(place: string, make: (aside: string) => Promise<void>): Promise<void> {
  if (await exists(place)) return
  await mkdir(dirname(place), { recursive: true })
  const aside = await mkdtemp(`${place}-`)
  try {
    await make(aside)
    // Another process may have put its copy there meanwhile.
    await rename(aside, place).catch(async cause => {
      if (!(await exists(place))) throw cause
    })
  } finally {
    await rm(aside, { recursive: true, force: true })
  }
}

export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
