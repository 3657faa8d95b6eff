/**
 * Finds yt-dlp and ffmpeg, and fetches what is missing: named, on PATH, our own copy, official release, system's package.
 * Each step has a time limit, and none of them throws; where all of them fail, one sentence says what to do.
 */
import { platform } from 'node:os'
import { dirname, resolve } from 'node:path'
import { env } from 'node:process'
import { hasApt } from './apt.ts'
import { ownPython, packagedFfmpeg, packagedYtdlp } from './debian.ts'
import { leashOn, onPath, pythonOn, runs } from './machine.ts'
import { asYtdlp } from './own-copy.ts'
import { releasedFfmpeg, releasedYtdlp } from './release.ts'
import { isAtLeast, oldest_safe } from './version.ts'

export type Wanted = {
  ytdlp_path?: string | undefined
  ffmpeg_path?: string | undefined
  /** The PATH to look in, and the one the tools get. */
  path: string
  /** Our own copies live in `tools` in there. */
  data_dir: string
  log?: { info(message: string): void; warn(message: string): void }
  /** Where releases come from; a test serves its own. */
  releases?: { ytdlp: string; ffmpeg: string }
  /** Lines of a sources.list to take packages from, instead of the mirrors this machine uses; a test brings its own. */
  packages?: string[]
  /** `false`: only what is on this machine already. */
  fetch?: boolean
}

export type Ytdlp = { command: string[]; env: Record<string, string>; version: string }
export type Ffmpeg = { ffmpeg: string; ffprobe: string }
export type Tools = Ffmpeg & {
  ytdlp: Ytdlp
  /** Put before a command, it ends the command and its children when we die ourselves; empty where the system can't. */
  leash: string[]
  path: string
  system_env: Record<string, string>
}

export const official = {
  ytdlp: 'https://github.com/yt-dlp/yt-dlp/releases/latest/download',
  ffmpeg: 'https://github.com/yt-dlp/FFmpeg-Builds/releases/latest/download',
}

/** `missing` is a sentence for people. */
export async function findTools(wanted: Wanted): Promise<Tools | { missing: string }> {
  const tools_dir = resolve(wanted.data_dir, 'tools')
  const place: Place = {
    ...wanted,
    tools_dir,
    releases: wanted.releases ?? official,
    python: (await pythonOn(wanted.path)) ?? (await ownPython(tools_dir)),
    tell: message => wanted.log?.info(message),
  }
  const [ytdlp, ffmpeg] = await Promise.all([findYtdlp(place), findFfmpeg(place)])
  if ('missing' in ytdlp) return ytdlp
  if ('missing' in ffmpeg) return ffmpeg
  const system_env: Record<string, string> = env.SystemRoot ? { SystemRoot: env.SystemRoot } : {}
  return { ytdlp, ...ffmpeg, leash: await leashOn(wanted.path), path: wanted.path, system_env }
}

/** What each way of coming by a tool gets to know. */
export type Place = Wanted & {
  tools_dir: string
  releases: { ytdlp: string; ffmpeg: string }
  /** One that is new enough for yt-dlp; set when one is fetched. */
  python: string | undefined
  tell(message: string): void
}

async function findYtdlp(place: Place): Promise<Ytdlp | { missing: string }> {
  if (place.ytdlp_path) {
    const named = await asYtdlp([(await onPath(place.ytdlp_path, place.path)) ?? resolve(place.ytdlp_path)])
    if (!named)
      return {
        missing: `YTDLP_PATH is ${place.ytdlp_path}, which is not a yt-dlp that runs. Correct it or leave it out.`,
      }
    return named
  }
  const on_path = await onPath('yt-dlp', place.path)
  const found = on_path === undefined ? undefined : await asYtdlp([on_path])
  if (found && isAtLeast(found.version, oldest_safe)) return found

  const own = (await releasedYtdlp.own(place)) ?? (await packagedYtdlp.own(place))
  if (own?.is_fresh || (own && place.fetch === false)) return own.tool
  const fetched = place.fetch === false ? undefined : await fetchYtdlp(place)
  return fetched ?? own?.tool ?? { missing: missingYtdlp(place, found?.version) }
}

async function fetchYtdlp(place: Place): Promise<Ytdlp | undefined> {
  for (const way of [releasedYtdlp, packagedYtdlp]) {
    place.tell(`Fetching yt-dlp: ${way.name}`)
    await way.fetch(place).catch(cause => place.log?.warn(`${way.name}: ${String(cause).slice(0, 300)}`))
    const own = await way.own(place)
    if (own) return own.tool
  }
  return undefined
}

function missingYtdlp({ fetch }: Place, found: string | undefined): string {
  if (fetch === false)
    return `yt-dlp ${found ? `${found} is too old` : 'is not installed'}. Run "npm run tools" to fetch it into the data folder, or name one in YTDLP_PATH.`
  return found
    ? `The yt-dlp on this machine (${found}) is too old, and a newer one could not be fetched. Install ${oldest_safe} or newer, or name one in YTDLP_PATH.`
    : 'yt-dlp is not installed and could not be fetched. Install it, or name it in YTDLP_PATH.'
}

async function findFfmpeg(place: Place): Promise<Ffmpeg | { missing: string }> {
  if (place.ffmpeg_path) {
    const named = await pairOf((await onPath(place.ffmpeg_path, place.path)) ?? place.ffmpeg_path, place.path)
    return (
      named ?? {
        missing: `FFMPEG_PATH is ${place.ffmpeg_path}, but ffmpeg and ffprobe do not both run there. Correct it or leave it out.`,
      }
    )
  }
  const here = async () =>
    (await pairOnPath(place.path)) ??
    (await pairOf(releasedFfmpeg.file(place), place.path)) ??
    (await pairOf(packagedFfmpeg.file(place), place.path))
  const found = await here()
  if (found) return found
  for (const way of place.fetch === false ? [] : [releasedFfmpeg, packagedFfmpeg]) {
    place.tell(`Fetching ffmpeg: ${way.name}`)
    await way.fetch(place).catch(cause => place.log?.warn(`${way.name}: ${String(cause).slice(0, 300)}`))
    const fetched = await here()
    if (fetched) return fetched
  }
  return { missing: await missingFfmpeg(place) }
}

async function missingFfmpeg({ path, fetch }: Place): Promise<string> {
  const install =
    platform() === 'darwin'
      ? 'Run "brew install ffmpeg"'
      : (await hasApt(path))
        ? 'Run "sudo apt-get install ffmpeg"'
        : 'Install it'
  return fetch === false
    ? `ffmpeg is not installed. Run "npm run tools" to fetch it into the data folder, or name one in FFMPEG_PATH.`
    : `ffmpeg is not installed and could not be fetched. ${install}, or name it in FFMPEG_PATH.`
}

async function pairOnPath(path: string): Promise<Ffmpeg | undefined> {
  const ffmpeg = await onPath('ffmpeg', path)
  return ffmpeg ? pairOf(ffmpeg, path) : undefined
}

/** ffprobe stands beside its ffmpeg, or else on PATH. */
async function pairOf(ffmpeg: string, path: string): Promise<Ffmpeg | undefined> {
  const file = resolve(ffmpeg)
  const ffprobe = (await onPath('ffprobe', dirname(file))) ?? (await onPath('ffprobe', path))
  return ffprobe && (await runs([file, '-version'])) && (await runs([ffprobe, '-version']))
    ? { ffmpeg: file, ffprobe }
    : undefined
}
