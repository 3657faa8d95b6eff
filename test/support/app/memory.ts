/** The memory that values keep, in a process of its own: in the process of the tests, what earlier tests have left is freed at any time. */
import { execPath } from 'node:process'
import { execa } from 'execa'

const prelude = `
  const bytesInUse = () => {
    gc()
    return process.memoryUsage().heapUsed
  }`

/**
 * Runs an ES module and returns the JSON that it prints. The module can call `bytesInUse()`: the bytes of JavaScript values that are
 * still in use. Rejects when the module fails.
 */
export async function measured<T>(program: string): Promise<T> {
  const { stdout } = await execa(execPath, ['--expose-gc', '--input-type=module', '--eval', prelude + program], {
    timeout: 60_000,
  })
  return JSON.parse(stdout)
}
