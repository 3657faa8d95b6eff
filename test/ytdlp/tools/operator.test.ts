/** What YTDLP_CONFIG and YTDLP_PLUGINS may name. */
import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { readOperator } from '../../../src/ytdlp/tools/operator.ts'
import { newFolder } from '../../support/run/new-folder.ts'

let folder = ''
beforeEach(async () => {
  folder = newFolder()
})

async function written(name: string, text: string | Uint8Array): Promise<string> {
  await writeFile(join(folder, name), text)
  return join(folder, name)
}

/** A folder of plugins with these files. */
async function plugins(...names: string[]): Promise<string> {
  for (const name of names) {
    await mkdir(join(folder, 'plugins', name, '..'), { recursive: true })
    await writeFile(join(folder, 'plugins', name), '', { mode: 0o644 })
  }
  await mkdir(join(folder, 'plugins'), { recursive: true })
  return join(folder, 'plugins')
}

const cookie = 'example.org\tFALSE\t/\tFALSE\t0\tsession\tabc'

it('without the variables there is nothing to add', async () => {
  expect(await readOperator({})).toBeUndefined()
})

describe('YTDLP_CONFIG', () => {
  it('has options, and cookies whose path begins at its own folder', async () => {
    await written('my cookies.txt', `\ufeff# Netscape HTTP Cookie File\r\n${cookie}\r\n`)
    const YTDLP_CONFIG = await written('yt-dlp.conf', '-r 1M\n--cookies "my cookies.txt"\n')
    const before = await stat(join(folder, 'my cookies.txt'))

    expect(await readOperator({ YTDLP_CONFIG })).toEqual({
      options: [{ name: '--limit-rate', value: '1M' }],
      cookies: `# Netscape HTTP Cookie File\r\n${cookie}\r\n`,
      plugins: undefined,
    })
    expect((await stat(join(folder, 'my cookies.txt'))).mtimeMs).toBe(before.mtimeMs)
  })

  it.each([
    ['no file', 'yt-dlp.conf', undefined, 'is no file'],
    ['a folder', '.', undefined, 'is no file'],
    ['a file that is too large', 'yt-dlp.conf', ' '.repeat(1024 * 1024 + 1), 'is no file of at most 1 MB'],
    ['a file that is not UTF-8', 'yt-dlp.conf', Buffer.from([0x2d, 0xff]), 'is not a text in UTF-8'],
    ['a refused option', 'yt-dlp.conf', '--exec id', 'has --exec, which is not passed on'],
    ['a pause as long as a hung download', 'yt-dlp.conf', '--sleep-interval 120', 'Set less than 120 seconds.'],
    ['a silence after a failure', 'yt-dlp.conf', '--retry-sleep http:300', 'has --retry-sleep http:300'],
    ['a connection that stays silent', 'yt-dlp.conf', '--socket-timeout 120', 'has --socket-timeout 120'],
    ['cookies that are missing', 'yt-dlp.conf', '--cookies nowhere.txt', '--cookies in YTDLP_CONFIG names'],
    ['cookies in JSON', 'yt-dlp.conf', '--cookies yt-dlp.conf', 'has no cookie in the form of Netscape'],
  ])('stops the start with a sentence for %s', async (_, name, text, why) => {
    if (text !== undefined) await written(name, text)

    const reading = readOperator({ YTDLP_CONFIG: join(folder, name) })

    await expect(reading).rejects.toThrow(why)
    await expect(reading).rejects.toThrow(/YTDLP_CONFIG .*\.$/)
  })
})

