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
import { upTo } from '../../runtime/up-to.ts'
import type { ReleaseChannel } from '../../schema/service/renewal.ts'
import type { Setup } from './machine.ts'
import { aside, binary_name } from './versions.ts'

const short_ms = 20_000
const asset_ms = 5 * 60_000
const max_file_bytes = 400 * 1024 * 1024
const max_checksums_bytes = 100_000

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
      next(size > max_file_bytes ? new Error(`${asset} is too large`) : null, chunk)
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
  const chunks = body ? upTo(max_checksums_bytes, body, () => new Error(`${url} is too large`)) : []
  return new Uint8Array(Buffer.concat(await Array.fromAsync(chunks)))
}

async function answered(url: string, timeout_ms: number): Promise<Response> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeout_ms) })
  if (response.ok) return response
  await response.body?.cancel()
  throw new Error(`${url} answered ${response.status}`)
}

/** Throws a sentence unless `signature` (binary) is a valid signature of `bytes` by one of the keys in `armored_key`. */
export async function requireSignature(bytes: Uint8Array, signature: Uint8Array, armored_key: string): Promise<void> {
  // Imported only when needed, because the library is large and most starts fetch nothing.
  const { createMessage, readKeys, readSignature, verify } = await import('openpgp')
  const verificationKeys = await readKeys({ armoredKeys: armored_key })
  const read = await readSignature({ binarySignature: signature }).catch(() => {
    throw new Error('the signature of the checksums cannot be read')
  })
  const message = await createMessage({ binary: bytes })
  await verify({ message, signature: read, verificationKeys, expectSigned: true, format: 'binary' }).catch(cause => {
    throw new Error("the checksums are not signed with yt-dlp's key", { cause })
  })
}

/**
 * The key that signs yt-dlp's releases, one for both channels: the file `public.key` of yt-dlp's repository.
 * Fingerprint AC0C BBE6 848D 6A87 3464 AF4E 57CF 6593 3B5A 7581, "Simon Sawicki (yt-dlp signing key)".
 */
export const ytdlp_key = `-----BEGIN PGP PUBLIC KEY BLOCK-----

mQINBGP78C4BEAD0rF9zjGPAt0thlt5C1ebzccAVX7Nb1v+eqQjk+WEZdTETVCg3
WAM5ngArlHdm/fZqzUgO+pAYrB60GKeg7ffUDf+S0XFKEZdeRLYeAaqqKhSibVal
DjvOBOztu3W607HLETQAqA7wTPuIt2WqmpL60NIcyr27LxqmgdN3mNvZ2iLO+bP0
nKR/C+PgE9H4ytywDa12zMx6PmZCnVOOOu6XZEFmdUxxdQ9fFDqd9LcBKY2LDOcS
Yo1saY0YWiZWHtzVoZu1kOzjnS5Fjq/yBHJLImDH7pNxHm7s/PnaurpmQFtDFruk
t+2lhDnpKUmGr/I/3IHqH/X+9nPoS4uiqQ5HpblB8BK+4WfpaiEg75LnvuOPfZIP
KYyXa/0A7QojMwgOrD88ozT+VCkKkkJ+ijXZ7gHNjmcBaUdKK7fDIEOYI63Lyc6Q
WkGQTigFffSUXWHDCO9aXNhP3ejqFWgGMtCUsrbkcJkWuWY7q5ARy/05HbSM3K4D
U9eqtnxmiV1WQ8nXuI9JgJQRvh5PTkny5LtxqzcmqvWO9TjHBbrs14BPEO9fcXxK
L/CFBbzXDSvvAgArdqqlMoncQ/yicTlfL6qzJ8EKFiqW14QMTdAn6SuuZTodXCTi
InwoT7WjjuFPKKdvfH1GP4bnqdzTnzLxCSDIEtfyfPsIX+9GI7Jkk/zZjQARAQAB
tDdTaW1vbiBTYXdpY2tpICh5dC1kbHAgc2lnbmluZyBrZXkpIDxjb250YWN0QGdy
dWI0ay54eXo+iQJOBBMBCgA4FiEErAy75oSNaoc0ZK9OV89lkztadYEFAmP78C4C
GwMFCwkIBwIGFQoJCAsCBBYCAwECHgECF4AACgkQV89lkztadYEVqQ//cW7TxhXg
7Xbh2EZQzXml0egn6j8QaV9KzGragMiShrlvTO2zXfLXqyizrFP4AspgjSn/4NrI
8mluom+Yi+qr7DXT4BjQqIM9y3AjwZPdywe912Lxcw52NNoPZCm24I9T7ySc8lmR
FQvZC0w4H/VTNj/2lgJ1dwMflpwvNRiWa5YzcFGlCUeDIPskLx9++AJE+xwU3LYm
jQQsPBqpHHiTBEJzMLl+rfd9Fg4N+QNzpFkTDW3EPerLuvJniSBBwZthqxeAtw4M
UiAXh6JvCc2hJkKCoygRfM281MeolvmsGNyQm+axlB0vyldiPP6BnaRgZlx+l6MU
cPqgHblb7RW5j9lfr6OYL7SceBIHNv0CFrt1OnkGo/tVMwcs8LH3Ae4a7UJlIceL
V54aRxSsZU7w4iX+PB79BWkEsQzwKrUuJVOeL4UDwWajp75OFaUqbS/slDDVXvK5
OIeuth3mA/adjdvgjPxhRQjA3l69rRWIJDrqBSHldmRsnX6cvXTDy8wSXZgy51lP
m4IVLHnCy9m4SaGGoAsfTZS0cC9FgjUIyTyrq9M67wOMpUxnuB0aRZgJE1DsI23E
qdvcSNVlO+39xM/KPWUEh6b83wMn88QeW+DCVGWACQq5N3YdPnAJa50617fGbY6I
gXIoRHXkDqe23PZ/jURYCv0sjVtjPoVC+bg=
=bJkn
-----END PGP PUBLIC KEY BLOCK-----
`
