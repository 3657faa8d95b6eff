/**
 * What a search for tools begins with: its settings, and what this machine has: programs on a PATH, a Python, and a way to end child
 * processes. Changes nothing.
 */
import { access, constants } from 'node:fs/promises'
import { platform } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { execa } from 'execa'
import type { Config } from '../../config/config.ts'
import { succeeds } from '../../runtime/within.ts'
import type { ReleaseChannel } from '../../schema/service/renewal.ts'
import type { Operator } from '../operator/options.ts'

/** Where tools may come from, and where our own copies are. */
export type ToolOptions = {
  ytdlp_path?: string | undefined
  ffmpeg_path?: string | undefined
  /** Reads what the operator adds to yt-dlp. Throws a sentence when it cannot be used. */
  readOperator?(): Promise<Operator | undefined>
  /** The PATH to look in, and the one the tools get. */
  path: string
  /** Our own copies are in its folder `tools`. */
  data_dir: string
  log?: { info(message: string): void; warn(message: string): void }
  /** Which releases of yt-dlp; `stable` unless given. */
  channel?: ReleaseChannel
  /** Where releases come from; tests serve their own. */
  releases?: { ytdlp: string; ffmpeg: string }
  /** The key that signs yt-dlp's checksums; tests have their own. */
  trusted_key?: string
  /** Lines of a sources.list to take packages from, instead of the mirrors of this machine; tests bring their own. */
  packages?: string[]
  /** `false`: only use what is on this machine already. */
  fetch?: boolean
  /** Aborted when the service stops: nothing more is fetched. */
  signal?: AbortSignal | undefined
}

/** The settings of a search, with the defaults filled in. */
export type Setup = ToolOptions & {
  tools_dir: string
  channel: ReleaseChannel
  releases: { ytdlp: string; ffmpeg: string }
  trusted_key: string
  /** A Python that is new enough for yt-dlp. Without one, yt-dlp is a binary that contains its own. */
  python: string | undefined
  tell(message: string): void
}

/** The absolute path of a program on the given PATH. */
export async function onPath(program: string, path: string): Promise<string | undefined> {
  const name = platform() === 'win32' ? `${program}.exe` : program
  const files = path.split(delimiter).filter(folder => folder !== '')
  return firstOf(
    files.map(folder => resolve(join(folder, name))),
    constants.X_OK,
  )
}

/** Throws a sentence for a tool that the configuration names and that is not there. Whether it runs is found out later. */
export async function requireNamed(config: Pick<Config, 'YTDLP_PATH' | 'FFMPEG_PATH' | 'PATH'>): Promise<void> {
  for (const name of ['YTDLP_PATH', 'FFMPEG_PATH'] as const) {
    const file = config[name]
    if (file === undefined || (await onPath(file, config.PATH)) || (await firstOf([resolve(file)], constants.X_OK)))
      continue
    throw new Error(`${name} is ${file}, but there is no program that this user can run. Correct it or remove it.`)
  }
}

/** The first of these files that exists and allows this access. */
export async function firstOf(files: string[], mode: number = constants.R_OK): Promise<string | undefined> {
  for (const file of files) if (await succeeds(access(file, mode))) return file
  return undefined
}

/** A Python that is new enough for yt-dlp. The system's own comes first, because the system's packages are made for it. */
export async function pythonOn(path: string): Promise<string | undefined> {
  // A shim on PATH finds its Python through HOME, which a download does not have, so this asks for the interpreter's real path.
  const question = 'import sys; print(sys.executable if sys.version_info >= (3, 10) else "")'
  for (const candidate of ['/usr/bin/python3', await onPath('python3', path)]) {
    if (!candidate) continue
    const answer = await execa(candidate, ['-c', question], { stdin: 'ignore', timeout: 20_000, reject: false })
    const said = String(answer.stdout ?? '').trim()
    if (answer.exitCode === 0 && said !== '') return said
  }
  return undefined
}

/**
 * Put in front of a command that leads a process group, it ends the whole group when we die, even by SIGKILL. Linux can signal
 * the shell when its parent dies, but not the shell's children; the shell passes the signal on to them. Empty where the system
 * cannot do this: BusyBox has a `setpriv` without the option, so it is tried.
 */
export async function leashOn(path: string): Promise<string[]> {
  const [setpriv, sh] = await Promise.all([onPath('setpriv', path), onPath('sh', path)])
  if (platform() !== 'linux' || !setpriv || !sh) return []
  const signalled = [setpriv, '--pdeathsig', 'TERM', '--']
  // Not `kill 0`, which would end our own group if the shell did not lead one.
  return (await runs([...signalled, 'true']))
    ? [...signalled, sh, '-c', `trap 'kill -KILL -$$' TERM; "$@" & wait "$!"`, 'leash']
    : []
}

export async function runs([file = '', ...args]: string[]): Promise<boolean> {
  const ended = await execa(file, args, {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
    timeout: 20_000,
    reject: false,
  })
  return ended.exitCode === 0
}
