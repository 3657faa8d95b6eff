/** Gives `vi.waitFor` the time limit that the configuration gives `expect.poll`; it has no option there. Its own is one second. */
import { vi } from 'vitest'

const timeout = 20_000
const { waitFor } = vi
vi.waitFor = (callback, options = {}) =>
  waitFor(callback, { timeout, ...(typeof options === 'number' ? { timeout: options } : options) })
