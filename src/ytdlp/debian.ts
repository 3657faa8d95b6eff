/**
 * yt-dlp and ffmpeg from the system's packages, where the system is of Debian's family.
 * yt-dlp is plain Python, so the newest package runs on older systems too: it is unpacked into a folder of ours,
 * with lists of ours, and nothing of the system changes. apt checks the signature as always.
 */
import { mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { firstOf, onPath } from './machine.ts'
import { aside, type Own, ownCopy } from './own-copy.ts'
import type { Place } from './tools.ts'

const step_ms = 3 * 60_000
const keyrings = ['/usr/share/keyrings/debian-archive-keyring.gpg', '/usr/share/keyrings/debian-archive-keyring.pgp']

export const packagedYtdlp = {
  name: "Debian's package",

  async own({ tools_dir, python }: Place): Promise<Own | undefined> {
    const root = join(tools_dir, 'yt-dlp-package')
    const script = join(root, 'usr/bin/yt-dlp')
    // Not `python -m`: that would also look for modules in the folder we download into.
    const PYTHONPATH = join(root, 'usr/lib/python3/dist-packages')
    return python ? await ownCopy(script, [python, script], { PYTHONPATH }) : undefined
  },

  async fetch(place: Place) {
    const { tools_dir, path, python } = place
    if (!python) throw new Error('there is no Python 3.10 or newer')
    if (!(await hasApt(path))) throw new Error('this is not a Debian')
    const keyring = await firstOf(keyrings)
    if (!keyring) throw new Error('the keys of Debian are not on this machine')
    const mirror = mirrorOf(await sources())
    if (!mirror) throw new Error('the package sources of this machine name no mirror of Debian')
    await aside(tools_dir, async folder => {
      const env = { PATH: path, LANG: 'C.UTF-8', APT_CONFIG: await privateApt(folder, mirror, keyring) }
      const apt = (...args: string[]) =>
        execa('apt-get', ['-q', ...args], { cwd: folder, env, stdin: 'ignore', timeout: step_ms })
      await apt('update')
      await apt('download', 'yt-dlp')
      const file = (await readdir(folder)).find(name => name.endsWith('.deb'))
      if (!file) throw new Error('apt-get fetched nothing')
      await execa('dpkg-deb', ['-x', file, 'root'], { cwd: folder, env, stdin: 'ignore', timeout: step_ms })
      // Packages keep the times of their making; how fresh our copy is counts from now.
      await utimes(join(folder, 'root/usr/bin/yt-dlp'), new Date(), new Date())
      // Another process may have fetched it at the same time, and be using it.
      if ((await packagedYtdlp.own(place))?.is_fresh) return
      await rm(join(tools_dir, 'yt-dlp-package'), { recursive: true, force: true })
      await rename(join(folder, 'root'), join(tools_dir, 'yt-dlp-package'))
    })
  },
}

export const systemFfmpeg = {
  name: "the system's package",

  async fetch({ path }: Place) {
    if (!(await hasApt(path))) throw new Error('this is not a Debian')
    if (userInfo().uid !== 0) throw new Error('only root may install packages')
    const env = { DEBIAN_FRONTEND: 'noninteractive' }
    const options = { env, stdin: 'ignore', timeout: 2 * step_ms } as const
    const install = ['install', '-y', '-q', '--no-install-recommends', 'ffmpeg']
    await execa('apt-get', install, options).catch(async () => {
      await execa('apt-get', ['update', '-q'], options)
      await execa('apt-get', install, options)
    })
  },
}

export const hasApt = async (path: string): Promise<boolean> =>
  (await onPath('apt-get', path)) !== undefined && (await onPath('dpkg-deb', path)) !== undefined

/** apt's state in a folder of ours: works without root, and leaves the system's lists alone. */
async function privateApt(folder: string, mirror: string, keyring: string): Promise<string> {
  for (const part of ['lists/partial', 'cache/archives/partial']) await mkdir(join(folder, part), { recursive: true })
  await writeFile(join(folder, 'status'), '')
  await writeFile(join(folder, 'sid.list'), `deb [signed-by=${keyring}] ${mirror} sid main\n`)
  const file = join(folder, 'apt.conf')
  const settings = {
    'Dir::Etc::sourcelist': join(folder, 'sid.list'),
    'Dir::Etc::sourceparts': '-',
    'Dir::State::lists': join(folder, 'lists'),
    'Dir::State::status': join(folder, 'status'),
    'Dir::Cache': join(folder, 'cache'),
    'Acquire::Languages': 'none',
    'Acquire::http::Timeout': '20',
    'APT::Sandbox::User': '',
  }
  await writeFile(
    file,
    Object.entries(settings)
      .map(([name, value]) => `${name} "${value}";\n`)
      .join(''),
  )
  return file
}

/** Both kinds of source files this system has. */
async function sources(): Promise<string[]> {
  const parts = await readdir('/etc/apt/sources.list.d').catch(() => [])
  const files = parts.filter(name => /\.(list|sources)$/.test(name)).map(name => `/etc/apt/sources.list.d/${name}`)
  const texts = ['/etc/apt/sources.list', ...files].map(file => readFile(file, 'utf8').catch(() => ''))
  return Promise.all(texts)
}

/** The mirror this system uses itself, from one-line (`deb … http://…`) or deb822 (`URIs: …`) sources. */
export function mirrorOf(texts: string[]): string | undefined {
  const lines = texts.flatMap(text => text.split('\n')).filter(line => /^(deb\s|uris:)/i.test(line))
  const uris = lines.flatMap(line => line.match(/https?:\/\/[^\s\]]+/g) ?? [])
  return uris.map(uri => uri.replace(/\/+$/, '')).find(uri => uri.endsWith('/debian'))
}
