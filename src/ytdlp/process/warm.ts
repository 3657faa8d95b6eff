/**
 * Starts yt-dlp without its slow import: one Python process (`warm-server.py`) has imported yt-dlp, and forks for each run. Where this is
 * not possible, the caller starts a process as for any tool: without Linux, with a yt-dlp that is a binary, or when the fork fails.
 */
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { platform, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { jsonIn } from '../../runtime/json.ts'
import { succeeds } from '../../runtime/within.ts'
import { environmentWithHome, limits, type Tools } from './programs.ts'
import { type Exit, groupOf, type RunningTool, type ToolRun } from './start.ts'

/** A command that is a script: `python3`, `yt-dlp.pyz`, and the arguments after them. */
type Script = { interpreter: string[]; script: string; args: string[] }

/** `undefined`: yt-dlp has to be started as a process. */
export async function forkYtdlp(tools: Tools, run: ToolRun): Promise<RunningTool | undefined> {
  const found = await parentFor(tools)
  return found && (await found.parent.fork({ ...run, args: [...found.args, ...run.args] }))
}

/** Lets the parent import what a run needs that may come soon. */
export async function prepareYtdlp(tools: Tools): Promise<void> {
  const found = await parentFor(tools)
  found?.parent.send({ ahead: true })
}

/** The Python process that has imported yt-dlp. `send`: a message to `warm-server.py`. */
type Parent = { fork(run: ToolRun): Promise<RunningTool | undefined>; send(message: object): void }

/** A parent is replaced after this time. A parent that does not start is not tried again for as long. */
const longest_ms = 3_600_000
let latest: { key: string; opened_at: number; parent: Promise<Parent | undefined> } | undefined

async function parentFor(tools: Tools): Promise<{ parent: Parent; args: string[] } | undefined> {
  const found = await scriptOf(tools.ytdlp.command)
  if (!found) return undefined
  const { interpreter, script, args } = found
  const status = await stat(script).catch(() => undefined)
  if (!status) return undefined
  const { ino, mtimeMs, size } = status
  const key = JSON.stringify([interpreter, script, ino, mtimeMs, size, tools.path, tools.ytdlp.env, tools.system_env])
  if (latest?.key !== key || performance.now() - latest.opened_at > longest_ms) {
    latest?.parent.then(parent => parent?.send({ last: true }))
    const onEnd = () => {
      if (latest === opened) latest = undefined
    }
    const opened = { key, opened_at: performance.now(), parent: openParent(found, tools, onEnd).catch(() => undefined) }
    latest = opened
  }
  const parent = await latest.parent
  return parent && { parent, args }
}

/** `undefined`: we do not know which Python runs this command, or cannot fork. */
async function scriptOf([file = '', ...rest]: string[]): Promise<Script | undefined> {
  if (platform() !== 'linux') return undefined
  const isPython = (program = '') => /^python[\d.]*$/.test(basename(program))
  if (isPython(file)) return { interpreter: [file], script: rest[0] ?? '', args: rest.slice(1) }
  const start = await text(createReadStream(file, { end: 199 })).catch(() => '')
  const interpreter = /^#!(.*)/.exec(start)?.[1]?.trim().split(/\s+/) ?? []
  return isPython(interpreter.at(-1)) ? { interpreter, script: file, args: rest } : undefined
}

const program = fileURLToPath(new URL('./warm-server.py', import.meta.url))
/** For the start of a parent, of a run, and for the report of its end. */
const longest_answer_ms = 30_000
/** Bytes. Linux allows 107 for the path of a Unix socket: this folder, and the number of a run after `/`. */
const longest_folder = 90

type Report = { ready?: true; run?: number; pid?: number | null; exit?: number | string }
/** What waits for the reports of a run: of its process id (`undefined`: it cannot begin), and of its end (`undefined`: none comes). */
type Run = { begun: PromiseWithResolvers<number | undefined>; ended: PromiseWithResolvers<Exit> }
type Python = ReturnType<typeof startPython>
type ReadyPython = { python: Python; folder: string; runs: Map<number, Run> }

/** Rejects, or resolves with `undefined`, when the parent does not get ready. `onEnd` is called when a ready parent has ended. */
async function openParent(
  { interpreter, script }: Script,
  tools: Tools,
  onEnd: () => void,
): Promise<Parent | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-warm-'))
  if (Buffer.byteLength(folder) > longest_folder) return void (await rm(folder, { recursive: true }))
  const env = { ...(await environmentWithHome(tools, folder)), ...tools.ytdlp.env }
  const python = startPython([...interpreter, program, script, folder], folder, env)
  const runs = new Map<number, Run>()
  const ready = Promise.withResolvers<boolean>()
  createInterface(python.stdout).on('line', line => {
    const { ready: is_ready, run = 0, pid, exit } = reportIn(line)
    if (is_ready) ready.resolve(true)
    if (pid !== undefined) runs.get(run)?.begun.resolve(pid ?? undefined)
    if (exit !== undefined) runs.get(run)?.ended.resolve(exit)
  })
  python.then(() => {
    ready.resolve(false)
    return rm(folder, { recursive: true, force: true })
  })
  const is_ready = await inTime(python, ready.promise)
  keepAlive(python, false)
  if (!is_ready) return undefined
  python.then(onEnd)
  return parentOf({ python, folder, runs })
}

