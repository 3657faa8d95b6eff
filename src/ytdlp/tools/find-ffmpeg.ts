/** Finds ffmpeg and ffprobe: by FFMPEG_PATH, on PATH, or our own copy. Otherwise fetches the static build or Debian's packages. */
import { platform } from 'node:os'
import { dirname, resolve } from 'node:path'
import type { Ffmpeg, Missing } from '../run/tools.ts'
import { hasApt } from './apt.ts'
import { packagedFfmpeg } from './debian.ts'
import { onPath, runs } from './machine.ts'
import { releasedFfmpeg } from './release.ts'
import type { Setup } from './setup.ts'

export async function findFfmpeg(setup: Setup): Promise<Ffmpeg | Missing> {
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
  return ffprobe && (await runs([file, '-version'])) && (await runs([ffprobe, '-version']))
    ? { ffmpeg: file, ffprobe }
    : undefined
}
