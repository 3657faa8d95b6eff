/**
 * yt-dlp, ffmpeg and Python from Debian's packages, unpacked into the data folder. The system itself does not change,
 * and any user may do it. yt-dlp is plain Python, so the newest package runs on older systems too; the others come from
 * the release that this machine runs.
 */
import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { rootCertificates } from 'node:tls'
import { hasApt, type PackageRequest, systemMirror, unpackPackages } from './apt.ts'
import { firstOf, runs } from './machine.ts'
import type { Setup } from './setup.ts'
import { aside } from './versions.ts'

export const packagedYtdlp = {
  name: "Debian's package",

  /** From the list of files of the mirror, where it shows one; `undefined`: only apt can tell. */
  async latest({ packages }: Setup): Promise<string | undefined> {
    const mirror = packages ? undefined : await systemMirror()
    if (!mirror) return undefined
    const response = await fetch(`${mirror}/pool/main/y/yt-dlp/`, { signal: AbortSignal.timeout(20_000) }).catch(
      () => {},
    )
    return response?.ok ? newestIn(await response.text()) : undefined
  },

  /** Into `folder`. apt checks Debian's signature. */
  async fetch(setup: Setup, folder: string): Promise<void> {
    const { tools_dir, path, packages: sources } = setup
    setup.python ??= await fetchPython(setup)
    await aside(tools_dir, async apt_folder => {
      const wanted: PackageRequest = { names: ['yt-dlp'], from: 'sid', with_dependencies: false, sources }
      await rm(folder, { recursive: true })
      await rename(await unpackPackages(apt_folder, path, wanted), folder)
    })
  },
}

/** Of files like `yt-dlp_2026.10.26-1_all.deb`, those of sid alone. */
export const newestIn = (listing: string): string | undefined =>
  [...listing.matchAll(/yt-dlp_(\d{4}\.\d{2}\.\d{2})-[\d.]+_all\.deb/g)]
    .map(([, version]) => version ?? '')
    .toSorted()
    .at(-1)

/** Loaded on demand for screens, keyboards and 3D, so never here; with what only they need they are half of the bytes. */
const for_screens = [
  'libglx-mesa0',
  'libgl1-mesa-dri',
  'mesa-libgallium',
  'fontconfig-config',
  'xkb-data',
  'x11-common',
]

export const packagedFfmpeg = {
  name: "Debian's packages",
  file: ({ tools_dir }: Setup) => join(tools_dir, 'ffmpeg-package/bin/ffmpeg'),

  async fetch(setup: Setup) {
    if (!(await hasApt(setup.path))) throw new Error('this is not a Debian')
    const worksIn = (root: string) => runs([join(root, 'bin/ffmpeg'), '-version'])
    // Should a release need one of these after all, it gets everything.
    for (const without of [for_screens, []]) {
      await aside(setup.tools_dir, async folder => {
        const wanted = {
          names: ['ffmpeg'],
          from: 'system',
          with_dependencies: true,
          without,
          sources: setup.packages,
        } satisfies PackageRequest
        const root = await unpackPackages(folder, setup.path, wanted)
        await wrap(root, { ffmpeg: 'usr/bin/ffmpeg', ffprobe: 'usr/bin/ffprobe' })
        if (await worksIn(root)) await intoPlace(root, join(setup.tools_dir, 'ffmpeg-package'), worksIn)
      })
      if (await worksIn(join(setup.tools_dir, 'ffmpeg-package'))) return
    }
    throw new Error('the ffmpeg of the packages does not run here')
  },
}

const pythonIn = (root: string) => join(root, 'bin/python3')
const hasPython = (root: string) =>
  runs([pythonIn(root), '-c', 'import ssl, sys; sys.exit(sys.version_info < (3, 10))'])

/** The Python unpacked earlier, where it runs. */
export async function ownPython(tools_dir: string): Promise<string | undefined> {
  const root = join(tools_dir, 'python-package')
  return (await firstOf([pythonIn(root)])) && (await hasPython(root)) ? pythonIn(root) : undefined
}

async function fetchPython({ tools_dir, path, tell, packages: sources }: Setup): Promise<string> {
  if (!(await hasApt(path))) throw new Error('there is no Python 3.10 or newer')
  tell("Fetching Python: Debian's packages")
  await aside(tools_dir, async folder => {
    const root = await unpackPackages(folder, path, {
      names: ['python3'],
      from: 'system',
      with_dependencies: true,
      sources,
    })
    await writeFile(join(root, 'bin-certificates.pem'), rootCertificates.join('\n'))
    await wrap(root, { python3: 'usr/bin/python3' }, certificates)
    if (!(await hasPython(root))) throw new Error('the Python of the packages is too old, or does not run here')
    await intoPlace(root, join(tools_dir, 'python-package'), hasPython)
  })
  return pythonIn(join(tools_dir, 'python-package'))
}

/** A slim image has no list of authorities, without which nothing can be fetched over https. */
const certificates = `[ -e /etc/ssl/certs/ca-certificates.crt ] || export SSL_CERT_FILE="$root/bin-certificates.pem"`

/** Programs in `root`/bin that find their libraries in `root`, wherever that is. */
async function wrap(root: string, programs: Record<string, string>, more = ':'): Promise<void> {
  const files = await readdir(root, { recursive: true, withFileTypes: true })
  const libraries = files
    .filter(({ name }) => /^lib.*\.so(\.|$)/.test(name))
    .map(file => relative(root, file.parentPath))
  const search = [...new Set(libraries)].toSorted().map(folder => `$root/${folder}`)
  await mkdir(join(root, 'bin'), { recursive: true })
  for (const [name, program] of Object.entries(programs)) {
    const script = [
      '#!/bin/sh',
      `root=\${0%/*}/..`,
      // Through a symbolic link, $0 is the path of the link.
      `[ -L "$0" ] && self=$(readlink -f "$0") && root=\${self%/*}/..`,
      `export LD_LIBRARY_PATH="${search.join(':')}"`,
      more,
      `exec "$root/${program}" "$@"`,
    ]
    await writeFile(join(root, 'bin', name), `${script.join('\n')}\n`)
    await chmod(join(root, 'bin', name), 0o755)
  }
}

/** In one step. Another process may have put its own there at the same time, and be using it. */
async function intoPlace(root: string, target: string, works: (root: string) => Promise<boolean>): Promise<void> {
  if (await works(target)) return
  await mkdir(dirname(target), { recursive: true })
  await rm(target, { recursive: true, force: true })
  await rename(root, target).catch(async cause => {
    if (!(await works(target))) throw cause
  })
}
