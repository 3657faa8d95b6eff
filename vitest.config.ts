import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { findMachine, leftOut } from './test/support/run/machine.ts'

export default defineConfig(async () => {
  const machine = await findMachine()
  return {
    test: {
      include: ['test/**/*.test.{ts,tsx}'],
      exclude: leftOut(machine),
      provide: { machine },
      globalSetup: 'test/support/run/global-setup.ts',
      // Most of the time is spent waiting for other processes, so two run even where there is one core to spare.
      maxWorkers: Math.max(2, availableParallelism() - 1),
      // A busy machine is no fault: what is waited for comes, or the test itself runs out of time.
      expect: { poll: { timeout: 20_000 } },
      testTimeout: 60_000,
      hookTimeout: 120_000,
    },
  }
})
