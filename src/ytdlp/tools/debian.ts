/**
 * yt-dlp, ffmpeg and Python from Debian's packages, unpacked into the data folder. This changes nothing on the system and needs
 * no rights. yt-dlp is plain Python, so its newest package runs on older systems too; the others come from the release that
 * this machine runs.
 */
import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { rootCertificates } from 'node:tls'
import { hasApt, type PackageRequest, systemMirror, unpackPackages } from './apt.ts'
import { firstOf, runs, type Setup } from './machine.ts'
import { aside } from './versions.ts'

export const packagedYtdlp = {
  name: "Debian's package",

  /** Read from the mirror's list of files; `undefined`: the mirror shows none, and only apt can find the version. */
  async latest({ packages }: Setup): Promise<string | undefined> {
    const mirror = packages ? undefined : await systemMirror()
    if (!mirror) return undefined
    const response = await fetch(`${mirror}/pool/main/y/yt-dlp/`, { signal: AbortSignal.timeout(20_000) }).catch(
      () => {},
    )
    return response?.ok ? newestIn(await response.text()) : undefined
  },

  /** Unpacks it into `folder`. apt checks Debian's signature. */
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

/** The newest of the files like `yt-dlp_2026.10.26-1_all.deb`, counting those of sid alone. */
export const newestIn = (listing: string): string | undefined =>
  [...listing.matchAll(/yt-dlp_(\d{4}\.\d{2}\.\d{2})-[\d.]+_all\.deb/g)]
    .map(([, version]) => version ?? '')
    .toSorted()
    .at(-1)

/** Loaded only for screens, keyboards and 3D, so never here. With what only they need, they are half of the bytes. */
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
    if (!(await hasApt(setup.path))) throw new Error('this machine does not run Debian')
    const worksIn = (root: string) => runs([join(root, 'bin/ffmpeg'), '-version'])
    // Should a release need one of these after all, the second attempt fetches everything.
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
    throw new Error('the packaged ffmpeg does not run on this machine')
  },
}

const pythonIn = (root: string) => join(root, 'bin/python3')
const hasPython = (root: string) =>
  runs([pythonIn(root), '-c', 'import ssl, sys; sys.exit(sys.version_info < (3, 10))'])

/** The Python that was unpacked earlier; `undefined`: there is none that runs. */
export async function ownPython(tools_dir: string): Promise<string | undefined> {
  const root = join(tools_dir, 'python-package')
  return (await firstOf([pythonIn(root)])) && (await hasPython(root)) ? pythonIn(root) : undefined
}

async function fetchPython({ tools_dir, path, tell, packages: sources }: Setup): Promise<string> {
  if (!(await hasApt(path))) throw new Error('this machine has no Python 3.10 or newer')
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
    if (!(await hasPython(root))) throw new Error('the packaged Python is too old or does not run on this machine')
    await intoPlace(root, join(tools_dir, 'python-package'), hasPython)
  })
  return pythonIn(join(tools_dir, 'python-package'))
}

/** Slim images have no certificate authorities, without which https does not work. */
const certificates = `[ -e /etc/ssl/certs/ca-certificates.crt ] || export SSL_CERT_FILE="$root/bin-certificates.pem"`

/** Writes scripts into `root`/bin that start the programs with the libraries in `root`, wherever it is moved. */
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

/** Moves `root` into its place in one step. If another process has put a working copy there, that one stays. */
async function intoPlace(root: string, target: string, works: (root: string) => Promise<boolean>): Promise<void> {
  if (await works(target)) return
  await mkdir(dirname(target), { recursive: true })
  await rm(target, { recursive: true, force: true })
  await rename(root, target).catch(async cause => {
    if (!(await works(target))) throw cause
  })
}
