/** Finding and fetching, with releases from a server of our own and scripts in the place of the tools. */
import { createHash } from 'node:crypto'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { arch, env, platform } from 'node:process'
import { execa } from 'execa'
import { beforeEach, describe, expect, it } from 'vitest'
import { no_renewal } from '../../../src/schema/service/renewal.ts'
import { onPath, type ToolOptions } from '../../../src/ytdlp/tools/machine.ts'
import { fetchVerified, ffmpegAsset, sumOf, ytdlpAsset } from '../../../src/ytdlp/tools/release.ts'
import { findTools } from '../../../src/ytdlp/tools/tools.ts'
import { folderOf, writeRenewal } from '../../../src/ytdlp/tools/versions.ts'
import { siteWith } from '../../support/media/feed-site.ts'
import { newFolder } from '../../support/run/new-folder.ts'

let place: string

beforeEach(async () => {
  place = newFolder()
})

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

/** A place for releases: what it does not have is 404. */
async function releases(files: Record<string, string | Buffer>): Promise<string> {
  const site = await siteWith((asked, reply) => {
    const body = files[(asked.url ?? '').slice(1)]
    reply.writeHead(body === undefined ? 404 : 200).end(body)
  })
  return site.url
}

/** A folder for PATH, with scripts that say a version. */
async function bin(name: string, programs: Record<string, string>): Promise<string> {
  const folder = join(place, name)
  await mkdir(folder, { recursive: true })
  for (const [program, says] of Object.entries(programs)) {
    await writeFile(join(folder, program), `#!/bin/sh\necho ${says}\n`)
    await chmod(join(folder, program), 0o755)
  }
  return folder
}

const ffmpegs = { ffmpeg: 'ffmpeg version 8', ffprobe: 'ffprobe version 8' }
const nothing = { ytdlp: 'http://127.0.0.1:9', ffmpeg: 'http://127.0.0.1:9' }
const find = (wanted: Partial<ToolOptions>) =>
  findTools({ path: '', data_dir: join(place, 'data'), releases: nothing, fetch: false, ...wanted })

