/** Starts the service as separate processes, the way users start it, and ends those that a failed test leaves. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { env } from 'node:process'
import { afterAll, afterEach, beforeEach } from 'vitest'

export type Running = {
  pid: number
  /** The line that says it is ready. */
  line: string
  /** The address in that line. */
  url: string
  /** Everything it has printed so far. */
  said(): string
  /** Resolves to the exit code, or the signal that ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals | null>
}

const node = ['node_modules/.bin/node', '--expose-gc']
const deno = (command: string) => ['node_modules/.bin/deno', command, '--allow-all', '--quiet']
const commandOf = {
  node: () => node,
  deno: () => deno('run'),
  'deno serve': ({ HOST = '', PORT = '' }) => [...deno('serve'), '--host', HOST, '--port', PORT],
}

/** `cwd`: another checkout. `uid`, `gid`: the user it runs as; only root can choose. `inside`: words before the command. */
type How = { cwd?: string; uid?: number; gid?: number; inside?: string[] }
/** `entry`: the program, which takes the role as its argument. */
type Options = How & { on?: keyof typeof commandOf; entry?: string; env?: Record<string, string> }

const of_this_file = new Set<ChildProcess>()
let of_this_test = new Set<ChildProcess>()

/**
 * For every test file. A test that fails does not reach the line that stops its processes. They would work on the jobs of the next
 * test, and keep their connections to the database that all files share. Of concurrent tests, one that fails also ends the processes of the
 * others.
 */
export function endProcessesOfEachTest(): void {
  beforeEach(() => {
    of_this_test = new Set()
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await endAll(of_this_test)
  })
  afterAll(() => endAll(of_this_file))
}

async function endAll(children: Set<ChildProcess>): Promise<void> {
  await Promise.all([...children].map(child => end(child, 'SIGKILL')))
  children.clear()
}

const longest_start_ms = 100_000

/** Starts a role and waits until it is ready. Rejects with its output when it ends before, or takes too long. */
export async function start(
  role: string,
  { on = 'node', entry = 'src/main.ts', env: more = {}, inside = [], ...how }: Options = {},
): Promise<Running> {
  const child = launch([...inside, ...commandOf[on](more), entry, role], more, how)
  let said = ''
  const ready = new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      said += chunk
      const line = /^(Backlot is at|The worker is).*$/m.exec(said)?.[0]
      if (line) resolve(line)
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.once('exit', code => reject(new Error(`${role} ended with ${code}: ${said}`)))
    setTimeout(() => reject(new Error(`${role} is not ready: ${said}`)), longest_start_ms).unref()
  })
  const line = await ready
  return {
    pid: child.pid ?? 0,
    line,
    url: /http\S+/.exec(line)?.[0] ?? '',
    said: () => said,
    stop: signal => end(child, signal),
  }
}

/** Runs a command to its end. */
export async function run(
  command: string[],
  more: Record<string, string> = {},
  how: How = {},
): Promise<{ code: number; said: string }> {
  const child = launch(command, more, how)
  let said = ''
  const hear = (chunk: Buffer) => {
    said += chunk
  }
  child.stdout?.on('data', hear)
  child.stderr?.on('data', hear)
  const [code] = (await once(child, 'close')) as [number]
  return { code, said }
}

export const runRole = (role: string, more: Record<string, string>, how?: How) =>
  run([...node, 'src/main.ts', role], more, how)

function launch(
  [file = '', ...args]: string[],
  more: Record<string, string>,
  how: Omit<How, 'inside'> = {},
): ChildProcess {
  const { DATABASE_URL: _, NODE_COMPILE_CACHE: __, ...rest } = env
  // No test asks a service on the internet. The service chooses its own folder for compiled code.
  const all = { ...rest, LOG_LEVEL: 'info', SPONSORBLOCK_URL: '', ...more }
  const child = spawn(file, args, { ...how, env: all, stdio: ['ignore', 'pipe', 'pipe'] })
  of_this_file.add(child)
  of_this_test.add(child)
  return child
}

async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode ?? child.signalCode
  const ended = once(child, 'exit')
  child.kill(signal)
  const [code, by] = (await ended) as [number | null, NodeJS.Signals | null]
  return code ?? by
}
