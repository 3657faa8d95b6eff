/** In a process of its own: the memory that values keep. In this one, what earlier tests have left is freed at any time. */
import { execPath } from 'node:process'
import { execa } from 'execa'

const prelude = `
  const bytesInUse = () => {
    gc()
    return process.memoryUsage().heapUsed
  }`

/** What a program prints as JSON. It may ask for `bytesInUse()`, the bytes of JavaScript values that are still in use. */
export async function measured<T>(program: string): Promise<T> {
  const { stdout } = await execa(execPath, ['--expose-gc', '--input-type=module', '--eval', prelude + program])
  return JSON.parse(stdout)
}
