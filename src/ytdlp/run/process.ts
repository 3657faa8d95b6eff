/**
 * Runs a tool that may hang, fork or be told to stop, and leaves none of its children behind.
 * Gives its lines to the caller, and says how it ended; what that means is the caller's.
 */
import { platform } from 'node:os'
import process from 'node:process'
import type { Readable } from 'node:stream'
import { execa } from 'execa'

export type ToolRun = {
  command: string[]
  args: string[]
  cwd: string
  /** All the tool gets to see of the environment. */
  env: Record<string, string>
  signal: AbortSignal
  /** Without a line for so long it counts as hung. */
  silence_ms(): number
  longest_ms: number
  onLine(line: string): void
}
/** `exit_code` is undefined when a signal ended it, or it could not be started. */
export type Ended = {
  exit_code: number | undefined
  stopped?: 'silent' | 'too_long' | undefined
  could_start: boolean
}

/** For a tool to end by itself. Who cancels a download should find it gone within two seconds. */
const grace_ms = 1000
/** A line is at most this long; the rest of a longer one is dropped. */
const longest_line = 64 * 1024

/** Rejects only when `signal` is aborted, after the whole group is gone. */
export async function runTool(run: ToolRun): Promise<Ended> {
  run.signal.throwIfAborted()
  const [file = '', ...before] = run.command
  const child = execa(file, [...before, ...run.args], {
    cwd: run.cwd,
    env: run.env,
    extendEnv: false,
    stdin: 'ignore',
    buffer: false,
    reject: false,
    // A group of its own, so that what it started can be ended with it.
    detached: true,
  })
  const group = groupOf(child.pid)
  const watch = watchdog(run, group)
  child.nodeChildProcess.once('exit', () => group.kill('SIGKILL'))
  const onLine = (line: string) => {
    watch.sign()
    run.onLine(line)
  }
  eachLine(child.stdout, onLine)
  eachLine(child.stderr, onLine)
  const ended = await child
  watch.end()
  run.signal.throwIfAborted()
  return { exit_code: ended.exitCode, stopped: watch.stopped(), could_start: couldStart(child.pid, ended.exitCode) }
}

/** 126 and 127 are what a launcher ends with when there is nothing to launch. */
const couldStart = (pid: number | undefined, exit_code: number | undefined) =>
  pid !== undefined && exit_code !== 126 && exit_code !== 127

type Group = { kill(signal: NodeJS.Signals): void; end(): void }

/** What still runs when we exit ourselves goes with us. */
const running = new Set<Group>()
process.once('exit', () => {
  for (const group of running) group.kill('SIGKILL')
})

function groupOf(pid: number | undefined): Group {
  const kill = (signal: NodeJS.Signals) => {
    try {
      if (pid && platform() === 'win32') execa('taskkill', ['/pid', String(pid), '/t', '/f'], { reject: false })
      else if (pid) process.kill(-pid, signal)
    } catch {
      // Nobody of that group is left.
    }
  }
  const group = { kill, end: () => void running.delete(group) }
  running.add(group)
  return group
}

/** Ends the group when the caller asks, when it falls silent, or when it takes too long: politely first. */
function watchdog({ signal, silence_ms, longest_ms }: ToolRun, group: Group) {
  let stopped: Ended['stopped']
  let last_sign = Date.now()
  const started = last_sign
  let force: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    group.kill('SIGTERM')
    force ??= setTimeout(() => group.kill('SIGKILL'), grace_ms)
  }
  const check = () => {
    const now = Date.now()
    if (now - last_sign > silence_ms()) stopped ??= 'silent'
    if (now - started > longest_ms) stopped ??= 'too_long'
    if (stopped) stop()
  }
  const timer = setInterval(check, Math.min(1000, silence_ms() / 4))
  signal.addEventListener('abort', stop)
  return {
    sign: () => {
      last_sign = Date.now()
    },
    stopped: () => stopped,
    end() {
      clearInterval(timer)
      clearTimeout(force)
      signal.removeEventListener('abort', stop)
      group.end()
    },
  }
}

/** Lines end at \n alone: at any other character, text that a site chose could begin a line of its own. */
function eachLine(stream: Readable, onLine: (line: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = (lines.pop() ?? '').slice(0, longest_line)
    for (const line of lines.map(withoutReturn)) if (line !== '') onLine(line)
  })
  stream.once('end', () => rest !== '' && onLine(withoutReturn(rest)))
}

/** Windows ends its lines with one. */
const withoutReturn = (line: string) => line.replace(/\r$/, '')
