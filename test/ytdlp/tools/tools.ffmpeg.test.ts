/** Debian's packages unpacked into the data folder, from a repository of our own. Left out where there is no apt. */
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { env, execPath, getuid } from 'node:process'
import { execa } from 'execa'
import { beforeEach, describe, expect, it } from 'vitest'
import { bytesOf, hasApt } from '../../../src/ytdlp/tools/apt.ts'
import { onPath } from '../../../src/ytdlp/tools/machine.ts'
import { repositoryOf, type TestPackage } from '../../support/process/packages.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const machine_path = env.PATH ?? ''
const debian = await hasApt(machine_path)

/**
 * An ffmpeg that runs only when it finds its library. It wants a libc and a part for screens, and the repository has neither.
 */
const program = (name: string) => `#!/bin/sh
case "$LD_LIBRARY_PATH" in */usr/lib/plugins*) echo ${name} version 8 ;; *) exit 1 ;; esac\n`
const ffmpeg: TestPackage[] = [
  {
    name: 'ffmpeg',
    depends: 'libc6, libframes',
    files: {
      'usr/bin/ffmpeg': program('ffmpeg'),
      'usr/bin/ffprobe': program('ffprobe'),
      'usr/share/doc/ffmpeg/x': 'x',
    },
  },
  { name: 'libframes', depends: 'libglx-mesa0', files: { 'usr/lib/plugins/libframes.so.1': 'frames' } },
]

describe.runIf(debian)('ffmpeg from packages', () => {
  let place: string
  let path: string

  beforeEach(async () => {
    place = newFolder()
    await chmod(place, 0o777)
    // What a bare machine has, and a yt-dlp; no ffmpeg.
    path = join(place, 'bin')
    await mkdir(path)
    for (const name of ['sh', 'apt-get', 'dpkg', 'dpkg-deb', 'tar', 'gzip', 'xz', 'rm']) {
      const found = await onPath(name, machine_path)
      if (found) await symlink(found, join(path, name))
    }
    await writeFile(join(path, 'yt-dlp'), '#!/bin/sh\necho 2026.08.19\n', { mode: 0o755 })
  })

  const find = async (packages: string[], user: string[] = []) => {
    const wanted = JSON.stringify({ path, data_dir: join(place, 'data'), packages })
    const command = [...user, execPath, 'test/support/process/find-tools.ts', wanted]
    const { stdout } = await execa(command[0] ?? '', command.slice(1), { reject: false })
    return JSON.parse(stdout)
  }
  const nobody = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups']

  it.each([['this user', []], ...(getuid?.() === 0 ? [['a user without rights', nobody] as [string, string[]]] : [])])(
    'ffmpeg is unpacked into the data folder with its libraries, and nothing is installed, as %s',
    async (_, user) => {
      const source = await repositoryOf(join(place, 'repository'), ffmpeg)
      const installed = await readFile('/var/lib/dpkg/status', 'utf8')

      const found = await find([source], user)

      const root = join(place, 'data/tools/ffmpeg-package')
      expect(found).toMatchObject({ ffmpeg: join(root, 'bin/ffmpeg'), ffprobe: join(root, 'bin/ffprobe') })
      expect(await readFile('/var/lib/dpkg/status', 'utf8')).toBe(installed)
      expect(await readdir(join(place, 'data/tools'))).toEqual(['ffmpeg-package'])
    },
  )

  it('ffmpeg is fetched once by two processes at the same time, complete, and runs through a symbolic link too', async () => {
    const source = await repositoryOf(join(place, 'repository'), ffmpeg)

    const found = await Promise.all([find([source]), find([source])])

    expect(found[0]).toMatchObject({ ffmpeg: join(place, 'data/tools/ffmpeg-package/bin/ffmpeg') })
    expect(found[1]).toEqual(found[0])
    expect(await readdir(join(place, 'data/tools'))).toEqual(['ffmpeg-package'])
    const link = join(place, 'ffprobe')
    await symlink(found[0].ffprobe, link)
    expect((await execa(link)).stdout).toBe('ffprobe version 8')
  })

  it('a missing ffmpeg is reported with what to do when the packages cannot be fetched', async () => {
    expect(await find([`deb [trusted=yes] file:${place}/nowhere ./`])).toEqual({
      missing: expect.stringMatching(
        /^ffmpeg is not installed and could not be fetched\. Run "sudo apt-get install ffmpeg"/,
      ),
    })
    expect(await readdir(join(place, 'data/tools'))).toEqual([])
  })
})

it('the bytes that apt would fetch are added up', () => {
  const uris = `Reading package lists...\n'http://d.example/a.deb' a_1.deb 1200 SHA256:0\n'http://d.example/b.deb' b.deb 34 MD5Sum:1\n`
  expect(bytesOf(uris)).toBe(1234)
})
