/** A reporter that names every skipped test. Under CI a skipped test makes the run fail. */
import { env } from 'node:process'
import type { Reporter, TestModule, Vitest } from 'vitest/node'

/** These need a right that root may lack too: to mount a disk, and to make a folder append-only. */
const may_be_left_out = /\/test\/(e2e\/disk-full|runtime\/folders)\.test\.ts$/

export class NothingLeftOut implements Reporter {
  /** With `-t`, the tests of other names are left out on purpose. */
  #is_chosen = false

  onInit({ config }: Vitest): void {
    this.#is_chosen = config.testNamePattern !== undefined
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = this.#is_chosen ? [] : modules.flatMap(module => [...module.children.allTests('skipped')])
    for (const test of skipped) console.warn(`Left out: ${test.module.relativeModuleId}: ${test.fullName}`)
    if (!env.CI || skipped.every(({ module }) => may_be_left_out.test(module.moduleId))) return
    console.error('Under CI every test must run: start it as root on a Debian.')
    process.exitCode = 1
  }
}
