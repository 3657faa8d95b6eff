import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { argv, env } from 'node:process'
import { defineConfig } from 'vitest/config'
import { Ending } from './test/support/run/ending.ts'
import { filesOf, type Kind } from './test/support/run/kinds.ts'
import { Sequencer } from './test/support/run/sequencer.ts'

const kind = (name: Kind, groupOrder: number, more: object = {}) => ({
  extends: true as const,
  test: { name, include: filesOf(name), isolate: false, sequence: { groupOrder }, ...more },
})
/**
 * How many files run at once: more than there are cores, because each file waits now and then; at most eight, because a file may need 20
 * of the 200 connections.
 */
const workers = (more: number) => Math.min(availableParallelism() + more, 8)
const programs = 'test/support/run/machine.ts'

// Vitest ignores `--sequence.shuffle` for files when the configuration names a sequencer.
const is_shuffled = argv.some(argument => /^--sequence\.shuffle(\.files)?(=true)?$/.test(argument))

/** How long a test waits for an event. Long, because a busy machine is no fault. */
const wait_ms = 60_000

// The settings of a developer's own service are none of the services in tests.
env.ENV_FILE = ''
// The threads that tests start are ready sooner.
env.NODE_COMPILE_CACHE ??= resolve('.data/compiled')

export default defineConfig({
  test: {
    // Quick failures come first. Within a group, Vitest starts the kinds in the order of their names: files that mostly wait come before
    // the many short ones, which fill the gaps.
    projects: [
      kind('text', 0),
      kind('apart', 1, { isolate: true }),
      kind('end-to-end', 1, { globalSetup: programs }),
      kind('in-process', 1),
      kind('rest', 2, { globalSetup: [programs, 'test/support/run/bridge.ts'], maxWorkers: workers(2) }),
    ],
    globalSetup: 'test/support/run/global-setup.ts',
    setupFiles: 'test/support/run/each-file.ts',
    // They import JSON in a way that Node refuses.
    server: { deps: { inline: [/@actions/] } },
    reporters: ['default', new Ending()],
    maxWorkers: workers(1),
    ...(is_shuffled ? {} : { sequence: { sequencer: Sequencer } }),
    // Shared modules make a large heap, which is then collected less often.
    execArgv: ['--max-semi-space-size=64'],
    expect: { poll: { timeout: wait_ms } },
    provide: { wait_ms },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
