/** Runs before each test file, also where files share modules: what must hold for every file, and what must not be left for the next. */
import { env, umask } from 'node:process'
import { afterAll, expect, inject, TestRunner, vi } from 'vitest'
import { recordFull } from '../../../src/db/postgres/room.ts'
import { endProcessesOfEachTest } from '../process/processes.ts'
import { processorTime } from './processor-time.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The time limit of `expect.poll`, `vi.waitFor` and `vi.waitUntil`, whose own limits are one second. */
    wait_ms: number
  }
}

const timeout = inject('wait_ms')
const { waitFor, waitUntil } = vi
const limited = (options: number | object = {}) => ({
  timeout,
  ...(typeof options === 'number' ? { timeout: options } : options),
})
vi.waitFor = (callback, options) => waitFor(callback, limited(options))
vi.waitUntil = (callback, options) => waitUntil(callback, limited(options))

endProcessesOfEachTest()

const { file } = TestRunner.getCurrentSuite()
const began_ms = processorTime()
afterAll(() => {
  file.meta.processor_ms = processorTime() - began_ms
})

const before = { env: { ...env }, umask: umask() }
afterAll(() => {
  Object.assign(vi, { waitFor, waitUntil })
  // A database that a test calls full would count as full for 20 seconds, in the next files too.
  recordFull(Number.NEGATIVE_INFINITY)
  expect({ env: { ...env }, umask: umask() }, 'a test file puts the environment back').toEqual(before)
  expect(vi.isFakeTimers(), 'a test file ends its false time').toBe(false)
})
