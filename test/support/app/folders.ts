/** On disk: a folder that a file of tests has for itself. */
import { mkdtempSync, realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Empty, and removed after the tests that follow. `parent`: where, by default in the folder for temporary files. */
export function ownFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(realpathSync(parent), 'backlot-test-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return folder
}
