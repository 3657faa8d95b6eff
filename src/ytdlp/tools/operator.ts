/**
 * Reads what the operator adds to yt-dlp, once at the start: the options in the file YTDLP_CONFIG, and the folder of plugins YTDLP_PLUGINS.
 * Which options are allowed is left to `operator/options.ts`.
 */
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, extname, join, resolve } from 'node:path'
import process from 'node:process'
import type { Config } from '../../config/config.ts'
import { latest, type Operator, type OperatorOption, optionsIn } from '../operator/options.ts'
import { download_limits } from '../process/download-context.ts'

export type OperatorConfig = Partial<Pick<Config, 'YTDLP_CONFIG' | 'YTDLP_PLUGINS'>>

/** `undefined`: neither variable is set. Throws one sentence about the first thing that is wrong. */
export async function readOperator(config: OperatorConfig): Promise<Operator | undefined> {
  const { YTDLP_CONFIG, YTDLP_PLUGINS } = config
  if (YTDLP_CONFIG === undefined && YTDLP_PLUGINS === undefined) return undefined
  const options = YTDLP_CONFIG === undefined ? [] : optionsIn(await textIn('YTDLP_CONFIG', YTDLP_CONFIG))
  requireShortPauses(options)
  const cookies = latest(options, '--cookies')
  return {
    options: options.filter(({ name }) => name !== '--cookies'),
    // As in a configuration that yt-dlp reads itself, the path may begin at the folder of that file.
    cookies: cookies && (await cookiesIn(resolve(dirname(YTDLP_CONFIG ?? ''), cookies))),
    plugins: YTDLP_PLUGINS === undefined ? undefined : await pluginsIn(resolve(YTDLP_PLUGINS)),
  }
}

/** In bytes. */
const max_text = 1024 * 1024

async function textIn(name: string, path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile() || found.size > max_text) throw unreadable(name, path)
  const bytes = await readFile(path).catch(() => {
    throw unreadable(name, path)
  })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Error(`${name} names ${path}, which is not a text in UTF-8. Correct it.`)
  }
}

const unreadable = (name: string, path: string) =>
  new Error(`${name} names ${path}, which is no file of at most 1 MB that this user can read. Correct or remove it.`)

function requireShortPauses(options: OperatorOption[]): void {
  const long = options.find(option => longestPause(option, options) >= download_limits.silence_s)
  if (long)
    throw new Error(
      `YTDLP_CONFIG has ${long.name} ${long.value}, with which a download can be silent until it counts as hung. Set less than ${download_limits.silence_s} seconds.`,
    )
}

/** In seconds; 0 for other options. */
function longestPause({ name, value = '' }: OperatorOption, options: OperatorOption[]): number {
  if (name === '--retry-sleep') return longestRetryPause(value, options)
  return name.includes('sleep-') || name === '--socket-timeout' ? Number(value) : 0
}

/** `5`, `exp=1:10` or `fragment:linear=1::2`: where it begins and ends, and by how much it grows. Source: yt-dlp's `parse_sleep_func`. */
function longestRetryPause(value: string, options: OperatorOption[]): number {
  const [, kind = 'http', form, begins = '', ends, step] =
    /^(?:([a-z_]+):)?(?:(linear|exp)=)?([\d.]+):?([\d.]*):?([\d.]*)$/.exec(value) ?? []
  const first_s = Number(begins)
  const grown = Math.max(0, retriesOf(kind, options) - 1)
  const growth_s = form === 'linear' ? Number(step || begins) * grown : 0
  const last_s = form === 'exp' ? first_s * Number(step || 2) ** grown : first_s + growth_s
  return Math.min(Math.max(first_s, last_s), Number(ends || Number.POSITIVE_INFINITY))
}

/** How often yt-dlp tries again. The others are as in `ask/command.ts`, and yt-dlp's own. */
function retriesOf(kind: string, options: OperatorOption[]): number {
  const [option, otherwise] = retries_by_kind[kind] ?? ['--retries', 5]
  const value = latest(options, option)
  if (value === undefined) return otherwise
  return value.startsWith('inf') ? 1_000_000 : Number(value)
}

const retries_by_kind: Readonly<Record<string, [option: string, otherwise: number]>> = {
  fragment: ['--fragment-retries', 10],
  file_access: ['--file-access-retries', 3],
  extractor: ['--extractor-retries', 3],
}

async function cookiesIn(path: string): Promise<string> {
  const text = await textIn('--cookies in YTDLP_CONFIG', path)
  if (text.split(/\r?\n/).some(isCookie)) return text
  throw new Error(
    `--cookies in YTDLP_CONFIG names ${path}, which has no cookie in the form of Netscape. Export it again.`,
  )
}

/** Of the seven fields of a line, the fifth is when the cookie expires. */
const isCookie = (line: string) =>
  (!line.startsWith('#') || line.startsWith('#HttpOnly_')) && line.split('\t').length === 7

/** Plugins run as our own user, so no other user may be able to write them. */
async function pluginsIn(folder: string): Promise<Operator['plugins']> {
  const found = await stat(folder).catch(() => undefined)
  if (!found?.isDirectory())
    throw new Error(`YTDLP_PLUGINS names ${folder}, which is not a folder. Correct or remove it.`)
  const names = await readdir(folder, { recursive: true }).catch(() => {
    throw new Error(`YTDLP_PLUGINS names ${folder}, which this user cannot read. Correct it.`)
  })
  for (const name of ['', ...names]) {
    const path = join(folder, name)
    if (await isWritableByOthers(path))
      throw new Error(
        `YTDLP_PLUGINS has ${path}, which another user can change. Run "chown -R" for the user of Backlot or root, and "chmod -R go-w".`,
      )
  }
  const packages = names.filter(isPlugin).map(name => name.split(/[\\/]/)[0] ?? name)
  if (packages.length === 0)
    throw new Error(
      `YTDLP_PLUGINS names ${folder}, which has no plugin. Put each one there as a .zip, or as <name>/yt_dlp_plugins.`,
    )
  return { folder, packages: [...new Set(packages)].toSorted() }
}

/** Where yt-dlp looks: in the folders of a folder, and in archives. Source: yt-dlp's `plugins.py`, `PluginFinder.search_locations`. */
const isPlugin = (name: string) =>
  /^[^\\/]+[\\/]yt_dlp_plugins$/.test(name) || (!/[\\/]/.test(name) && ['.zip', '.egg', '.whl'].includes(extname(name)))

const [others_write, group_writes] = [0o002, 0o020]

/** A group of this user's own is often named after the user. Windows has no such permissions. */
async function isWritableByOthers(path: string): Promise<boolean> {
  const user = process.getuid?.()
  if (user === undefined) return false
  const { uid, gid, mode } = await stat(path).catch(() => ({ uid: user, gid: 0, mode: 0 }))
  const is_of_others = uid !== user && uid !== 0
  const is_of_group = (mode & group_writes) !== 0 && gid !== process.getgid?.() && gid !== 0
  return is_of_others || is_of_group || (mode & others_write) !== 0
}
