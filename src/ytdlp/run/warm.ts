/**
 * Starts yt-dlp without its slow import: one Python process (`warm.py`) has imported yt-dlp, and forks for each run. Where this is not
 * possible, the caller starts a process as for any tool: without Linux, with a yt-dlp that is a binary, or when the fork fails.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { platform, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { groupOf, type Started, type ToolRun } from './start.ts'
import { environment, limits, type Tools } from './tools.ts'

/** What Python runs: `yt-dlp.pyz` of `python3 yt-dlp.pyz`. */
type Script = { python: string[]; script: string; args: string[] }

/** `undefined`: yt-dlp has to be started as a process. */
export async function forkYtdlp(tools: Tools, run: ToolRun): Promise<Started | undefined> {
  const found = await parentFor(tools)
  return found && (await found.parent.fork({ ...run, args: [...found.args, ...run.args] }))
}

/** Gets ready for a run that may come soon. */
export async function prepareYtdlp(tools: Tools): Promise<void> {
  const found = await parentFor(tools)
  found?.parent.send({ ahead: true })
}

type Parent = { fork(run: ToolRun): Promise<Started | undefined>; send(words: object): void }

/** A parent is replaced after this time. A parent that does not start is not tried again for as long. */
const longest_ms = 3_600_000
let latest: { key: string; opened_at: number; parent: Promise<Parent | undefined> } | undefined

async function parentFor(tools: Tools): Promise<{ parent: Parent; args: string[] } | undefined> {
  const found = await scriptOf(tools.ytdlp.command)
  if (!found) return undefined
  const { script, python, args } = found
  const status = await stat(script).catch(() => undefined)
  if (!status) return undefined
  const { ino, mtimeMs, size } = status
  const key = JSON.stringify([python, script, ino, mtimeMs, size, tools.path, tools.ytdlp.env, tools.system_env])
  if (latest?.key !== key || Date.now() - latest.opened_at > longest_ms) {
    latest?.parent.then(parent => parent?.send({ last: true }))
    const onEnd = () => {
      if (latest === opened) latest = undefined
    }
    const opened = { key, opened_at: Date.now(), parent: openParent(found, tools, onEnd).catch(() => undefined) }
    latest = opened
  }
  const parent = await latest.parent
  return parent && { parent, args }
}

/** `undefined`: we do not know which Python runs it, or cannot fork. */
async function scriptOf([file = '', ...rest]: string[]): Promise<Script | undefined> {
  if (platform() !== 'linux') return undefined
  const isPython = (program: string) => /^python[\d.]*$/.test(basename(program))
  if (isPython(file)) return { python: [file], script: rest[0] ?? '', args: rest.slice(1) }
  const python = (await firstLine(file).catch(() => ''))
    .replace(/^#!\s*/, '')
    .trim()
    .split(/\s+/)
  return isPython(python.at(-1) ?? '') ? { python, script: file, args: rest } : undefined
}

async function firstLine(file: string): Promise<string> {
  const opened = await open(file)
  try {
    const { buffer, bytesRead } = await opened.read({ buffer: Buffer.alloc(200) })
    return /^#!.*/.exec(buffer.toString('latin1', 0, bytesRead))?.[0] ?? ''
  } finally {
    await opened.close()
  }
}

const program = fileURLToPath(new URL('./warm.py', import.meta.url))
const longest_start_ms = 30_000
/** Bytes. Linux allows 107 for the path of a Unix socket: this folder, and the number of a run between `/` and `.out`. */
const longest_folder = 90

/** `lose`: the parent has ended without a report of the run's end. */
type Run = { begin(pid: number | undefined): void; end(exit_code: number | undefined): void; lose(): void }
type Report = { ready?: true; run?: number; pid?: number | null; exit?: number | null }

/** Rejects, or resolves with `undefined`, when the parent does not get ready. `onEnd` is called when a ready parent has ended. */
async function openParent({ python, script }: Script, tools: Tools, onEnd: () => void): Promise<Parent | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-warm-'))
  if (Buffer.byteLength(folder) > longest_folder) return void (await rm(folder, { recursive: true }))
  const [file = '', ...flags] = python
  const child = spawn(file, [...flags, program, script, folder], {
    cwd: folder,
    env: { ...(await environment(tools, folder)), ...tools.ytdlp.env },
    stdio: ['pipe', 'pipe', 'ignore'],
    // A process group of its own: Ctrl+C ends our own process first, which then ends the runs.
    detached: true,
  })
  const runs = new Map<number, Run>()
  const ready = Promise.withResolvers<boolean>()
  const hear = (line: string) => {
    const { ready: is_ready, run = 0, pid, exit } = reportIn(line)
    if (is_ready) ready.resolve(true)
    if (pid !== undefined) runs.get(run)?.begin(pid ?? undefined)
    if (exit !== undefined) runs.get(run)?.end(exit ?? undefined)
  }
  createInterface(child.stdout).on('line', hear)
  const closed = new Promise(resolve => child.once('error', resolve).once('close', resolve))
  const ended = closed.then(async () => {
    ready.resolve(false)
    for (const run of runs.values()) run.lose()
    await rm(folder, { recursive: true, force: true })
  })
  child.stdin.on('error', () => {})
  const late = setTimeout(() => child.kill('SIGKILL'), longest_start_ms)
  const is_ready = await ready.promise
  clearTimeout(late)
  keepAlive(child, false)
  if (!is_ready) return undefined
  ended.then(onEnd)
  return parentOf(child, folder, runs)
}

