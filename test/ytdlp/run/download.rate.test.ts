/** DOWNLOAD_RATE with the real yt-dlp, from a video site on loopback. The clock of the rate is the test's, and counts what passes. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { addressPolicy } from '../../../src/net/addresses.ts'
import { createDownloader } from '../../../src/ytdlp/run/download.ts'
import type { Arriving } from '../../../src/ytdlp/run/download-context.ts'
import { type SharedRate, sharedRate } from '../../../src/ytdlp/run/shared-rate.ts'
import { type MediaServer, openMediaServer } from '../../support/media/media.ts'
import { withFakeYtdlp } from '../../support/process/fake-tool.ts'
import { toolsForTests } from '../../support/process/tools.ts'

let media: MediaServer
let place: string
let time_ms: number
const bytes_s = 16_384
const rate = () =>
  sharedRate(() => bytes_s, {
    now: () => time_ms,
    wait: async ms => {
      time_ms += ms
    },
  })

beforeAll(async () => {
  media = await openMediaServer()
  place = await mkdtemp(join(tmpdir(), 'backlot-rate-'))
})
afterAll(async () => {
  await media.close()
  await rm(place, { recursive: true, force: true })
})
beforeEach(() => {
  time_ms = 0
})

async function download(path: string, shared: SharedRate, arriving?: Arriving) {
  const policy = addressPolicy([new URL(media.url).host])
  const result = await createDownloader({ tools: toolsForTests(), policy, rate: shared })({
    url: media.url + path,
    folder: await mkdtemp(join(place, 'run-')),
    signal: new AbortController().signal,
    onProgress: () => {},
    arriving,
  })
  if ('failure' in result) throw new Error(`${result.failure.sentence} ${result.failure.detail}`)
  return result
}

it('every byte of two downloads passes at one rate for both', async () => {
  const shared = rate()
  const [one, two] = await Promise.all([download('/plain.mp4', shared), download('/plain.mp4?again', shared)])
  // More passes than the files: yt-dlp fetches their beginning first, to see what they are.
  const files_s = (one.file_size + two.file_size) / bytes_s
  expect(time_ms / 1000).toBeGreaterThan(0.9 * files_s)
})

it('a video that is watched takes nothing of the rate', async () => {
  const watched: Arriving = {
    wanted: Promise.resolve(),
    newFolder: () => mkdtemp(join(place, 'segments-')),
    say: async () => {},
  }
  await download('/plain.mp4', rate(), watched)
  expect(time_ms).toBe(0)
})

it('a run that the rate holds back is not taken for a silent one', async () => {
  const folder = await mkdtemp(join(place, 'run-'))
  let held_back = 20
  const shared: SharedRate = { of: () => ({ pace: async () => {}, hasWaited: () => held_back-- > 0 }) }
  const tools = await withFakeYtdlp(toolsForTests(), place, 'exec sleep 60')
  const request = { url: 'https://example.org/v', folder, signal: new AbortController().signal, onProgress() {} }
  const result = await createDownloader({ tools, policy: addressPolicy([]), rate: shared, silence_ms: 40 })(request)
  expect(result).toMatchObject({ failure: { reason: 'silent' } })
  expect(held_back).toBeLessThan(0)
})
