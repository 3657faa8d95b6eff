/** Official releases of yt-dlp and ffmpeg: downloaded aside, checked against the published SHA-256, then put in place. */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { chmod, readdir, rename } from 'node:fs/promises'
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { execa } from 'execa'
import { aside, ownCopy } from './own-copy.ts'
import type { Place } from './tools.ts'

const sums_ms = 20_000
const asset_ms = 5 * 60_000
const largest = 400 * 1024 * 1024

export const releasedYtdlp = {
  name: 'the official release',
  async own({ tools_dir, python }: Place) {
    const zipapp = join(tools_dir, 'yt-dlp.pyz')
    const binary = join(tools_dir, platform() === 'win32' ? 'yt-dlp.exe' : 'yt-dlp')
    return (python && (await ownCopy(zipapp, [python, zipapp]))) || (await ownCopy(binary, [binary]))
  },
  async fetch({ tools_dir, python, releases }: Place) {
    const asset = ytdlpAsset(platform(), arch(), python !== undefined)
    if (!asset) throw new Error('there is none for this machine')
    await aside(tools_dir, async folder => {
      const file = await fetchVerified(releases.ytdlp, asset.name, 'SHA2-256SUMS', folder)
      await chmod(file, 0o755)
      await rename(file, join(tools_dir, asset.kept_as))
    })
  },
}

/** The zip of Python files starts in half the time of the binaries, which bring their own Python. */
export function ytdlpAsset(system: string, cpu: string, has_python: boolean) {
  if (has_python) return { name: 'yt-dlp', kept_as: 'yt-dlp.pyz' }
  const names: Record<string, string> = {
    'linux x64': 'yt-dlp_linux',
    'linux arm64': 'yt-dlp_linux_aarch64',
    'darwin x64': 'yt-dlp_macos',
    'darwin arm64': 'yt-dlp_macos',
    'win32 x64': 'yt-dlp.exe',
  }
  const name = names[`${system} ${cpu}`]
  return name === undefined ? undefined : { name, kept_as: system === 'win32' ? 'yt-dlp.exe' : 'yt-dlp' }
}

const programs = platform() === 'win32' ? ['ffmpeg.exe', 'ffprobe.exe'] : ['ffmpeg', 'ffprobe']

export const releasedFfmpeg = {
  name: 'the static build',
  file: ({ tools_dir }: Place) => join(tools_dir, programs[0] ?? ''),
  async fetch({ tools_dir, releases }: Place) {
    const asset = ffmpegAsset(platform(), arch())
    if (!asset) throw new Error('there is none for this machine')
    await aside(tools_dir, async folder => {
      const archive = await fetchVerified(releases.ffmpeg, asset, 'checksums.sha256', folder)
      await execa('tar', ['-xf', archive, '-C', folder], { stdin: 'ignore', timeout: asset_ms })
      const found = await readdir(folder, { recursive: true })
      for (const program of programs) {
        const at = found.find(path => path.endsWith(join('bin', program)))
        if (!at) throw new Error(`the archive has no ${program}`)
        await rename(join(folder, at), join(tools_dir, program))
      }
    })
  },
}

export const ffmpegAsset = (system: string, cpu: string): string | undefined => ffmpegs[`${system} ${cpu}`]
const ffmpegs: Record<string, string> = {
  'linux x64': 'ffmpeg-master-latest-linux64-gpl.tar.xz',
  'linux arm64': 'ffmpeg-master-latest-linuxarm64-gpl.tar.xz',
  'win32 x64': 'ffmpeg-master-latest-win64-gpl.zip',
}

/** The path of the file, written into `folder`. Throws when it is not what the sums say, too large, or too slow. */
export async function fetchVerified(base: string, asset: string, sums_name: string, folder: string): Promise<string> {
  const sums = await answered(`${base}/${sums_name}`, sums_ms)
  const expected = sumOf(await sums.text(), asset)
  if (!expected) throw new Error(`${sums_name} does not list ${asset}`)

  const { body } = await answered(`${base}/${asset}`, asset_ms)
  if (!body) throw new Error(`${asset} is empty`)
  const hash = createHash('sha256')
  let size = 0
  const counted = new Transform({
    transform(chunk: Buffer, _, next) {
      hash.update(chunk)
      size += chunk.length
      next(size > largest ? new Error(`${asset} is too large`) : null, chunk)
    },
  })
  const file = join(folder, asset)
  await pipeline(body, counted, createWriteStream(file))
  if (hash.digest('hex') !== expected) throw new Error(`${asset} is not the file that was published`)
  return file
}

/** As `sha256sum` writes them: the sum, then the name, with a star for binary. */
export const sumOf = (sums: string, asset: string): string | undefined =>
  sums
    .split('\n')
    .map(line => /^([0-9a-f]{64}) [ *](.+?)\s*$/i.exec(line))
    .find(found => found?.[2] === asset)?.[1]
    ?.toLowerCase()

async function answered(url: string, timeout_ms: number): Promise<Response> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeout_ms) })
  if (response.ok) return response
  await response.body?.cancel()
  throw new Error(`${url} answered ${response.status}`)
}
