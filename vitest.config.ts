import { defineConfig } from 'vitest/config'
import { findMachine, leftOut } from './test/support/machine.ts'

export default defineConfig(async () => {
  const machine = await findMachine()
  return {
    test: {
      include: ['test/**/*.test.{ts,tsx}'],
      exclude: leftOut(machine),
      provide: { machine },
      globalSetup: 'test/support/global-setup.ts',
      testTimeout: 60_000,
      hookTimeout: 120_000,
    },
  }
})