function startPython([file = '', ...args]: string[], folder: string, env: Record<string, string>) {
  return execa(file, args, {
    cwd: folder,
    env,
    extendEnv: false,
    stdio: ['pipe', 'pipe', 'ignore'],
    buffer: false,
    reject: false,
    // A process group of its own: Ctrl+C ends our own process first, which then ends the runs.
    detached: true,
  })
}

/** A Python may print before it runs our program. */
const reportIn = (line: string): Report => Object(jsonIn(line))

/** Kills a parent that does not answer in time; the end of the parent settles `answer`. */
function inTime<T>(python: Python, answer: Promise<T>): Promise<T> {
  const late = setTimeout(() => python.kill('SIGKILL'), longest_answer_ms)
  return answer.finally(() => clearTimeout(late))
}

/** An idle parent does not keep our own process running. */
function keepAlive(python: Python, is_needed: boolean): void {
  const handles: unknown[] = [python.nodeChildProcess, python.stdin, python.stdout]
  for (const handle of handles as Pick<Socket, 'ref' | 'unref'>[]) is_needed ? handle.ref() : handle.unref()
}

function parentOf({ python, folder, runs }: ReadyPython): Parent {
  let count = 0
  const send = (message: object) => void python.stdin.write(`${JSON.stringify(message)}\n`)
  return {
    send,
    async fork({ kind, args, env, cwd }) {
      const run = ++count
      const path = join(folder, String(run))
      const [begun, ended] = [Promise.withResolvers<number | undefined>(), Promise.withResolvers<Exit>()]
      const streams = listenAt(path)
      runs.set(run, { begun, ended })
      keepAlive(python, true)
      python.then(() => {
        begun.resolve(undefined)
        ended.resolve(undefined)
      })
      const forget = () => {
        runs.delete(run)
        if (runs.size === 0) keepAlive(python, false)
      }
      const request = { run, args: args.map(arg => arg.toWellFormed()), env, cwd, path }
      // The parent and its folder may end at any time.
      if (await streams.are_ready) send({ ...request, memory_mb: limits[kind].memory_mb })
      else begun.resolve(undefined)
      const pid = await inTime(python, begun.promise)
      if (pid === undefined) {
        forget()
        streams.close()
        return undefined
      }
      const group = groupOf(pid)
      const exited = ended.promise.then(exit => {
        // Without a report, the run may go on. After a report, the number of the group is free again.
        if (exit === undefined) group.kill('SIGKILL')
        group.end()
        forget()
        return exit ?? 'SIGKILL'
      })
      // The parent connects the streams before it forks, so the streams may still be waiting when the run has ended.
      const connected = await streams.connected
      if (!connected) {
        group.kill('SIGKILL')
        streams.close()
        return undefined
      }
      const [stdout, stderr] = connected
      const closed = Promise.all([stdout, stderr].map(stream => new Promise(resolve => stream.once('close', resolve))))
      closed.then(() => inTime(python, exited))
      return { pid, stdout, stderr, inputs: [], group, exited, ended: exited }
    },
  }
}

/**
 * Waits for the streams of a run: its output, which connects first, and its errors. `are_ready` is `false` when the folder is gone;
 * `connected` is `undefined` when the streams cannot be connected, for example because too many files are open.
 */
function listenAt(path: string) {
  const server = createServer()
  const sockets: Socket[] = []
  const connected = new Promise<[Socket, Socket] | undefined>(resolve => {
    server.on('error', () => resolve(undefined))
    server.on('connection', socket => {
      sockets.push(socket)
      const [out, err] = sockets
      if (!out || !err) return
      server.close()
      resolve([out, err])
    })
  })
  const are_ready = succeeds(once(server.listen(path), 'listening'))
  const close = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { are_ready, connected, close }
}
