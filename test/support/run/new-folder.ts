/** On disk: a folder for one test, or for one file of tests. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished, TestRunner } from 'vitest'

/**
 * An empty folder, which is removed after the test, or after the file whose tests are being declared. Do not call it in `beforeAll` or in a
 * concurrent test. `parent`: where, by default among the temporary files.
 */
export function newFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(realpathSync(parent), 'backlot-test-'))
  const later = TestRunner.getCurrentTest() ? onTestFinished : afterAll
  later(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}
