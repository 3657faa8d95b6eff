/** The service as processes of its own, the way people start it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { env } from 'node:process'

export type Running = {
  pid: number
  /** The line that said it is ready. */
  line: string
  /** The address in that line. */
  url: string
  /** Everything it has said so far. */
  said(): string
  /** Resolves to the exit code, or the signal that ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals | null>
}

const node = ['node_modules/.bin/node', '--import', 'tsx']
const deno = ['node_modules/.bin/deno', 'run', '--allow-all', '--quiet']

/** `cwd`: of another checkout. `uid`, `gid`: the user it runs as, where we may choose. */
type How = { cwd?: string; uid?: number; gid?: number }
type Options = How & { on?: 'node' | 'deno'; env?: Record<string, string> }

/** Starts a role and waits until it says that it is ready. Rejects with its own words when it ends before. */
export async function start(role: string, { on = 'node', env: more = {}, ...how }: Options = {}): Promise<Running> {
  const child = launch([...(on === 'node' ? node : deno), 'src/main.ts', role], more, how)
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
): Promise<{ code: number; said: string }> {
  const child = launch(command, more)
  let said = ''
  const hear = (chunk: Buffer) => {
    said += chunk
  }
  child.stdout?.on('data', hear)
  child.stderr?.on('data', hear)
  const [code] = (await once(child, 'close')) as [number]
  return { code, said }
}

export const runRole = (role: string, more: Record<string, string>) => run([...node, 'src/main.ts', role], more)

function launch([file = '', ...args]: string[], more: Record<string, string>, how: How = {}): ChildProcess {
  const { DATABASE_URL: _, ...rest } = env
  return spawn(file, args, { ...how, env: { ...rest, LOG_LEVEL: 'info', ...more }, stdio: ['ignore', 'pipe', 'pipe'] })
}

async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode ?? child.signalCode
  const ended = once(child, 'exit')
  child.kill(signal)
  const [code, by] = (await ended) as [number | null, NodeJS.Signals | null]
  return code ?? by
}
