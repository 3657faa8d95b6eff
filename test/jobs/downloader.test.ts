import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { lazyDownloader } from '../../jobs/downloader.ts'
import { readConfig } from '../../src/config.ts'
import { addressPolicy } from '../../src/net/addresses.ts'
import { silent } from '../support/app.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backlot-lazy-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('lets a download go back at once while the tools are still looked for', async () => {
  const slow = join(folder, 'yt-dlp')
  await writeFile(slow, '#!/bin/sh\nexec sleep 5\n')
  await chmod(slow, 0o755)
  const download = lazyDownloader(
    readConfig({ YTDLP_PATH: slow, DATA_DIR: folder, PATH: '/usr/bin:/bin' }),
    addressPolicy([]),
    silent,
  )
  const stopping = new AbortController()

  const asked = download({ url: 'https://videos.example/v', folder, signal: stopping.signal, onProgress: () => {} })
  stopping.abort(new Error('the worker stops'))

  await expect(asked).rejects.toThrow('the worker stops')
})
