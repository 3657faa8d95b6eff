/** Streams that yt-dlp would give to ffmpeg, with cookies: what other users of the machine can read meanwhile. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addressPolicy } from '../../../src/net/addresses.ts'
import type { Operator } from '../../../src/ytdlp/operator/options.ts'
import { optionsIn } from '../../../src/ytdlp/operator/options.ts'
import type { Tools } from '../../../src/ytdlp/process/programs.ts'
import { download } from '../../support/media/downloads.ts'
import { getFilm } from '../../support/media/films.ts'
import { type MediaServer, openMediaServer } from '../../support/media/media.ts'
import { asBinary } from '../../support/process/fake-tool.ts'
import { toolsForTests } from '../../support/process/tools.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const secret = 'c0okie-of-a-person'
const cookies = `127.0.0.1\tFALSE\t/\tFALSE\t4102444800\tsession\t${secret}\n`
let site: MediaServer
const place = newFolder()
beforeAll(async () => {
  site = await openMediaServer()
  await publishEncrypted()
})
afterAll(() => site.close())

/** `/aes.m3u8` and its parts with AES-128; `/sample.m3u8` with a method that yt-dlp knows from ffmpeg alone; `/open.m3u8` without a key. */
async function publishEncrypted() {
  const cwd = { cwd: place }
  await writeFile(join(place, 'key'), Buffer.alloc(16, 7))
  await writeFile(join(place, 'keys'), 'key\nkey\n')
  const [film, hls] = [await getFilm('/plain.mp4'), ['-c', 'copy', '-f', 'hls', '-hls_playlist_type', 'vod']]
  const parts = ['-hls_segment_filename', 'aes-%d.ts', 'aes.m3u8']
  await execa(toolsForTests().ffmpeg, ['-i', film, ...hls, '-hls_key_info_file', 'keys', ...parts], cwd)
  await execa(toolsForTests().ffmpeg, ['-i', film, ...hls, '-hls_segment_filename', 'open-%d.ts', 'open.m3u8'], cwd)
  const type = (name: string) => (name.endsWith('.m3u8') ? 'application/vnd.apple.mpegurl' : 'application/octet-stream')
  for (const name of await readdir(place)) site.publish(`/${name}`, await readFile(join(place, name)), type(name))
  const aes = await readFile(join(place, 'aes.m3u8'), 'utf8')
  site.publish('/sample.m3u8', aes.replace('AES-128', 'SAMPLE-AES'), type('.m3u8'))
}

/** Tools whose ffmpeg writes down its arguments, and whose yt-dlp has no module for AES. */
async function recording(how: string): Promise<{ tools: Tools; given: string }> {
  const { ytdlp, ...tools } = toolsForTests()
  const folder = join(place, how)
  const [without, given] = [join(folder, 'without'), join(folder, 'given')]
  await mkdir(without, { recursive: true })
  for (const name of ['Cryptodome', 'Crypto'])
    await writeFile(join(without, `${name}.py`), 'raise ImportError("none here")\n')
  for (const name of ['ffmpeg', 'ffprobe'] as const) {
    const script = `#!/bin/sh\necho "$@" >> '${given}'\nexec '${tools[name]}' "$@"\n`
    await writeFile(join(folder, name), script, { mode: 0o755 })
  }
  const env = { ...ytdlp.env, PYTHONPATH: [without, ytdlp.env.PYTHONPATH].filter(Boolean).join(':') }
  const made = { ...tools, ffmpeg: join(folder, 'ffmpeg'), ytdlp: { ...ytdlp, env } }
  return { tools: how === 'forked' ? made : await asBinary(made, folder), given }
}

describe.each(['forked', 'started'])('a yt-dlp that is %s, without a module for AES', how => {
  let tools: Tools
  let noted = ''
  const given = () => readFile(noted, 'utf8')
  beforeAll(async () => {
    ;({ tools, given: noted } = await recording(how))
  })
  beforeEach(() => writeFile(noted, ''))

  const fetched = (path: string, cookies?: string, operator?: Operator) =>
    download(
      { tools: { ...tools, ytdlp: { ...tools.ytdlp, operator } }, policy: addressPolicy([new URL(site.url).host]) },
      { url: site.url + path, cookies },
    )

  it('gives ffmpeg no stream that needs cookies', async () => {
    expect(await fetched('/aes.m3u8', cookies)).toMatchObject({
      failure: { reason: 'local', sentence: expect.stringContaining('pycryptodomex') },
    })
    expect(await fetched('/sample.m3u8', cookies)).toMatchObject({ failure: { reason: 'local' } })
    expect(await given()).not.toContain(secret)
  })

  it('downloads streams without a key with cookies, and any stream without cookies', async () => {
    expect(await fetched('/open.m3u8', cookies)).toMatchObject({ file_size: expect.any(Number) })
    expect(await given()).not.toContain(secret)
    expect(await fetched('/aes.m3u8')).toMatchObject({ file_size: expect.any(Number) })
    expect(await given()).toContain('/aes.m3u8')
  })

  it("gives ffmpeg no header of the operator's", async () => {
    const operator: Operator = { options: optionsIn("--add-headers 'X-Asked: by-the-operator'") }

    expect(await fetched('/aes.m3u8', undefined, operator)).toMatchObject({ failure: { reason: 'local' } })
    expect(await given()).not.toContain('by-the-operator')
  })
})