describe('findTools', () => {
  it('says so where nothing can be written, instead of breaking off', async () => {
    const a_file = join(place, 'a-file')
    await writeFile(a_file, '')
    const found = await find({ path: await bin('bin', ffmpegs), data_dir: a_file, fetch: true })
    expect(found).toEqual({ missing: expect.stringContaining('yt-dlp is not installed and could not be fetched') })
  })

  /** A copy in the data folder, as a renewal leaves it. */
  async function own(version: string) {
    const folder = folderOf(join(place, 'data/tools'), version)
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'yt-dlp'), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 })
    await writeRenewal(join(place, 'data/tools'), { ...no_renewal, current: version })
  }

  it.each([
    ['our own copy before an equal one on PATH', '2026.10.01', '2026.10.01', 'own'],
    ['our own copy before an older one on PATH', '2026.10.01', '2026.08.19', 'own'],
    ['the one on PATH when it is newer than our own', '2026.10.01', '2026.11.01', 'path'],
    ['the one on PATH when our own has holes', '2026.01.01', '2026.08.19', 'path'],
  ])('takes %s', async (_, ours, on_path, source) => {
    await own(ours)
    const path = await bin('bin', { ...ffmpegs, 'yt-dlp': on_path })

    expect(await find({ path })).toMatchObject({ ytdlp: { source, version: source === 'own' ? ours : on_path } })
  })

  it('takes the one on PATH when it is new enough', async () => {
    const path = await bin('bin', { ...ffmpegs, 'yt-dlp': '2026.08.19' })

    expect(await find({ path })).toMatchObject({
      ytdlp: { command: [join(path, 'yt-dlp')], version: '2026.08.19' },
      ffmpeg: join(path, 'ffmpeg'),
      ffprobe: join(path, 'ffprobe'),
    })
  })

  it('takes the one that is named, however old', async () => {
    const path = await bin('bin', { ...ffmpegs, 'yt-dlp': '2026.08.19' })
    const named = join(await bin('named', { 'yt-dlp': '2023.03.04' }), 'yt-dlp')

    expect(await find({ path, ytdlp_path: named })).toMatchObject({ ytdlp: { version: '2023.03.04' } })
  })

  it('takes our copy of a package with its libraries when the file that we print is named', async () => {
    const [root, path] = [join(place, 'copy'), await bin('bin', ffmpegs)]
    const [program, library] = [join(root, 'usr/bin/yt-dlp'), join(root, 'usr/lib/python3/dist-packages')]
    for (const folder of [join(root, 'usr/bin'), library]) await mkdir(folder, { recursive: true })
    await writeFile(program, '#!/usr/bin/python3\nimport of_test\nprint(of_test.version)\n', { mode: 0o755 })
    await writeFile(join(library, 'of_test.py'), 'version = "2026.10.26"\n')

    const found = await find({ path, ytdlp_path: program })

    expect(found).toMatchObject({ ytdlp: { version: '2026.10.26', source: 'named' } })
  })

  it.each([
    ['nothing is there', {}, /yt-dlp is not installed.*YTDLP_PATH/],
    ['yt-dlp is too old', { ...ffmpegs, 'yt-dlp': '2023.03.04' }, /2023\.03\.04.*too old/],
    ['ffmpeg is missing', { 'yt-dlp': '2026.08.19' }, /ffmpeg is not installed.*FFMPEG_PATH/],
    ['ffprobe is missing', { 'yt-dlp': '2026.08.19', ffmpeg: 'x' }, /ffmpeg is not installed/],
  ])('says what to do when %s', async (_, programs, sentence) => {
    expect(await find({ path: await bin('bin', programs) })).toEqual({ missing: expect.stringMatching(sentence) })
  })

  it.each([
    ['ytdlp_path', /^YTDLP_PATH is \/nowhere/],
    ['ffmpeg_path', /^FFMPEG_PATH is \/nowhere/],
  ])('says so when what %s names does not run', async (name, sentence) => {
    const path = await bin('bin', { ...ffmpegs, 'yt-dlp': '2026.08.19' })

    expect(await find({ path, [name]: '/nowhere' })).toEqual({ missing: expect.stringMatching(sentence) })
  })

  it('fetches a static ffmpeg', async () => {
    const name = ffmpegAsset(platform, arch)
    if (!name?.endsWith('.tar.xz')) return
    await bin('build/bin', ffmpegs)
    // A bare machine has no xz. tar looks at the bytes of an archive, not at its name.
    const xz = (await onPath('xz', env.PATH ?? '')) ? ['xz'] : []
    await execa('tar', [xz.length > 0 ? '-cJf' : '-cf', 'a.tar.xz', 'build'], { cwd: place })
    const archive = await readFile(join(place, 'a.tar.xz'))
    const ffmpeg = await releases({ [name]: archive, 'checksums.sha256': `${sha256(archive)}  ${name}\n` })
    const path = await bin('bin', { 'yt-dlp': '2026.08.19' })
    for (const tool of ['tar', ...xz]) await execa('sh', ['-c', `ln -s "$(command -v ${tool})" "${path}"`])

    expect(await find({ path, fetch: true, releases: { ...nothing, ffmpeg } })).toMatchObject({
      ffmpeg: join(place, 'data/tools/ffmpeg'),
      ffprobe: join(place, 'data/tools/ffprobe'),
    })
  })
})

describe('fetchVerified', () => {
  it.each([
    ['there are no sums', { a: 'x' }, /answered 404/],
    ['the sums do not list it', { a: 'x', sums: `${sha256('x')}  b\n` }, /does not list/],
    ['it is not there', { sums: `${sha256('x')}  a\n` }, /answered 404/],
  ])('throws when %s', async (_, files, message) => {
    await expect(fetchVerified(await releases(files), 'a', 'sums', place)).rejects.toThrow(message)
  })

  it('reads sums as sha256sum writes them', () => {
    const sums = `${'a'.repeat(64)}  yt-dlp\n${'B'.repeat(64)} *yt-dlp.exe\r\n`

    expect([sumOf(sums, 'yt-dlp'), sumOf(sums, 'yt-dlp.exe'), sumOf(sums, 'dlp')]).toEqual([
      'a'.repeat(64),
      'b'.repeat(64),
      undefined,
    ])
  })

  it.each([
    ['linux', 'x64', true, 'yt-dlp'],
    ['linux', 'x64', false, 'yt-dlp_linux'],
    ['linux', 'arm64', false, 'yt-dlp_linux_aarch64'],
    ['darwin', 'arm64', false, 'yt-dlp_macos'],
    ['win32', 'x64', false, 'yt-dlp.exe'],
    ['sunos', 'x64', false, undefined],
  ])('knows the release for %s %s with python: %s', (system, cpu, has_python, name) => {
    expect(ytdlpAsset(system, cpu, has_python)?.name).toBe(name)
  })
})
