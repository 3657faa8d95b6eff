/** yt-dlp renewed from a host of our own: signature, self-test, switch, and the way back. */
import { mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import { env, kill } from 'node:process'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { no_renewal, type Renewal } from '../../../src/schema/service/renewal.ts'
import type { Tools } from '../../../src/ytdlp/process/programs.ts'
import type { ToolOptions } from '../../../src/ytdlp/tools/machine.ts'
import { requireSignature, ytdlp_key, ytdlpAsset } from '../../../src/ytdlp/tools/release.ts'
import { findTools, renewTools, rollBackTools, setupOf } from '../../../src/ytdlp/tools/tools.ts'
import { alone, folderOf, readRenewal, removeOld, writeRenewal } from '../../../src/ytdlp/tools/versions.ts'
import {
  brokenYtdlp,
  openReleaseHost,
  passingYtdlp,
  type ReleaseHost,
  type SigningKey,
  signatureOf,
  signingKey,
  ytdlpCalled,
} from '../../support/process/release-host.ts'
import { toolsForTests } from '../../support/process/tools.ts'
import { newFolder } from '../../support/run/new-folder.ts'

let host: ReleaseHost
let key: SigningKey
let data_dir: string
let options: ToolOptions
let said: string[]
let real: Tools

beforeAll(async () => {
  real = toolsForTests()
  key = await signingKey()
})
beforeEach(async () => {
  host = await openReleaseHost()
  data_dir = newFolder()
  said = []
  const note = (message: string) => void said.push(message)
  options = {
    // No apt in here, so that nothing but the host is asked.
    path: join(data_dir, 'bin'),
    ffmpeg_path: real.ffmpeg,
    data_dir,
    releases: { ytdlp: host.url, ffmpeg: 'http://127.0.0.1:9' },
    trusted_key: key.public_key,
    log: { info: note, warn: note },
  }
  onTestFinished(host.close)
})

const toolsKept = () => readdir(tools_dir())

const renew = async () => {
  const renewed = await renewTools(await setupOf(options))
  expect(renewed).not.toBe('busy')
  return renewed as Renewal
}
const versionFound = async () => {
  const found = await findTools({ ...options, fetch: false })
  return 'missing' in found ? found.missing : found.ytdlp.version
}
const publish = (version: string) => host.publish(version, passingYtdlp(version), key)
const tools_dir = () => join(data_dir, 'tools')

it('two first starts at the same time fetch the official release once, and the next start uses it without a request', async () => {
  await publish('2026.10.01')

  const found = await Promise.all([findTools(options), findTools(options)])
  const asked = host.requests.length
  const next = await findTools(options)

  expect(found).toMatchObject(Array(2).fill({ ytdlp: { version: '2026.10.01', source: 'own' } }))
  expect(said).toContainEqual('Installed yt-dlp 2026.10.01. It passed its self-test.')
  expect(host.requests.filter(request => request.endsWith('/yt-dlp'))).toHaveLength(1)
  expect(next).toEqual(found[0])
  expect(host.requests).toHaveLength(asked)
  expect(await toolsKept()).toEqual(['yt-dlp'])
})

it('a machine without a Python gets the binary, which contains its own, and no Python', async () => {
  const binary = ytdlpAsset(platform(), arch(), false)?.name ?? ''
  // In the place of the binary: a file that can be started.
  const setup = await setupOf(options)
  await host.publish('2026.10.01', `#!${setup.python}\n${passingYtdlp('2026.10.01')}`, key, binary)

  const renewed = await renewTools({ ...setup, python: undefined })

  expect(renewed).toMatchObject({ outcome: 'switched', current: '2026.10.01' })
  expect(await versionFound()).toBe('2026.10.01')
  expect(await toolsKept()).toEqual(['yt-dlp'])
})

it('a machine without a Python does not ask Debian for a yt-dlp that could not run', async () => {
  host.close()

  const renewed = await renewTools({ ...(await setupOf(options)), python: undefined })

  const problem = expect.stringContaining("Debian's package: this machine has no Python 3.10 or newer")
  expect(renewed).toMatchObject({ outcome: 'failed', problem })
})

it('a stop ends the program that fetches, and nothing is fetched or said after that', async () => {
  const [bin, running] = [join(data_dir, 'bin'), join(data_dir, 'running')]
  await mkdir(bin)
  const apt = `#!/bin/sh\necho $$ > '${running}'\nexec sleep 600\n`
  for (const name of ['apt-get', 'dpkg-deb']) await writeFile(join(bin, name), apt, { mode: 0o755 })
  const stop = new AbortController()
  const setup = await setupOf({ ...options, packages: ['deb nowhere'], path: `${bin}:${env.PATH}` })
  const renewing = renewTools({ ...setup, signal: stop.signal })
  renewing.catch(() => {})
  const pid = await vi.waitFor(async () => Number.parseInt(await readFile(running, 'utf8'), 10))
  const before = [...said]

  stop.abort()

  await expect(renewing).rejects.toThrow('aborted')
  expect(said).toEqual(before)
  expect(() => kill(pid, 0)).toThrow('ESRCH')
})

it('a Python that an earlier release kept is removed once no download can use it', async () => {
  await mkdir(join(tools_dir(), 'python-package'), { recursive: true })

  await removeOld(tools_dir(), no_renewal, new Date())
  expect(await toolsKept()).toEqual(['python-package'])
  await removeOld(tools_dir(), no_renewal, new Date(Date.now() + 5 * 3_600_000))
  expect(await toolsKept()).toEqual([])
})

describe('a renewal', () => {
  /** As an earlier renewal left it. */
  const has = async (version: string) => {
    await mkdir(folderOf(tools_dir(), version), { recursive: true })
    await writeFile(join(folderOf(tools_dir(), version), 'yt-dlp.pyz'), passingYtdlp(version))
  }
  beforeEach(async () => {
    await publish('2026.10.01')
    await has('2026.10.01')
    await writeRenewal(tools_dir(), { ...no_renewal, current: '2026.10.01' })
  })

  it('a renewal requests only the name of the latest version when that is in use', async () => {
    expect(await renew()).toMatchObject({
      outcome: 'up_to_date',
      current: '2026.10.01',
      checked_at: expect.any(String),
    })
    expect(host.requests).toEqual(['HEAD /latest'])
  })

  it('a newer version is used after it passed its test, and the previous one is kept', async () => {
    await has('2026.09.01')
    await writeRenewal(tools_dir(), { ...no_renewal, current: '2026.10.01', previous: '2026.09.01' })
    await publish('2026.11.01')

    const state = await renew()

    expect(state).toMatchObject({ outcome: 'switched', current: '2026.11.01', previous: '2026.10.01', problem: null })
    expect(await versionFound()).toBe('2026.11.01')
    const kept = async () => (await readdir(join(tools_dir(), 'yt-dlp'))).toSorted()
    // The oldest one stays for running downloads for some hours.
    expect(await kept()).toEqual(['2026.09.01', '2026.10.01', '2026.11.01', 'state.json'])
    expect(said).toContainEqual('Switched from yt-dlp 2026.10.01 to 2026.11.01. It passed its self-test.')
    await removeOld(tools_dir(), state, new Date(Date.now() + 5 * 3_600_000))
    expect(await kept()).toEqual(['2026.10.01', '2026.11.01', 'state.json'])
  })

  /** Renews, and keeps what it has. */
  async function expectRefused(why: string) {
    const state = await renew()
    expect(state).toMatchObject({ outcome: 'failed', current: '2026.10.01', problem: expect.stringContaining(why) })
    expect(await versionFound()).toBe('2026.10.01')
    expect(said).toContainEqual(expect.stringContaining(why))
    expect(await toolsKept()).toEqual(['yt-dlp'])
  }

  it.each<[string, string, (version: string) => Promise<void>]>([
    ['which is an older one', 'contains version', version => host.publish(version, passingYtdlp('2026.09.01'), key)],
    ['which does not run', 'does not run', version => host.publish(version, 'exit(1)', key)],
    [
      'signed with another key',
      "not signed with yt-dlp's key",
      async version => host.publish(version, passingYtdlp(version), await signingKey()),
    ],
    [
      'whose checksums changed after they were signed',
      "not signed with yt-dlp's key",
      async version => {
        await publish(version)
        host.files.set(`/download/${version}/SHA2-256SUMS`, `${'0'.repeat(64)}  yt-dlp\n`)
      },
    ],
    [
      'with a signature of something else',
      "not signed with yt-dlp's key",
      async version => {
        await publish(version)
        host.files.set(`/download/${version}/SHA2-256SUMS.sig`, await signatureOf('other sums', key))
      },
    ],
    [
      'with a signature that is none',
      'cannot be read',
      async version => {
        await publish(version)
        host.files.set(`/download/${version}/SHA2-256SUMS.sig`, 'signed, honestly')
      },
    ],
    [
      'without a signature',
      'answered 404',
      async version => {
        await publish(version)
        host.files.delete(`/download/${version}/SHA2-256SUMS.sig`)
      },
    ],
    [
      'that is not the file of the checksums',
      'not the file that was published',
      async version => {
        await publish(version)
        host.files.set(`/download/${version}/yt-dlp`, passingYtdlp(version).concat('# evil'))
      },
    ],
  ])('a renewal refuses a version %s, keeps the one in use, and says why', async (_, why, publishBad) => {
    await publishBad('2026.11.01')

    await expectRefused(why)
  })

  it('a renewal refuses a version which cannot download, and does not fetch it again within a day', async () => {
    await host.publish('2026.11.01', brokenYtdlp('2026.11.01'), key)
    await expectRefused('self-test')
    host.requests.length = 0

    expect(await renew()).toMatchObject({ outcome: 'up_to_date', current: '2026.10.01' })
    expect(host.requests).toEqual(['HEAD /latest'])
  })

  it.each([
    [
      'taken when it loads the plugins of the operator',
      'import yt_dlp',
      { outcome: 'switched', current: '2026.11.01' },
    ],
    [
      'not taken when it cannot load them',
      'from yt_dlp import gone',
      { outcome: 'failed', current: '2026.10.01', problem: expect.stringContaining('cannot be loaded by yt-dlp') },
    ],
  ])('a version is %s', async (_, code, state) => {
    const folder = join(data_dir, 'plugins')
    const extractor = join(folder, 'mine', 'yt_dlp_plugins', 'extractor')
    await mkdir(extractor, { recursive: true })
    await writeFile(join(extractor, 'mine.py'), code)
    // The film of the self-test would otherwise wait longer than the test may take.
    const sleeps = [{ name: '--sleep-interval', value: '60' }]
    options.readOperator = async () => ({ options: sleeps, plugins: { folder, packages: ['mine'] } })
    await host.publish('2026.11.01', ytdlpCalled('2026.11.01', real), key)

    expect(await renew()).toMatchObject(state)
  })

  it('a renewal reports that the host did not answer', async () => {
    host.close()
    expect(await renew()).toMatchObject({ outcome: 'failed', problem: expect.stringContaining('the official release') })
    expect(await versionFound()).toBe('2026.10.01')
  })

  it('a renewal that another process is doing is left to it', async () => {
    await alone(tools_dir(), async () => {
      expect(await renewTools(await setupOf(options))).toBe('busy')
    })
  })

  it('a renewal takes over from a process that died during it', async () => {
    const long_ago = new Date(Date.now() - 120_000)
    await symlink('/nowhere', join(tools_dir(), 'yt-dlp/other'))
    await alone(tools_dir(), async () => {
      await utimes(join(tools_dir(), 'yt-dlp/lock'), long_ago, long_ago)
      expect(await alone(tools_dir(), async () => 'mine')).toBe('mine')
    })
  })

  it('a return to the previous version refuses the worse one from then on, and takes the next', async () => {
    await publish('2026.11.01')
    await has('2026.11.01')
    await writeRenewal(tools_dir(), { ...no_renewal, current: '2026.11.01', previous: '2026.10.01' })

    const state = await rollBackTools(await setupOf(options), 'nothing worked')

    expect(state).toMatchObject({
      outcome: 'rolled_back',
      current: '2026.10.01',
      previous: null,
      rolled_back: { from: '2026.11.01', to: '2026.10.01', why: 'nothing worked' },
    })
    expect(await versionFound()).toBe('2026.10.01')
    expect(said).toContainEqual('Went back from yt-dlp 2026.11.01 to 2026.10.01: nothing worked')
    expect(await renew()).toMatchObject({ outcome: 'up_to_date', current: '2026.10.01' })
    await publish('2026.11.02')
    expect(await renew()).toMatchObject({ outcome: 'switched', current: '2026.11.02', previous: '2026.10.01' })
  })

  it('before the first switch there is no version to return to', async () => {
    expect(await rollBackTools(await setupOf(options), 'nothing worked')).toBeUndefined()
    expect(await readRenewal(tools_dir())).toMatchObject({ current: '2026.10.01', rolled_back: null })
  })
})

it('only a signature of yt-dlp’s own key is accepted', async () => {
  const { readKey } = await import('openpgp')
  expect((await readKey({ armoredKey: ytdlp_key })).getFingerprint()).toBe('ac0cbbe6848d6a873464af4e57cf65933b5a7581')
  const signature = await signatureOf('sums', key)
  await expect(requireSignature(Buffer.from('sums'), signature, ytdlp_key)).rejects.toThrow('not signed')
})
