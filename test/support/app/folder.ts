/** In this process: a folder of its own for a test or for a file of tests. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

/** Is deleted when the run ends. */
export const newFolder = (): string => mkdtempSync(join(inject('run_folder'), 'test-'))
