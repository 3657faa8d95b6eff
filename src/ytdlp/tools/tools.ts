/**
 * Finds yt-dlp and ffmpeg, and fetches what is missing. Every step has a time limit and none throws; when all fail, one sentence says what
 * to do.
 */
import { platform } from 'node:os'
import { dirname, resolve } from 'node:path'
import { env } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import type { Renewal } from '../../schema/service/renewal.ts'
import type { Ffmpeg, MissingTools, Tools, Ytdlp } from '../process/programs.ts'
import { asYtdlp, ffmpegVersion, isAtLeast, oldest_safe } from '../process/version.ts'
import { hasApt } from './apt.ts'
import { packagedFfmpeg } from './debian.ts'
import { leashOn, onPath, pythonOn, runs, type Setup, type ToolOptions } from './machine.ts'
import { official, releasedFfmpeg, ytdlp_key } from './release.ts'
import { renewYtdlp, rollBack } from './renew.ts'
import { ownYtdlp, ytdlpIn } from './versions.ts'

export async function findTools(options: ToolOptions): Promise<Tools | MissingTools> {
  const setup = await setupOf(options)
  // The start of each role has read it, so this fails only where a file was removed since.
  const operator = await setup.readOperator?.().catch((fault: Error) => ({ missing: fault.message }))
  if (operator && 'missing' in operator) return operator
  const ffmpeg = findFfmpeg(setup)
  const ytdlp = await findYtdlp(setup, ffmpeg)
  if ('missing' in ytdlp) return ytdlp
  const found = await ffmpeg
  return 'missing' in found ? found : toolsOf(setup, ytdlp, found)
}

/** Looks for a newer yt-dlp now. `busy`: another process is doing so. */
export const renewTools = (setup: Setup): Promise<Renewal | 'busy'> =>
  renewYtdlp(setup, toolsWith(setup, findFfmpeg(setup)))

/** Rolls back to the previous yt-dlp. `undefined`: there is none that works. */
export const rollBackTools = (setup: Setup, why: string): Promise<Renewal | 'busy' | undefined> =>
  rollBack(setup, toolsWith(setup, findFfmpeg(setup)), why)

export async function setupOf(options: ToolOptions): Promise<Setup> {
  const tools_dir = resolve(options.data_dir, 'tools')
  const channel = options.channel ?? 'stable'
  return {
    ...options,
    tools_dir,
    channel,
    releases: options.releases ?? { ytdlp: official.ytdlp[channel], ffmpeg: official.ffmpeg },
    trusted_key: options.trusted_key ?? ytdlp_key,
    python: await pythonOn(options.path),
    tell: message => options.log?.info(message),
  }
}

async function toolsOf(setup: Setup, ytdlp: Ytdlp, ffmpeg: Ffmpeg): Promise<Tools> {
  const system_env: Record<string, string> = env.SystemRoot ? { SystemRoot: env.SystemRoot } : {}
  const operator = await setup.readOperator?.()
  return { ytdlp: { ...ytdlp, operator }, ...ffmpeg, leash: await leashOn(setup.path), path: setup.path, system_env }
}

const toolsWith = (setup: Setup, ffmpeg: Promise<Ffmpeg | MissingTools>) => async (ytdlp: Ytdlp) => {
  const found = await ffmpeg
  if ('missing' in found) throw new Error(`it cannot be tested: ${found.missing}`)
  return toolsOf(setup, ytdlp, found)
}

/** The one in YTDLP_PATH if it is set; else our own copy, or the one on PATH if that is newer and safe. */
async function findYtdlp(setup: Setup, ffmpeg: Promise<Ffmpeg | MissingTools>): Promise<Ytdlp | MissingTools> {
  if (setup.ytdlp_path) return namedYtdlp(setup, setup.ytdlp_path)
  const on_path = await onPath('yt-dlp', setup.path)
  const found = on_path === undefined ? undefined : await asYtdlp([on_path])
  const ready = await bestYtdlp(setup, found)
  if (ready || setup.fetch === false) return ready ?? { missing: missingYtdlp(setup, found?.version) }
  // If another process is fetching it now, this waits for that process.
  for (let tries = 0; tries < longest_wait_s; tries++) {
    // A data folder that is not writable is reported like a missing tool.
    const renewed = await renewYtdlp(setup, toolsWith(setup, ffmpeg)).catch((cause: unknown) => {
      setup.signal?.throwIfAborted()
      setup.log?.warn(`yt-dlp could not be fetched: ${String(cause).slice(0, 300)}`)
    })
    const fetched = await bestYtdlp(setup, found)
    if (fetched || renewed !== 'busy') return fetched ?? { missing: missingYtdlp(setup, found?.version) }
    await setTimeout(1000)
  }
  return { missing: missingYtdlp(setup, found?.version) }
}

