/** Starts a role of the service from the folder of a checkout, the way the `package.json` of that checkout starts it, and ends it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { env as own_env } from 'node:process'
import { endAfterRow, endChild } from './children.ts'
import { type Usage, usageOf } from './usage.ts'

export type Role = 'web' | 'worker' | 'start' | 'migrate'

export type Running = {
  pid: number
  /** The address in the line that says that the role is ready; empty for a worker. */
  url: string
  /** Seconds from the start of the process to that line. */
  ready_s: number
  usage(): Promise<Usage>
  stop(): Promise<void>
}

type Variables = Record<string, string>
const longest_start_ms = 60_000

/**
 * Resolves once the role says that it is ready; for `migrate`, once it has ended. Rejects with what it printed. `members`: the file of a
 * control group, to which the role and all that it starts belong.
 */
export async function startRole(
  checkout: string,
  role: Role,
  variables: Variables = {},
  members?: string,
): Promise<Running> {
  const { command, args, variables: of_script } = await scriptOf(checkout, role)
  const [file = '', ...words] = members
    ? ['sh', '-c', 'echo $$ > "$0"; exec "$@"', members, command, ...args]
    : [command, ...args]
  const began = performance.now()
  // With the variable that npm sets, the service ends when this process is gone.
  const env = { PATH: own_env.PATH, HOME: own_env.HOME, npm_lifecycle_event: role, ...of_script, ...variables }
  const child = endAfterRow(spawn(file, words, { cwd: checkout, env, stdio: ['ignore', 'pipe', 'pipe'] }))
  const line = await readyLine(child, role)
  const pid = child.pid ?? 0
  return {
    pid,
    url: /http\S+/.exec(line)?.[0] ?? '',
    ready_s: (performance.now() - began) / 1000,
    usage: () => usageOf(pid),
    stop: () => endChild(child),
  }
}

/**
 * The command of a script of `package.json`. Only a plain command can be measured without the shell and npm around it:
 * `NAME=value … program argument …`.
 */
export async function scriptOf(checkout: string, role: Role) {
  const { scripts } = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8'))
  const words: string[] = scripts[role].split(/\s+/)
  if (/[;&|<>$"'`\\]/.test(scripts[role])) throw new Error(`The script ${role} of ${checkout} is not a plain command.`)
  const at = words.findIndex(word => !/^\w+=/.test(word))
  const variables = Object.fromEntries(words.slice(0, at).map(word => word.split(/=(.*)/s, 2)))
  return { variables, command: binary(checkout, words[at] ?? 'node'), args: words.slice(at + 1) }
}

const binary = (checkout: string, name: string) => join(checkout, 'node_modules/.bin', name)

/** A whole line, because a refusal may begin alike, and a chunk may end inside the address. `migrate` prints none: it ends. */
const ready_line = /^(?:Backlot is at http\S+|The worker is ready\.)(?=\n)/m

function readyLine(child: ChildProcess, role: Role): Promise<string> {
  let said = ''
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const timer = setTimeout(() => {
    child.kill('SIGKILL')
    reject(new Error(`${role} is not ready: ${said}`))
  }, longest_start_ms)
  const hear = (chunk: Buffer) => {
    said = (said + chunk).slice(-20_000)
    const line = ready_line.exec(said)?.[0]
    if (line) resolve(line)
  }
  child.stdout?.on('data', hear)
  child.stderr?.on('data', hear)
  child.once('error', reject)
  child.once('exit', code => {
    if (role === 'migrate' && code === 0) resolve(said)
    reject(new Error(`${role} ended with ${code}: ${said}`))
  })
  return promise.finally(() => clearTimeout(timer))
}
