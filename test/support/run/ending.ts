/**
 * A reporter for the end of a run. It names the skipped tests, says what to do about faults of the machine, and shows the processor time
 * of each kind of test and of the ten dearest files.
 */
import { env } from 'node:process'
import type { Reporter, SerializedError, TestModule, Vitest } from 'vitest/node'
import { adviceFor } from './advice.ts'
import { processorTime } from './processor-time.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Of a file: milliseconds of processor time, with those of the programs that it started. */
    processor_ms?: number
  }
}

/** These need a right that root may lack too: to mount a disk, and to make a folder append-only. */
const may_be_left_out = /\/test\/(e2e\/disk-full|runtime\/folders|store\/disk)\.test\.ts$/

export class Ending implements Reporter {
  /** With `-t`, the tests of other names are left out on purpose. */
  #is_chosen = false

  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
    this.#is_chosen = vitest.config.testNamePattern !== undefined
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    if (!this.#is_chosen) nameSkipped(modules)
    for (const sentence of adviceFor(faultsOf(modules, errors))) console.error(`\n${sentence}`)
    showCosts(modules, this.#vitest?.getRootProject().getProvidedContext().server_pid)
  }
}

/** Under CI a skipped test makes the run fail. */
function nameSkipped(modules: readonly TestModule[]): void {
  const skipped = modules.flatMap(module => [...module.children.allTests('skipped')])
  for (const test of skipped) console.warn(`Left out: ${test.module.relativeModuleId}: ${test.fullName}`)
  if (!env.CI || skipped.every(({ module }) => may_be_left_out.test(module.moduleId))) return
  console.error('Under CI every test must run: start it as root on a Debian.')
  process.exitCode = 1
}

function faultsOf(modules: readonly TestModule[], errors: readonly SerializedError[]): string[] {
  const of_tests = modules.flatMap(module => [
    ...module.errors(),
    ...[...module.children.allTests('failed')].flatMap(test => test.result().errors ?? []),
  ])
  return [...errors, ...of_tests].map(({ message }) => message)
}

type Cost = { name: string; tests: number; processor_s: number; duration_s: number }

/** `server_pid`: absent where no test needs Postgres. */
function showCosts(modules: readonly TestModule[], server_pid: number | undefined): void {
  const costs = modules.map(costOf)
  const kinds = [...Map.groupBy(modules, ({ project }) => project.name)]
  const { user, system } = process.cpuUsage()
  const around = (user + system) / 1000 + (server_pid === undefined ? 0 : processorTime(server_pid))
  print('kind', [
    ...kinds.map(([name, of_kind]) => sumOf(name, of_kind.map(costOf))),
    { name: 'Postgres and Vitest', tests: 0, processor_s: around / 1000, duration_s: 0 },
  ])
  if (costs.length > 10)
    print('the ten dearest files', costs.toSorted((a, b) => b.processor_s - a.processor_s).slice(0, 10))
}

const costOf = (module: TestModule): Cost => ({
  name: module.relativeModuleId,
  tests: [...module.children.allTests()].length,
  processor_s: (module.meta().processor_ms ?? 0) / 1000,
  duration_s: module.diagnostic().duration / 1000,
})

function sumOf(name: string, costs: Cost[]): Cost {
  const sum = (of: 'tests' | 'processor_s' | 'duration_s') => costs.reduce((all, cost) => all + cost[of], 0)
  return { name, tests: sum('tests'), processor_s: sum('processor_s'), duration_s: sum('duration_s') }
}

function print(head: string, costs: Cost[]): void {
  const line = (name: string, ...figures: string[]) =>
    console.log(name.padEnd(60) + figures.map(figure => figure.padStart(13)).join(''))
  console.log()
  line(head, 'tests', 'processor s', 'duration s')
  for (const { name, tests, processor_s, duration_s } of costs)
    line(name, String(tests || ''), processor_s.toFixed(1), duration_s ? duration_s.toFixed(1) : '')
}
