/**
 * The copies of yt-dlp in the data folder: each in `tools/yt-dlp/<version>/`, next to `state.json`, which names the current one.
 * Replacing that file is the switch. Several processes and machines may share the folder.
 */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import { every } from '../../runtime/every.ts'
import { jsonIn } from '../../runtime/json.ts'
import { succeeds } from '../../runtime/within.ts'
import { no_renewal, Renewal } from '../../schema/service/renewal.ts'
import type { Ytdlp } from '../process/programs.ts'
import { asYtdlp, isAtLeast, oldest_safe } from '../process/version.ts'
import { firstOf, type Setup } from './machine.ts'

const versionsIn = (tools_dir: string): string => join(tools_dir, 'yt-dlp')
export const folderOf = (tools_dir: string, version: string): string => join(versionsIn(tools_dir), version)
const stateFile = (tools_dir: string) => join(versionsIn(tools_dir), 'state.json')
export const binary_name = platform() === 'win32' ? 'yt-dlp.exe' : 'yt-dlp'

/** A file that cannot be read counts as missing. */
export async function readRenewal(tools_dir: string): Promise<Renewal> {
  const text = await readFile(stateFile(tools_dir), 'utf8').catch(() => '{}')
  return Renewal.safeParse(jsonIn(text)).data ?? no_renewal
}

export async function writeRenewal(tools_dir: string, state: Renewal): Promise<void> {
  await mkdir(versionsIn(tools_dir), { recursive: true })
  const file = stateFile(tools_dir)
  const written = `${file}.${crypto.randomUUID()}`
  await writeFile(written, JSON.stringify(state, null, 2))
  await rename(written, file)
}

/** Changes whenever the state is written; 0: it was never written. */
export const stampOf = async (tools_dir: string): Promise<number> =>
  (await stat(stateFile(tools_dir)).catch(() => undefined))?.mtimeMs ?? 0

/** Our own copy in use: the current version, or the previous one when the current one does not run. */
export async function ownYtdlp(setup: Setup): Promise<Ytdlp | undefined> {
  const { current, previous } = await readRenewal(setup.tools_dir)
  for (const version of [current, previous]) {
    const found = version === null ? undefined : await ytdlpIn(folderOf(setup.tools_dir, version), setup.python)
    if (found && isAtLeast(found.version, oldest_safe)) return { ...found, source: 'own' }
  }
  return undefined
}

/** The yt-dlp in one folder, from a release or a package; `undefined`: there is none that runs. */
export async function ytdlpIn(folder: string, python: string | undefined): Promise<Ytdlp | undefined> {
  const zipapp = await firstOf([join(folder, 'yt-dlp.pyz')])
  if (zipapp) return python ? asYtdlp([python, zipapp]) : undefined
  const script = await firstOf([join(folder, 'usr/bin/yt-dlp')])
  // Not `python -m`, which would also look for modules in the folder we download into.
  const PYTHONPATH = join(folder, 'usr/lib/python3/dist-packages')
  if (script) return python ? asYtdlp([python, script], { PYTHONPATH }) : undefined
  const binary = await firstOf([join(folder, binary_name)])
  return binary ? asYtdlp([binary]) : undefined
}

/** Moves a folder that is ready to the path of its version. A folder that is there already does not run, or is not in use. */
export async function keepVersion(tools_dir: string, ready: string, version: string): Promise<void> {
  const target = folderOf(tools_dir, version)
  await rm(target, { recursive: true, force: true })
  await mkdir(versionsIn(tools_dir), { recursive: true })
  await rename(ready, target)
}

/** No download runs this long, so after it no download uses a version that was replaced. */
const in_use_ms = 4 * 3_600_000

/** Removes all versions except the current and the previous one, once no running download can use them. */
export async function removeOld(tools_dir: string, { current, previous }: Renewal, now: Date): Promise<void> {
  for (const name of await readdir(tools_dir)) {
    // Left by a process that was killed, or by Backlot 0.1.0, which also kept a Python.
    const is_left = name.startsWith('.fetching-') || name === 'python-package'
    if (is_left && (await isOld(join(tools_dir, name), now)))
      await rm(join(tools_dir, name), { recursive: true, force: true })
  }
  const entries = await readdir(versionsIn(tools_dir), { withFileTypes: true }).catch(() => [])
  for (const { name } of entries.filter(entry => entry.isDirectory() && !/^(yt-dlp|state)/.test(entry.name))) {
    if (name === current || name === previous) continue
    const folder = folderOf(tools_dir, name)
    if (await isOld(folder, now)) await rm(folder, { recursive: true, force: true })
  }
}

async function isOld(path: string, now: Date): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && now.getTime() - found.mtimeMs > in_use_ms
}

/** Starts the time after which `removeOld` removes this version. */
export async function retire(tools_dir: string, version: string | null, now: Date): Promise<void> {
  if (version !== null) await utimes(folderOf(tools_dir, version), now, now).catch(() => {})
}

const beat_ms = 5000
const dead_ms = 60_000

/** Runs `work` in one process at a time; `busy`: another process holds the lock. The lock of a dead process expires after a minute. */
export async function alone<T>(tools_dir: string, work: () => Promise<T>): Promise<T | 'busy'> {
  await mkdir(versionsIn(tools_dir), { recursive: true })
  const lock = join(versionsIn(tools_dir), 'lock')
  const take = () => succeeds(writeFile(lock, '', { flag: 'wx' }))
  if (!(await take())) {
    const found = await stat(lock).catch(() => undefined)
    if (found && Math.abs(Date.now() - found.mtimeMs) < dead_ms) return 'busy'
    await unlink(lock).catch(() => {})
    if (!(await take())) return 'busy'
  }
  const beat = every(beat_ms, () => utimes(lock, new Date(), new Date()).catch(() => {}))
  try {
    return await work()
  } finally {
    clearInterval(beat)
    await unlink(lock).catch(() => {})
  }
}

/** Gives `work` a folder on the same disk, from which files can be moved in one step. The folder is removed afterwards. */
export async function aside<T>(tools_dir: string, work: (folder: string) => Promise<T>): Promise<T> {
  await mkdir(tools_dir, { recursive: true })
  const folder = await mkdtemp(join(tools_dir, '.fetching-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
