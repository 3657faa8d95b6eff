/**
 * yt-dlp and ffmpeg from Debian's packages, unpacked into the data folder. This changes nothing on the system and needs no rights. yt-dlp
 * is plain Python, so its newest package runs on older systems too, with their Python; ffmpeg comes from the release that this machine
 * runs.
 */
import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { hasApt, systemMirror, unpackPackages } from './apt.ts'
import { runs, type Setup } from './machine.ts'
import { aside } from './versions.ts'

export const packagedYtdlp = {
  name: "Debian's package",

  /** Read from the mirror's list of files; `undefined`: the mirror shows none, and only apt can find the version. */
  async latest({ packages, python }: Setup): Promise<string | undefined> {
    if (!python) throw new Error('this machine has no Python 3.10 or newer')
    const mirror = packages ? undefined : await systemMirror()
    if (!mirror) return undefined
    const response = await fetch(`${mirror}/pool/main/y/yt-dlp/`, { signal: AbortSignal.timeout(20_000) }).catch(
      () => {},
    )
    return response?.ok ? newestIn(await response.text()) : undefined
  },

  /** Unpacks it into `folder`. apt checks Debian's signature. */
  async fetch({ tools_dir, path, packages: sources, signal }: Setup, folder: string): Promise<void> {
    await aside(tools_dir, async apt_folder => {
      await rm(folder, { recursive: true })
      await rename(await unpackPackages(apt_folder, path, { name: 'yt-dlp', from: 'sid', sources, signal }), folder)
    })
  },
}

/** The newest of the files like `yt-dlp_2026.10.26-1_all.deb`, counting those of sid alone. */
const newestIn = (listing: string): string | undefined =>
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
        const { packages: sources, signal } = setup
        const request = { name: 'ffmpeg', from: 'system', without, sources, signal } as const
        const root = await unpackPackages(folder, setup.path, request)
        await wrap(root)
        if (await worksIn(root)) await intoPlace(root, join(setup.tools_dir, 'ffmpeg-package'), worksIn)
      })
      if (await worksIn(join(setup.tools_dir, 'ffmpeg-package'))) return
    }
    throw new Error('the packaged ffmpeg does not run on this machine')
  },
}

/** Writes scripts into `root`/bin that start ffmpeg and ffprobe with the libraries in `root`, wherever it is moved. */
async function wrap(root: string): Promise<void> {
  const files = await readdir(root, { recursive: true, withFileTypes: true })
  const libraries = files
    .filter(({ name }) => /^lib.*\.so(\.|$)/.test(name))
    .map(file => relative(root, file.parentPath))
  const search = [...new Set(libraries)].toSorted().map(folder => `$root/${folder}`)
  await mkdir(join(root, 'bin'), { recursive: true })
  for (const name of ['ffmpeg', 'ffprobe']) {
    const script = [
      '#!/bin/sh',
      `root=\${0%/*}/..`,
      // Through a symbolic link, $0 is the path of the link.
      `[ -L "$0" ] && self=$(readlink -f "$0") && root=\${self%/*}/..`,
      `export LD_LIBRARY_PATH="${search.join(':')}"`,
      `exec "$root/usr/bin/${name}" "$@"`,
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
