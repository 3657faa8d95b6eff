/** Our own copies of tools, in the data folder: whether one is fit for use, and how a new one gets there in one step. */
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ytdlp } from './tools.ts'
import { isAtLeast, oldest_safe, versionOf } from './version.ts'

/** Sites change every few weeks, and yt-dlp with them: a copy of ours older than this is fetched anew. */
const fresh_days = 14

export type Own = { tool: Ytdlp; is_fresh: boolean }

/** `undefined`: there is none, it doesn't run, or it is too old to be safe. */
export async function ownCopy(
  file: string,
  command: string[],
  env: Record<string, string> = {},
): Promise<Own | undefined> {
  const found = await stat(file).catch(() => undefined)
  const tool = found && (await asYtdlp(command, env))
  if (!found || !tool || !isAtLeast(tool.version, oldest_safe)) return undefined
  return { tool, is_fresh: Date.now() - found.mtimeMs < fresh_days * 86_400_000 }
}

export async function asYtdlp(command: string[], env: Record<string, string> = {}): Promise<Ytdlp | undefined> {
  const version = await versionOf(command, env)
  return version === undefined ? undefined : { command, env, version }
}

/** A folder on the same disk, so that what is ready can be moved in one step; gone afterwards whatever happens. */
export async function aside(tools_dir: string, work: (folder: string) => Promise<void>): Promise<void> {
  await mkdir(tools_dir, { recursive: true })
  const folder = await mkdtemp(join(tools_dir, '.fetching-'))
  try {
    await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
