/** Folders for files that are needed while one request is answered. They are deleted afterwards, also those of a killed process. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeAbandoned } from './abandoned-folders.ts'

const prefix = 'backlot-upload-'
/** An upload arrives, waits and is read in less than an hour. */
const abandoned_ms = 2 * 60 * 60_000

/** `make` creates the folder when it is first called. It is deleted when `work` has ended. */
export async function inTemporaryFolder<T>(work: (make: () => Promise<string>) => Promise<T>): Promise<T> {
  let made: Promise<string> | undefined
  const make = () => {
    made ??= removeAbandoned(prefix, abandoned_ms).then(() => mkdtemp(join(tmpdir(), prefix)))
    return made
  }
  try {
    return await work(make)
  } finally {
    const path = await made?.catch(() => undefined)
    if (path) await rm(path, { recursive: true, force: true })
  }
}
