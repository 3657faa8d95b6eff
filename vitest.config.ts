import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { env } from 'node:process'
import { defineConfig } from 'vitest/config'
import { filesOf, type Kind } from './test/support/run/kinds.ts'
import { NothingLeftOut } from './test/support/run/nothing-left-out.ts'

const kind = (name: Kind, more: object) => ({ extends: true as const, test: { name, include: filesOf(name), ...more } })

// The threads that tests start are ready sooner.
env.NODE_COMPILE_CACHE ??= resolve('.data/compiled')

export default defineConfig({
  test: {
    projects: [
      kind('apart', { isolate: true }),
      kind('end-to-end', { isolate: false, globalSetup: 'test/support/run/machine.ts' }),
      kind('in-process', { isolate: false }),
      kind('many-machines', {
        isolate: false,
        globalSetup: 'test/support/run/machine.ts',
        sequence: { groupOrder: 1 },
      }),
    ],
    globalSetup: 'test/support/run/global-setup.ts',
    setupFiles: 'test/support/run/each-file.ts',
    reporters: ['default', new NothingLeftOut()],
    // One file more than there are cores, because most wait for other processes. Eight at most: a file may need twenty connections, and
    // Postgres has 200.
    maxWorkers: Math.min(availableParallelism() + 1, 8),
    // Shared modules make a large heap, which is then collected less often.
    execArgv: ['--max-semi-space-size=64'],
    // A busy machine is no fault: a test waits for its event, and only its own time limit ends it.
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
})