/** A Python may print before it runs our program. */
function reportIn(line: string): Report {
  try {
    return Object(JSON.parse(line))
  } catch {
    return {}
  }
}

/** An idle parent does not keep our own process running. */
function keepAlive(child: ChildProcess, is_needed: boolean): void {
  for (const handle of [child, child.stdin, child.stdout] as unknown as Pick<Socket, 'ref' | 'unref'>[])
    is_needed ? handle.ref() : handle.unref()
}

function parentOf(child: ChildProcess, folder: string, runs: Map<number, Run>): Parent {
  let count = 0
  const send = (words: object) => void child.stdin?.write(`${JSON.stringify(words)}\n`)
  return {
    send,
    async fork({ kind, args, env, cwd }) {
      const run = ++count
      const [begun, ended] = [
        Promise.withResolvers<number | undefined>(),
        Promise.withResolvers<number | 'lost' | undefined>(),
      ]
      const [out, err] = await Promise.all([listen(join(folder, `${run}.out`)), listen(join(folder, `${run}.err`))])
      runs.set(run, {
        begin: begun.resolve,
        end: ended.resolve,
        lose() {
          begun.resolve(undefined)
          ended.resolve('lost')
        },
      })
      keepAlive(child, true)
      const over = () => {
        runs.delete(run)
        if (runs.size === 0) keepAlive(child, false)
      }
      if (child.exitCode !== null || child.signalCode !== null) begun.resolve(undefined)
      const words = args.map(word => word.toWellFormed())
      // The parent and its folder may end at any time.
      if (!out || !err) begun.resolve(undefined)
      else send({ run, args: words, env, cwd, memory_mb: limits[kind].memory_mb, streams: [out.path, err.path] })
      const late = setTimeout(() => child.kill('SIGKILL'), longest_start_ms)
      const pid = await begun.promise
      clearTimeout(late)
      if (!out || !err || pid === undefined) {
        over()
        out?.close()
        err?.close()
        return undefined
      }
      const group = groupOf(pid)
      const has_ended = ended.promise.then(end => {
        // After a report of the end, the number of the group is free again.
        if (end === 'lost') group.kill('SIGKILL')
        group.end()
        over()
        return end === 'lost' ? undefined : end
      })
      // The parent connects them before it forks, so they may still be waiting when the run has ended.
      const [stdout, stderr] = await Promise.all([out.connected, err.connected])
      return { pid, stdout, stderr, inputs: [], group, exited: has_ended, ended: has_ended }
    },
  }
}

/** Waits for one connection, which `close` ends. `undefined`: the folder is gone. */
async function listen(
  path: string,
): Promise<{ path: string; connected: Promise<Readable>; close(): void } | undefined> {
  const server = createServer()
  const connected = once(server, 'connection').then(([socket]) => {
    server.close()
    return socket as Socket
  })
  connected.catch(() => {})
  const close = () => {
    server.close()
    connected.then(
      socket => socket.destroy(),
      () => {},
    )
  }
  try {
    await once(server.listen(path), 'listening')
  } catch {
    return undefined
  }
  return { path, connected, close }
}
