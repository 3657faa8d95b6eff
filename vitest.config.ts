import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { NothingLeftOut } from './test/support/run/nothing-left-out.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    globalSetup: 'test/support/run/global-setup.ts',
    setupFiles: 'test/support/run/patience.ts',
    reporters: ['default', new NothingLeftOut()],
    // Most of the time is spent waiting for other processes, so two run even where there is one core to spare.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // A busy machine is no fault: a test waits for its event, and only its own time limit ends it.
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
})
