/**
 * Runs a tool that may hang, fork or be stopped, and ends all of its children. Passes the lines of the tool to the caller, and returns
 * how the tool ended; the caller judges the end.
 */
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { type Readable, Writable } from 'node:stream'
import { every } from '../../runtime/every.ts'
import { limits } from './programs.ts'
import { type Exit, type Group, type Input, type Start, startTool, type ToolRun } from './start.ts'

export type ToolEnd = {
  exit: Exit
  stopped?: 'silent' | 'too_long' | 'too_much' | undefined
  could_start: boolean
}

/** How long a tool may take to end after SIGTERM. A cancelled download should be gone within two seconds. */
const grace_ms = 1000

/** The rest of a longer line is dropped. What we let yt-dlp print has the description of a video, escaped; errors are short. */
const max_line_length = { stdout: 1024 * 1024, stderr: 64 * 1024 }

/** Rejects only when `signal` is aborted or `onLine` fails, after the whole process group has ended. */
export async function runTool(run: ToolRun, start: Start = startTool): Promise<ToolEnd> {
  const broken = new AbortController()
  const signal = AbortSignal.any([run.signal, broken.signal])
  signal.throwIfAborted()
  const tool = await start(run)
  if (run.is_background && tool.pid) lowerPriority(tool.pid)
  const watch = watchdog({ ...run, signal }, tool.group)
  const has_exited = new AbortController()
  tool.exited.then(() => {
    tool.group.kill('SIGKILL')
    // `ended` also waits for the inputs.
    has_exited.abort()
  })
  let left = limits[run.kind].output_mb * 1024 * 1024
  const onText = (length: number) => {
    left -= length
    if (left < 0) watch.tooMuch()
  }
  const onLine = async (line: string) => {
    if (signal.aborted || left < 0) return
    watch.heard()
    try {
      const handled = run.onLine(run.hide?.(line) ?? line)
      if (handled instanceof Promise) await watch.pauseUntil(handled)
    } catch (cause) {
      broken.abort(cause)
    }
  }
  const read = Promise.allSettled([
    eachLine(tool.stdout, max_line_length.stdout, onText, onLine),
    eachLine(tool.stderr, max_line_length.stderr, onText, onLine),
  ])
  const written = (run.inputs ?? []).map((input, n) =>
    writeInput(input, tool.inputs[n], has_exited.signal).catch((cause: unknown) => broken.abort(cause)),
  )
  const exit = await tool.ended
  await Promise.all([read, ...written])
  watch.end()
  signal.throwIfAborted()
  // A launcher exits with 126 or 127 when it cannot start the program.
  return { exit, stopped: watch.stopped(), could_start: tool.pid !== undefined && exit !== 126 && exit !== 127 }
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, 10)
  } catch {
    // The process has ended already, or the system does not allow this.
  }
}

/** Ends the group of a tool that is silent, takes too long, prints too much, or whose signal is aborted: SIGTERM first, then SIGKILL. */
function watchdog({ kind, signal, ...run }: ToolRun, group: Group) {
  const longest_ms = Math.min(run.longest_ms ?? Number.POSITIVE_INFINITY, limits[kind].longest_ms)
  const silence_ms = run.silence_ms ?? (() => longest_ms)
  let stopped: ToolEnd['stopped']
  let last_line_at = performance.now()
  const started = last_line_at
  let force: ReturnType<typeof setTimeout> | undefined
  let handling = 0
  const stop = () => {
    group.kill('SIGTERM')
    force ??= setTimeout(() => group.kill('SIGKILL'), grace_ms)
  }
  const check = () => {
    const now = performance.now()
    if (handling === 0 && now - last_line_at > silence_ms()) stopped ??= 'silent'
    if (now - started > longest_ms) stopped ??= 'too_long'
    if (stopped) stop()
  }
  const timer = every(Math.min(1000, silence_ms() / 4), check)
  signal.addEventListener('abort', stop)
  // The signal may have been aborted while the tool was being started.
  if (signal.aborted) stop()
  return {
    heard: () => {
      last_line_at = performance.now()
    },
    /** The tool may be waiting for us, so its silence does not count until `handled` settles. */
    async pauseUntil(handled: Promise<unknown>) {
      handling += 1
      try {
        await handled
      } finally {
        handling -= 1
        last_line_at = performance.now()
      }
    },
    tooMuch() {
      stopped ??= 'too_much'
      stop()
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

/** Reads output line by line. Only \n ends a line: with any other separator, text that a site chose could start a line of its own. */
async function eachLine(
  stream: Readable,
  max_length: number,
  onText: (length: number) => void,
  onLine: (line: string) => Promise<void>,
): Promise<void> {
  let rest = ''
  for await (const text of stream.setEncoding('utf8') as AsyncIterable<string>) {
    onText(text.length)
    // Windows ends a line with \r\n.
    const lines = (rest + text).split(/\r?\n/)
    rest = (lines.pop() ?? '').slice(0, max_length)
    for (const line of lines) if (line !== '') await onLine(line)
  }
  if (rest !== '') await onLine(rest)
}

/** Writes as fast as the tool reads, until the tool exits, which aborts `signal`. Rejects only with what `input` throws. */
async function writeInput(input: Input, pipe: unknown, signal: AbortSignal): Promise<void> {
  if (!(pipe instanceof Writable)) return
  // The tool closed the pipe, and ends.
  pipe.on('error', () => {})
  try {
    for await (const chunk of input(signal)) {
      if (signal.aborted || !pipe.writable) return
      if (!pipe.write(chunk)) await once(pipe, 'drain', { signal }).catch(() => {})
    }
  } finally {
    // Not `end`: nothing reads what the tool might send.
    if (signal.aborted) pipe.destroy()
    else pipe.end()
  }
}
