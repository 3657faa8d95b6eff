/** Streams that yt-dlp would give to ffmpeg, with cookies: what other users of the machine can read meanwhile. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addressPolicy } from '../../../src/net/addresses.ts'
import { createDownloader } from '../../../src/ytdlp/run/download.ts'
import { optionsIn } from '../../../src/ytdlp/run/operator-options.ts'
import type { Operator, Tools } from '../../../src/ytdlp/run/tools.ts'
import { getFilm } from '../../support/media/films.ts'
import { type MediaServer, openMediaServer } from '../../support/media/media.ts'
import { shellScript } from '../../support/process/fake-tool.ts'
import { toolsForTests } from '../../support/process/tools.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const secret = 'c0okie-of-a-person'
const cookies = `127.0.0.1\tFALSE\t/\tFALSE\t4102444800\tsession\t${secret}\n`
let site: MediaServer
let folder = ''

beforeAll(async () => {
  site = await openMediaServer()
  await publishEncrypted()
})
afterAll(() => site.close())
beforeEach(async () => {
  folder = await newFolder()
})

/** `/aes.m3u8` and its parts with AES-128; `/sample.m3u8` with a method that yt-dlp knows from ffmpeg alone; `/open.m3u8` without a key. */
async function publishEncrypted() {
  const place = await mkdtemp(join(tmpdir(), 'backlot-aes-'))
  await writeFile(join(place, 'key'), Buffer.alloc(16, 7))
  await writeFile(join(place, 'keys'), `key\n${join(place, 'key')}\n`)
  const [film, hls] = [await getFilm('/plain.mp4'), ['-c', 'copy', '-f', 'hls', '-hls_playlist_type', 'vod']]
  const parts = ['-hls_segment_filename', 'aes-%d.ts', 'aes.m3u8']
  const cwd = { cwd: place }
  await execa(toolsForTests().ffmpeg, ['-i', film, ...hls, '-hls_key_info_file', 'keys', ...parts], cwd)
  await execa(toolsForTests().ffmpeg, ['-i', film, ...hls, '-hls_segment_filename', 'open-%d.ts', 'open.m3u8'], cwd)
  const type = (name: string) => (name.endsWith('.m3u8') ? 'application/vnd.apple.mpegurl' : 'application/octet-stream')
  for (const name of await readdir(place)) site.publish(`/${name}`, await readFile(join(place, name)), type(name))
  const aes = await readFile(join(place, 'aes.m3u8'), 'utf8')
  site.publish('/sample.m3u8', aes.replace('AES-128', 'SAMPLE-AES'), type('.m3u8'))
  await rm(place, { recursive: true })
}

/** Tools whose ffmpeg writes down its arguments, and whose yt-dlp has no module for AES. A binary cannot be forked. */
async function recording(how: string): Promise<{ tools: Tools; given(): Promise<string> }> {
  const { ytdlp, ...tools } = toolsForTests()
  const [without, programs, given] = ['without', 'programs', 'given'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await Promise.all([mkdir(without), mkdir(programs), writeFile(given, '')])
  for (const name of ['Cryptodome', 'Crypto'])
    await writeFile(join(without, `${name}.py`), 'raise ImportError("none here")\n')
  for (const name of ['ffmpeg', 'ffprobe'] as const)
    await writeFile(join(programs, name), `#!/bin/sh\necho "$@" >> '${given}'\nexec '${tools[name]}' "$@"\n`, {
      mode: 0o755,
    })
  const env = { ...ytdlp.env, PYTHONPATH: [without, ytdlp.env.PYTHONPATH].filter(Boolean).join(':') }
  const binary = join(folder, 'yt-dlp-binary')
  await writeFile(binary, shellScript(ytdlp.command, env), { mode: 0o755 })
  const command = how === 'forked' ? ytdlp.command : [binary]
  return {
    tools: { ...tools, ffmpeg: join(programs, 'ffmpeg'), ytdlp: { ...ytdlp, command, env } },
    given: () => readFile(given, 'utf8'),
  }
}

async function download(tools: Tools, path: string, brought: string | undefined) {
  const place = await mkdtemp(join(folder, 'run-'))
  return createDownloader({ tools, policy: addressPolicy([new URL(site.url).host]) })({
    ...{ url: site.url + path, folder: place, signal: new AbortController().signal, onProgress: () => {} },
    ...(brought !== undefined && { cookies: brought }),
  })
}

describe.each(['forked', 'started'])('a yt-dlp that is %s, without a module for AES', how => {
  it('gives ffmpeg no stream that needs cookies', async () => {
    const { tools, given } = await recording(how)

    expect(await download(tools, '/aes.m3u8', cookies)).toMatchObject({
      failure: { reason: 'local', sentence: expect.stringContaining('pycryptodomex') },
    })
    expect(await download(tools, '/sample.m3u8', cookies)).toMatchObject({ failure: { reason: 'local' } })
    expect(await given()).not.toContain(secret)
  })

  it('downloads streams without a key with cookies, and any stream without cookies', async () => {
    const { tools, given } = await recording(how)

    expect(await download(tools, '/open.m3u8', cookies)).toMatchObject({ file_size: expect.any(Number) })
    expect(await given()).not.toContain(secret)
    expect(await download(tools, '/aes.m3u8', undefined)).toMatchObject({ file_size: expect.any(Number) })
    expect(await given()).toContain('/aes.m3u8')
  })

  it("gives ffmpeg no header of the operator's", async () => {
    const { tools, given } = await recording(how)
    const operator: Operator = { options: optionsIn("--add-headers 'X-Asked: by-the-operator'") }
    tools.ytdlp.operator = operator

    expect(await download(tools, '/aes.m3u8', undefined)).toMatchObject({ failure: { reason: 'local' } })
    expect(await given()).not.toContain('by-the-operator')
  })
})
