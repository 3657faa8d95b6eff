/**
 * Finds yt-dlp and ffmpeg, and fetches what is missing. yt-dlp: named, our own copy, on PATH. ffmpeg: named, on PATH, our own
 * copy, static build, Debian's packages. Each step has a time limit and none throws; where all fail, one sentence says what to do.
 */
import { resolve } from 'node:path'
import { env } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import type { Channel, Renewal, YtdlpSource } from '../../schema/renewal.ts'
import { ownPython } from './debian.ts'
import { findFfmpeg } from './find-ffmpeg.ts'
import { leashOn, onPath, pythonOn } from './machine.ts'
import { official } from './release.ts'
import { renewYtdlp, rollBack } from './renew.ts'
import { ytdlp_key } from './trusted-key.ts'
import { asYtdlp, isAtLeast, oldest_safe } from './version.ts'
import { ownYtdlp } from './versions.ts'

export type Wanted = {
  ytdlp_path?: string | undefined
  ffmpeg_path?: string | undefined
  /** The PATH to look in, and the one the tools get. */
  path: string
  /** Our own copies live in `tools` in there. */
  data_dir: string
  log?: { info(message: string): void; warn(message: string): void }
  /** Which releases of yt-dlp. */
  channel?: Channel
  /** Where releases come from; a test serves its own. */
  releases?: { ytdlp: string; ffmpeg: string }
  /** The key that signs yt-dlp's checksums; a test has its own. */
  trusted_key?: string
  /** Lines of a sources.list to take packages from, instead of the mirrors this machine uses; a test brings its own. */
  packages?: string[]
  /** `false`: only what is on this machine already. */
  fetch?: boolean
}

export type Ytdlp = {
  command: string[]
  env: Record<string, string>
  version: string
  /** `named`: in YTDLP_PATH; `own`: in the data folder, renewed by us; `path`: this machine's, renewed by others. */
  source?: YtdlpSource
}
export type Ffmpeg = { ffmpeg: string; ffprobe: string }
export type Tools = Ffmpeg & {
  ytdlp: Ytdlp
  /** Put before a command, it ends the command and its children when we die ourselves; empty where the system can't. */
  leash: string[]
  path: string
  system_env: Record<string, string>
}

/** `missing` is a sentence for people. */
export async function findTools(wanted: Wanted): Promise<Tools | { missing: string }> {
  const place = await placeOf(wanted)
  const ffmpeg = findFfmpeg(place)
  const ytdlp = await findYtdlp(place, ffmpeg)
  if ('missing' in ytdlp) return ytdlp
  const found = await ffmpeg
  return 'missing' in found ? found : toolsOf(place, ytdlp, found)
}

/** Looks for a newer yt-dlp now. `busy`: another process does. */
export const renewTools = (place: Place): Promise<Renewal | 'busy'> =>
  renewYtdlp(place, toolsWith(place, findFfmpeg(place)))

/** Goes back to the previous yt-dlp. `undefined`: there is none that works. */
export const rollBackTools = (place: Place, why: string): Promise<Renewal | 'busy' | undefined> =>
  rollBack(place, toolsWith(place, findFfmpeg(place)), why)

/** What each way of coming by a tool gets to know. */
export type Place = Wanted & {
  tools_dir: string
  channel: Channel
  releases: { ytdlp: string; ffmpeg: string }
  trusted_key: string
  /** One that is new enough for yt-dlp; set when one is fetched. */
  python: string | undefined
  tell(message: string): void
}

export async function placeOf(wanted: Wanted): Promise<Place> {
  const tools_dir = resolve(wanted.data_dir, 'tools')
  const channel = wanted.channel ?? 'stable'
  return {
    ...wanted,
    tools_dir,
    channel,
    releases: wanted.releases ?? { ytdlp: official.ytdlp[channel], ffmpeg: official.ffmpeg },
    trusted_key: wanted.trusted_key ?? ytdlp_key,
    python: (await pythonOn(wanted.path)) ?? (await ownPython(tools_dir)),
    tell: message => wanted.log?.info(message),
  }
}

async function toolsOf(place: Place, ytdlp: Ytdlp, ffmpeg: Ffmpeg): Promise<Tools> {
  const system_env: Record<string, string> = env.SystemRoot ? { SystemRoot: env.SystemRoot } : {}
  return { ytdlp, ...ffmpeg, leash: await leashOn(place.path), path: place.path, system_env }
}

const toolsWith = (place: Place, ffmpeg: Promise<Ffmpeg | { missing: string }>) => async (ytdlp: Ytdlp) => {
  const found = await ffmpeg
  if ('missing' in found) throw new Error(`it cannot be tested: ${found.missing}`)
  return toolsOf(place, ytdlp, found)
}

/** The one that is named; else our own copy; else the one on PATH, where that is new enough, or newer than our own. */
async function findYtdlp(
  place: Place,
  ffmpeg: Promise<Ffmpeg | { missing: string }>,
): Promise<Ytdlp | { missing: string }> {
  if (place.ytdlp_path) return namedYtdlp(place, place.ytdlp_path)
  const on_path = await onPath('yt-dlp', place.path)
  const found = on_path === undefined ? undefined : await asYtdlp([on_path])
  const ready = await bestYtdlp(place, found)
  if (ready || place.fetch === false) return ready ?? { missing: missingYtdlp(place, found?.version) }
  // Another process that fetches it at this moment is waited for.
  for (let tries = 0; tries < longest_wait_s; tries++) {
    // A data folder that cannot be written is said like everything else that is missing.
    const renewed = await renewYtdlp(place, toolsWith(place, ffmpeg)).catch((cause: unknown) => {
      place.log?.warn(`yt-dlp could not be fetched: ${String(cause).slice(0, 300)}`)
    })
    const fetched = await bestYtdlp(place, found)
    if (fetched || renewed !== 'busy') return fetched ?? { missing: missingYtdlp(place, found?.version) }
    await setTimeout(1000)
  }
  return { missing: missingYtdlp(place, found?.version) }
}

const longest_wait_s = 600

async function namedYtdlp(place: Place, ytdlp_path: string): Promise<Ytdlp | { missing: string }> {
  const named = await asYtdlp([(await onPath(ytdlp_path, place.path)) ?? resolve(ytdlp_path)])
  if (named) return { ...named, source: 'named' }
  return { missing: `YTDLP_PATH is ${ytdlp_path}, which is not a yt-dlp that runs. Correct it or leave it out.` }
}

async function bestYtdlp(place: Place, on_path: Ytdlp | undefined): Promise<Ytdlp | undefined> {
  const own = await ownYtdlp(place)
  const least = own?.version ?? oldest_safe
  const is_better = on_path && on_path.version !== own?.version && isAtLeast(on_path.version, least)
  return is_better ? { ...on_path, source: 'path' } : own
}

function missingYtdlp({ fetch }: Place, found: string | undefined): string {
  if (fetch === false)
    return `yt-dlp ${found ? `${found} is too old` : 'is not installed'}. Run "npm run tools" to fetch it into the data folder, or name one in YTDLP_PATH.`
  return found
    ? `The yt-dlp on this machine (${found}) is too old, and a newer one could not be fetched. Install ${oldest_safe} or newer, or name one in YTDLP_PATH.`
    : 'yt-dlp is not installed and could not be fetched. Install it, or name it in YTDLP_PATH.'
}