const longest_wait_s = 600

async function namedYtdlp(setup: Setup, ytdlp_path: string): Promise<Ytdlp | MissingTools> {
  const file = (await onPath(ytdlp_path, setup.path)) ?? resolve(ytdlp_path)
  // A copy of ours may be named, whose libraries are next to it.
  const [, folder] = /^(.+)\/(?:usr\/bin\/yt-dlp|yt-dlp\.pyz)$/.exec(file) ?? []
  const named = (folder && (await ytdlpIn(folder, setup.python))) || (await asYtdlp([file]))
  if (named) return { ...named, source: 'named' }
  return { missing: `YTDLP_PATH is ${ytdlp_path}, but no yt-dlp runs there. Correct it or remove it.` }
}

async function bestYtdlp(setup: Setup, on_path: Ytdlp | undefined): Promise<Ytdlp | undefined> {
  const own = await ownYtdlp(setup)
  const least = own?.version ?? oldest_safe
  const is_better = on_path && on_path.version !== own?.version && isAtLeast(on_path.version, least)
  return is_better ? { ...on_path, source: 'path' } : own
}

function missingYtdlp({ fetch }: Setup, found: string | undefined): string {
  if (fetch === false)
    return `yt-dlp ${found ? `${found} is too old` : 'is not installed'}. Run "npm run tools" to fetch it into the data folder, or set YTDLP_PATH.`
  return found
    ? `The yt-dlp on this machine (${found}) is too old, and a newer one could not be fetched. Install ${oldest_safe} or newer, or set YTDLP_PATH.`
    : 'yt-dlp is not installed and could not be fetched. Install it, or set YTDLP_PATH.'
}

/** Finds ffmpeg and ffprobe: by FFMPEG_PATH, on PATH, or our own copy. Otherwise fetches the static build or Debian's packages. */
async function findFfmpeg(setup: Setup): Promise<Ffmpeg | MissingTools> {
  if (setup.ffmpeg_path) {
    const named = await pairOf((await onPath(setup.ffmpeg_path, setup.path)) ?? setup.ffmpeg_path, setup.path)
    return (
      named ?? {
        missing: `FFMPEG_PATH is ${setup.ffmpeg_path}, but ffmpeg and ffprobe do not both run there. Correct it or remove it.`,
      }
    )
  }
  const here = async () =>
    (await pairOnPath(setup.path)) ??
    (await pairOf(releasedFfmpeg.file(setup), setup.path)) ??
    (await pairOf(packagedFfmpeg.file(setup), setup.path))
  const found = await here()
  if (found) return found
  for (const source of setup.fetch === false ? [] : [releasedFfmpeg, packagedFfmpeg]) {
    if (setup.signal?.aborted) break
    setup.tell(`Fetching ffmpeg: ${source.name}`)
    await source.fetch(setup).catch(cause => setup.log?.warn(`${source.name}: ${String(cause).slice(0, 300)}`))
    const fetched = await here()
    if (fetched) return fetched
  }
  return { missing: await missingFfmpeg(setup) }
}

async function missingFfmpeg({ path, fetch }: Setup): Promise<string> {
  const install =
    platform() === 'darwin'
      ? 'Run "brew install ffmpeg"'
      : (await hasApt(path))
        ? 'Run "sudo apt-get install ffmpeg"'
        : 'Install it'
  return fetch === false
    ? `ffmpeg is not installed. Run "npm run tools" to fetch it into the data folder, or set FFMPEG_PATH.`
    : `ffmpeg is not installed and could not be fetched. ${install}, or set FFMPEG_PATH.`
}

async function pairOnPath(path: string): Promise<Ffmpeg | undefined> {
  const ffmpeg = await onPath('ffmpeg', path)
  return ffmpeg ? pairOf(ffmpeg, path) : undefined
}

/** ffprobe is next to its ffmpeg, or else on PATH. */
async function pairOf(ffmpeg: string, path: string): Promise<Ffmpeg | undefined> {
  const file = resolve(ffmpeg)
  const ffprobe = (await onPath('ffprobe', dirname(file))) ?? (await onPath('ffprobe', path))
  const ffmpeg_version = ffprobe && (await ffmpegVersion(file))
  return ffmpeg_version && (await runs([ffprobe, '-version'])) ? { ffmpeg: file, ffmpeg_version, ffprobe } : undefined
}
