/**
 * Official releases of yt-dlp and ffmpeg. They are downloaded into a folder aside, and checked against the published SHA-256
 * before they are used. yt-dlp signs its list of checksums; the static ffmpeg has no signature.
 */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { chmod, readdir, rename } from 'node:fs/promises'
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { execa } from 'execa'
import type { ReleaseChannel } from '../../schema/service/renewal.ts'
import type { Setup } from './setup.ts'
import { requireSignature } from './signature.ts'
import { aside, binary_name } from './versions.ts'

const short_ms = 20_000
const asset_ms = 5 * 60_000
const largest_bytes = 400 * 1024 * 1024
const largest_sums_bytes = 100_000

export const official: { ytdlp: Record<ReleaseChannel, string>; ffmpeg: string } = {
  ytdlp: {
    stable: 'https://github.com/yt-dlp/yt-dlp/releases',
    nightly: 'https://github.com/yt-dlp/yt-dlp-nightly-builds/releases',
  },
  ffmpeg: 'https://github.com/yt-dlp/FFmpeg-Builds/releases/latest/download',
}

export const releasedYtdlp = {
  name: 'the official release',

  /** One small request: the address of the latest release redirects to its version. */
  async latest({ releases }: Setup): Promise<string> {
    const options = { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(short_ms) } as const
    const response = await fetch(`${releases.ytdlp}/latest`, options)
    await response.body?.cancel()
    const version = /\/tag\/(\d{4}\.\d{2}\.\d{2}(\.\d{1,6})?)$/.exec(response.headers.get('location') ?? '')?.[1]
    if (!version) throw new Error(`${releases.ytdlp}/latest answered ${response.status} and names no version`)
    return version
  },

  /** Fetches it into `folder`. Throws when the checksums are not signed by the trusted key, or the file does not match them. */
  async fetch({ python, releases, trusted_key }: Setup, folder: string, version: string | undefined): Promise<void> {
    const asset = ytdlpAsset(platform(), arch(), python !== undefined)
    if (!asset || !version) throw new Error('there is no release for this machine')
    const base = `${releases.ytdlp}/download/${version}`
    const file = await fetchVerified(base, asset.name, 'SHA2-256SUMS', folder, trusted_key)
    await chmod(file, 0o755)
    await rename(file, join(folder, asset.kept_as))
  },
}

/** The zip of Python files starts twice as fast as the binaries, which contain their own Python. */
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
  return name === undefined ? undefined : { name, kept_as: binary_name }
}

const programs = platform() === 'win32' ? ['ffmpeg.exe', 'ffprobe.exe'] : ['ffmpeg', 'ffprobe']

export const releasedFfmpeg = {
  name: 'the static build',
  file: ({ tools_dir }: Setup) => join(tools_dir, programs[0] ?? ''),
  async fetch({ tools_dir, releases }: Setup) {
    const asset = ffmpegAsset(platform(), arch())
    if (!asset) throw new Error('there is no release for this machine')
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

/**
 * Downloads the file into `folder` and returns its path. Throws when it does not match its checksum, is too large, or takes too
 * long. With a key, `<sums_name>.sig` must be a signature of the checksums by that key.
 */
export async function fetchVerified(
  base: string,
  asset: string,
  sums_name: string,
  folder: string,
  trusted_key?: string,
): Promise<string> {
  const sums = await smallFile(`${base}/${sums_name}`)
  if (trusted_key !== undefined) await requireSignature(sums, await smallFile(`${base}/${sums_name}.sig`), trusted_key)
  const expected = sumOf(new TextDecoder().decode(sums), asset)
  if (!expected) throw new Error(`${sums_name} does not list ${asset}`)

  const { body } = await answered(`${base}/${asset}`, asset_ms)
  if (!body) throw new Error(`${asset} is empty`)
  const hash = createHash('sha256')
  let size = 0
  const counted = new Transform({
    transform(chunk: Buffer, _, next) {
      hash.update(chunk)
      size += chunk.length
      next(size > largest_bytes ? new Error(`${asset} is too large`) : null, chunk)
    },
  })
  const file = join(folder, asset)
  await pipeline(body, counted, createWriteStream(file))
  if (hash.digest('hex') !== expected) throw new Error(`${asset} is not the file that was published`)
  return file
}

/** The checksum of one file in the output of `sha256sum`: the sum, then the name, with a star for binary. */
export const sumOf = (sums: string, asset: string): string | undefined =>
  sums
    .split('\n')
    .map(line => /^([0-9a-f]{64}) [ *](.+?)\s*$/i.exec(line))
    .find(found => found?.[2] === asset)?.[1]
    ?.toLowerCase()

async function smallFile(url: string): Promise<Uint8Array> {
  const { body } = await answered(url, short_ms)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > largest_sums_bytes) throw new Error(`${url} is too large`)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

async function answered(url: string, timeout_ms: number): Promise<Response> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeout_ms) })
  if (response.ok) return response
  await response.body?.cancel()
  throw new Error(`${url} answered ${response.status}`)
}
