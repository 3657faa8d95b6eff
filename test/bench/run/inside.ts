/** Runs a program of `test/bench/inside` as a process that uses the code of a checkout, for what no request can measure alone. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { scriptOf } from './checkout.ts'
import type { Figure } from './figures.ts'
import type { Side } from './side.ts'

/** `given` is handed to the program. It prints its figure as JSON on its last line. */
export async function runInside(side: Side, program: string, given: object): Promise<Figure> {
  const { command, args, variables } = await scriptOf(side.checkout, 'worker')
  const flags = args.slice(0, args.indexOf('src/main.ts'))
  const file = fileURLToPath(new URL(`../inside/${program}`, import.meta.url))
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...variables, ...side.variables }
  const options = { cwd: side.checkout, env, timeout: 300_000, maxBuffer: 1e8 }
  const { stdout } = await promisify(execFile)(command, [...flags, file, JSON.stringify(given)], options)
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}

/** In such a program: a file of the checkout. */
export const ofCheckout = (path: string) => import(`${process.cwd()}/${path}`)
