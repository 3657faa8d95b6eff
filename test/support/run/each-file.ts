/** Runs before each test file, also where files share modules: what must hold for every file, and what must not be left for the next. */
import { env } from 'node:process'
import { afterAll, expect, vi } from 'vitest'
import { endProcessesOfEachTest } from '../process/processes.ts'

/** Gives `vi.waitFor` the time limit that the configuration gives `expect.poll`; it has no option there. Its own is one second. */
const timeout = 20_000
const { waitFor } = vi
vi.waitFor = (callback, options = {}) =>
  waitFor(callback, { timeout, ...(typeof options === 'number' ? { timeout: options } : options) })

endProcessesOfEachTest()

const before = { ...env }
afterAll(() => {
  vi.waitFor = waitFor
  expect({ ...env }, 'a test file puts the environment back').toEqual(before)
})
