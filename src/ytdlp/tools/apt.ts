/**
 * Fetches Debian packages and unpacks them into a folder. Installs nothing and needs no root. apt works with private lists, a
 * private cache and a private package state, and checks Debian's signature as usual.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { firstOf, onPath } from './machine.ts'

type PackageRequest = {
  name: string
  /**
   * `system`: the release of this machine, so that libraries fit its libc, with all dependencies. `sid`: the newest package alone, for
   * plain Python.
   */
  from: 'system' | 'sid'
  /** Lines of a sources.list, instead of the mirrors this machine uses. */
  sources?: string[] | undefined
  /** Dependencies to leave out, with everything that only they need. */
  without?: string[]
  /** Ends the programs that fetch. */
  signal?: AbortSignal | undefined
}

const step_ms = 3 * 60_000
const max_packages_bytes = 400e6
const keyrings = ['/usr/share/keyrings/debian-archive-keyring.gpg', '/usr/share/keyrings/debian-archive-keyring.pgp']

/** Unpacks the packages into `folder`/root and returns that path. Throws a sentence when it cannot. */
export async function unpackPackages(folder: string, path: string, request: PackageRequest): Promise<string> {
  const env = { PATH: path, LANG: 'C.UTF-8', APT_CONFIG: await privateApt(folder, path, request) }
  const { signal } = request
  const ends = { timeout: step_ms, ...(signal && { cancelSignal: signal }) }
  const options = { cwd: folder, env, extendEnv: false, stdin: 'ignore', ...ends } as const
  await execa('apt-get', ['-q', 'update'], options)
  const install = ['-q', '-y', '--no-install-recommends', 'install', request.name]
  const archives = join(folder, 'cache/archives')
  if (request.from === 'system') {
    const { stdout } = await execa('apt-get', ['--print-uris', ...install], options)
    const bytes = bytesOf(stdout)
    if (bytes > max_packages_bytes) throw new Error(`the packages are too large: ${Math.round(bytes / 1e6)} MB`)
    await execa('apt-get', ['--download-only', ...install], options)
  } else await execa('apt-get', ['-q', 'download', request.name], { ...options, cwd: archives })

  const root = join(folder, 'root')
  await mkdir(root)
  const files = (await readdir(archives)).filter(name => name.endsWith('.deb'))
  if (files.length === 0) throw new Error('apt-get fetched nothing')
  for (const file of files) await execa('dpkg-deb', ['-x', join(archives, file), root], options)
  for (const name of ['doc', 'man', 'locale', 'lintian', 'bug'])
    await rm(join(root, 'usr/share', name), { recursive: true, force: true })
  return root
}

/** The sum of what `--print-uris` lists: `'address' file bytes hash`. */
export const bytesOf = (uris: string): number =>
  [...uris.matchAll(/^'[^']+' \S+ (\d+)/gm)].reduce((sum, [, bytes]) => sum + Number(bytes), 0)

export const hasApt = async (path: string): Promise<boolean> =>
  (await onPath('apt-get', path)) !== undefined && (await onPath('dpkg-deb', path)) !== undefined

async function privateApt(folder: string, path: string, request: PackageRequest): Promise<string> {
  if (!(await hasApt(path))) throw new Error('this machine does not run Debian')
  const sources = request.sources ?? (await sourcesOf(request.from))
  for (const part of ['lists/partial', 'cache/archives/partial', 'state'])
    await mkdir(join(folder, part), { recursive: true })
  await writeFile(join(folder, 'sources.list'), sources.map(line => `${line}\n`).join(''))
  // The libc is the machine's own, because the loader belongs to it. Other packages of the machine may be removed one day.
  const not_needed = ['libc6', ...(request.without ?? [])]
  await writeFile(join(folder, 'status'), not_needed.map(asInstalled).join('\n'))
  const settings = {
    'Dir::Etc::sourcelist': join(folder, 'sources.list'),
    'Dir::Etc::sourceparts': '-',
    'Dir::State': join(folder, 'state'),
    'Dir::State::lists': join(folder, 'lists'),
    'Dir::State::status': join(folder, 'status'),
    'Dir::Cache': join(folder, 'cache'),
    'Acquire::Languages': 'none',
    'Acquire::http::Timeout': '20',
    'Acquire::Retries': '2',
    'APT::Sandbox::User': '',
    // Nothing is installed, so the lock of the system's packages is not needed.
    'Debug::NoLocking': 'true',
  }
  const file = join(folder, 'apt.conf')
  const lines = Object.entries(settings).map(([name, value]) => `${name} "${value}";\n`)
  await writeFile(file, lines.join(''))
  return file
}

/** The mirrors that this machine already uses. Security fixes come from a separate mirror. */
async function sourcesOf(from: PackageRequest['from']): Promise<string[]> {
  const keyring = await firstOf(keyrings)
  if (!keyring) throw new Error("Debian's keys are not on this machine")
  const deb = `deb [signed-by=${keyring}]`
  const texts = await sourceFiles()
  const mirror = mirrorOf(texts)
  if (!mirror) throw new Error('the package sources of this machine name no Debian mirror')
  if (from === 'sid') return [`${deb} ${mirror} sid main`]
  const release = /^VERSION_CODENAME=(\w+)/m.exec(await readFile('/etc/os-release', 'utf8').catch(() => ''))?.[1]
  if (!release) throw new Error('the Debian release of this machine is unknown')
  const security = mirrorOf(texts, '/debian-security')
  return [`${deb} ${mirror} ${release} main`, ...(security ? [`${deb} ${security} ${release}-security main`] : [])]
}

/** The Debian mirror that this machine uses; `undefined`: its sources name none. */
export const systemMirror = async (): Promise<string | undefined> => mirrorOf(await sourceFiles())

/** The text of all source files of this system, in both formats. */
async function sourceFiles(): Promise<string[]> {
  const parts = await readdir('/etc/apt/sources.list.d').catch(() => [])
  const files = parts.filter(name => /\.(list|sources)$/.test(name)).map(name => `/etc/apt/sources.list.d/${name}`)
  return Promise.all(['/etc/apt/sources.list', ...files].map(file => readFile(file, 'utf8').catch(() => '')))
}

/** The first mirror in one-line (`deb … http://…`) or deb822 (`URIs: …`) sources. */
export function mirrorOf(texts: string[], ending = '/debian'): string | undefined {
  const lines = texts.flatMap(text => text.split('\n')).filter(line => /^(deb\s|uris:)/i.test(line))
  const uris = lines.flatMap(line => line.match(/https?:\/\/[^\s\]]+/g) ?? [])
  return uris.map(uri => uri.replace(/\/+$/, '')).find(uri => uri.endsWith(ending))
}

/** Makes apt count a package as installed, in a version that satisfies every dependency. */
const asInstalled = (name: string): string =>
  `Package: ${name}\nStatus: install ok installed\nArchitecture: all\nMulti-Arch: foreign\nVersion: 99:0\nMaintainer: none\nDescription: not needed\n`