describe('pauses after failures', () => {
  const read = async (text: string) => {
    const YTDLP_CONFIG = await written('yt-dlp.conf', text)
    return readOperator({ YTDLP_CONFIG })
  }

  it.each([
    '120',
    'http:120.5',
    'fragment:exp=1',
    'exp=100:200',
    'linear=30',
    'linear=1::30',
    '7 --retries infinite --retry-sleep linear=1',
  ])('that grow to two minutes are refused: %s', async text => {
    await expect(read(`--retry-sleep ${text}`)).rejects.toThrow(/YTDLP_CONFIG has --retry-sleep .*\.$/)
  })

  it.each([
    '119',
    'extractor:5',
    'fragment:exp=1:20',
    'exp=1',
    'exp=50::0.5',
    'linear=1::2',
    'linear=1::2 --retries 10',
    'exp=9::1 --retries infinite',
    'file_access:exp=1 --retries infinite',
    'linear=5 --retries 0',
  ])('that stay shorter are passed on: %s', async text => {
    expect((await read(`--retry-sleep ${text}`))?.options[0]?.name).toBe('--retry-sleep')
  })
})

describe('YTDLP_PLUGINS', () => {
  it('has packages as folders and as archives, which are named', async () => {
    const YTDLP_PLUGINS = await plugins(
      'b/yt_dlp_plugins/extractor/b.py',
      'a.zip',
      'c.whl',
      'README.md',
      'not-one/extractor/d.py',
    )

    expect(await readOperator({ YTDLP_PLUGINS })).toMatchObject({
      options: [],
      plugins: { folder: YTDLP_PLUGINS, packages: ['a.zip', 'b', 'c.whl'] },
    })
  })

  it('has to be a folder with plugins', async () => {
    await expect(readOperator({ YTDLP_PLUGINS: join(folder, 'nowhere') })).rejects.toThrow('is not a folder')
    await expect(readOperator({ YTDLP_PLUGINS: await written('file', '') })).rejects.toThrow('is not a folder')
    // The folder of one plugin in place of the folder that has it.
    await expect(readOperator({ YTDLP_PLUGINS: await plugins('yt_dlp_plugins/extractor/a.py') })).rejects.toThrow(
      'has no plugin',
    )
  })

  it.skipIf(process.platform === 'win32').each([
    ['the folder', '', 0o777],
    ['a package', 'a', 0o757],
    ['a file', 'a/yt_dlp_plugins/extractor/a.py', 0o646],
  ])('stops the start when others can write %s', async (_, name, mode) => {
    const YTDLP_PLUGINS = await plugins('a/yt_dlp_plugins/extractor/a.py')
    await chmod(join(YTDLP_PLUGINS, name), mode)

    await expect(readOperator({ YTDLP_PLUGINS })).rejects.toThrow(
      `YTDLP_PLUGINS has ${join(YTDLP_PLUGINS, name)}, which another user can change.`,
    )
  })

  it.skipIf(process.platform === 'win32')('are looked at behind links, as yt-dlp follows them', async () => {
    const YTDLP_PLUGINS = await plugins()
    const elsewhere = join(folder, 'elsewhere')
    await mkdir(join(elsewhere, 'yt_dlp_plugins'), { recursive: true })
    await symlink(elsewhere, join(YTDLP_PLUGINS, 'linked'))
    await symlink(YTDLP_PLUGINS, join(elsewhere, 'around'))
    expect((await readOperator({ YTDLP_PLUGINS }))?.plugins?.packages).toEqual(['linked'])

    await writeFile(join(elsewhere, 'yt_dlp_plugins', 'a.py'), '')
    await chmod(join(elsewhere, 'yt_dlp_plugins', 'a.py'), 0o646)
    await expect(readOperator({ YTDLP_PLUGINS })).rejects.toThrow(
      `YTDLP_PLUGINS has ${join(YTDLP_PLUGINS, 'linked/yt_dlp_plugins/a.py')}, which another user can change.`,
    )
  })

  it.runIf(process.getuid?.() === 0)('stops the start when a file belongs to another user', async () => {
    const YTDLP_PLUGINS = await plugins('a/yt_dlp_plugins/extractor/a.py')
    const { chown } = await import('node:fs/promises')
    await chown(join(YTDLP_PLUGINS, 'a/yt_dlp_plugins/extractor/a.py'), 1234, 1234)

    await expect(readOperator({ YTDLP_PLUGINS })).rejects.toThrow('another user can change')
    expect(await readFile(join(YTDLP_PLUGINS, 'a/yt_dlp_plugins/extractor/a.py'), 'utf8')).toBe('')
  })
})
