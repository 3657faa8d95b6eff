/**
 * When the worker of this container last sent its heartbeat to the database: the time of a file in the temporary folder. A health check
 * reads it, and needs neither the database nor its address.
 */
import { lstat, lutimes, open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pid } from 'node:process'
import { removeAbandoned } from './folders.ts'

const prefix = 'backlot-worker-'
/** The files of killed workers are older. */
const abandoned_ms = 60_000

/** The pulse of this process. Call `beat` after each heartbeat. If the file cannot be written, the check fails and the worker works on. */
export function openPulse(): { beat(): Promise<void>; end(): Promise<void> } {
  const file = join(tmpdir(), `${prefix}${pid}`)
  const now = () => new Date()
  void removeAbandoned(prefix, abandoned_ms)
  const make = async () => (await open(file, 'wx', 0o644)).close()
  return {
    // Follows no link, because other users may write to this folder.
    beat: () => lutimes(file, now(), now()).catch(() => make().catch(() => {})),
    end: () => rm(file, { force: true }).catch(() => {}),
  }
}

/** Seconds since the last beat of any worker of this machine; `undefined`: there was none. */
export async function sinceLastBeat(): Promise<number | undefined> {
  const names = (await readdir(tmpdir())).filter(name => name.startsWith(prefix))
  // A worker that ends removes its file meanwhile.
  const found = await Promise.all(names.map(name => lstat(join(tmpdir(), name)).catch(() => undefined)))
  const times = found.flatMap(file => (file ? [file.mtimeMs] : []))
  // A file from the future counts by its distance: the clock was ahead.
  return times.length === 0 ? undefined : Math.min(...times.map(time => Math.abs(Date.now() - time))) / 1000
}
