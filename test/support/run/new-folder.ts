/** On disk: a folder for one test, which is removed after the test. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
