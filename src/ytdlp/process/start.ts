/** Starts a tool as a process that leads a group of its own, and ends groups: with their tool, and with our own process. */
import { existsSync } from 'node:fs'
import { platform } from 'node:os'
import process from 'node:process'
import type { Readable } from 'node:stream'
import { execa } from 'execa'
import type { Hide } from '../operator/hidden-secrets.ts'
import { limits, type ToolKind } from './programs.ts'

export type ToolRun = {
  /** Decides how much memory, time and text the tool may use (`programs.ts`). */
  kind: ToolKind
  command: string[]
  args: string[]
  cwd: string
  /** The whole environment of the tool. */
  env: Record<string, string>
  signal: AbortSignal
  /** A tool that prints no line for this long counts as hung. Absent: the tool prints nothing when all is well. */
  silence_ms?(): number
  /** A shorter time than tools of its kind may take. */
  longest_ms?: number
  /** The tool gets processor time only when little else needs it. */
  is_background?: boolean | undefined
  /** Written to the file descriptors 3, 4 and so on of the tool, which need not read to the end. What an input throws is an error. */
  inputs?: Input[]
  /** Takes the secrets of the run out of each line, before anything else sees the line. Absent: the tool is given none. */
  hide?: Hide
  /** While a promise that `onLine` returns is pending, no further line of that stream is read, so that the tool has to wait. */
  onLine(line: string): unknown
}

/** `signal` is aborted when the tool has exited. */
export type Input = (signal: AbortSignal) => AsyncIterable<Uint8Array>

export type RunningTool = {
  /** `undefined`: the tool could not be started. */
  pid: number | undefined
  stdout: Readable
  stderr: Readable
  /** The file descriptors 3, 4 and so on of the tool. */
  inputs: unknown[]
  group: Group
  /** Resolves when the tool has exited. Its output may still come, and its inputs may still be open. */
  exited: Promise<unknown>
  /** Resolves when its output and inputs have ended, too. */
  ended: Promise<Exit>
}

/** The exit code, or the signal that ended the tool. `undefined`: the tool could not be started. */
export type Exit = number | string | undefined

export type Start = (run: ToolRun) => Promise<RunningTool>

export async function startTool(run: ToolRun): Promise<RunningTool> {
  const [file = '', ...before] = [...withMemory(limits[run.kind].memory_mb), ...run.command]
  const child = execa(file, [...before, ...run.args], {
    cwd: run.cwd,
    env: run.env,
    extendEnv: false,
    stdio: ['ignore', 'pipe', 'pipe', ...(run.inputs ?? []).map(() => 'pipe' as const)],
    buffer: false,
    reject: false,
    // A process group of its own, so that its children can be ended with it.
    detached: true,
  })
  const group = groupOf(child.pid)
  const exited = new Promise<void>(resolve => child.nodeChildProcess.once('exit', () => resolve()))
  const { pid, stdout, stderr } = child
  return {
    pid,
    stdout,
    stderr,
    group,
    exited,
    inputs: child.stdio.slice(3),
    ended: child.then(({ exitCode, signal }) => exitCode ?? signal),
  }
}

const shell = '/bin/sh'
const has_shell = platform() !== 'win32' && existsSync(shell)

/**
 * The words in front of a command that limit the memory of each process that the command starts: private memory that can be written to, so
 * that neither the libraries of ffmpeg nor what V8 only reserves count. Linux enforces the limit, also in Alpine and in containers; macOS
 * ignores it, and Windows has nothing like it. A lower limit of the system stays.
 */
const withMemory = (mb: number): string[] =>
  has_shell ? [shell, '-c', 'ulimit -d "$0" 2>/dev/null; exec "$@"', String(mb * 1024)] : []

export type Group = { kill(signal: NodeJS.Signals): void; end(): void }

/** The process groups that are ended when our own process exits. */
const running = new Set<Group>()
process.once('exit', () => {
  for (const group of running) group.kill('SIGKILL')
})

/** `end`: kills nothing from now on, because another group may get this number. */
export function groupOf(pid: number | undefined): Group {
  const kill = (signal: NodeJS.Signals) => {
    try {
      if (!pid || !running.has(group)) return
      if (platform() === 'win32') execa('taskkill', ['/pid', String(pid), '/t', '/f'], { reject: false })
      else process.kill(-pid, signal)
    } catch {
      // The group has ended already.
    }
  }
  const group = { kill, end: () => void running.delete(group) }
  running.add(group)
  return group
}
