/** DOWNLOAD_RATE with the real yt-dlp, from a video site on loopback. The clock of the rate is the test's, and counts what passes. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { addressPolicy } from '../../../src/net/addresses.ts'
import type { Arriving } from '../../../src/ytdlp/process/download-context.ts'
import { type SharedRate, sharedRate } from '../../../src/ytdlp/process/shared-rate.ts'
import { download, succeeded } from '../../support/media/downloads.ts'
import { type MediaServer, openMediaServer } from '../../support/media/media.ts'
import { withFakeYtdlp } from '../../support/process/fake-tool.ts'
import { toolsForTests } from '../../support/process/tools.ts'
import { newFolder } from '../../support/run/new-folder.ts'

let media: MediaServer
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
})
afterAll(() => media.close())
beforeEach(() => {
  time_ms = 0
})

const fetched = async (path: string, rate: SharedRate, arriving?: Arriving) => {
  const policy = addressPolicy([new URL(media.url).host])
  return succeeded(await download({ tools: toolsForTests(), policy, rate }, { url: media.url + path, arriving }))
}

it('every byte of two downloads passes at one rate for both', async () => {
  const shared = rate()
  const [one, two] = await Promise.all([fetched('/plain.mp4', shared), fetched('/plain.mp4?again', shared)])
  // More passes than the files: yt-dlp fetches their beginning first, to see what they are.
  const files_s = (one.file_size + two.file_size) / bytes_s
  expect(time_ms / 1000).toBeGreaterThan(0.9 * files_s)
})

it('a video that is watched takes nothing of the rate', async () => {
  const watched: Arriving = {
    wanted: Promise.resolve(),
    newFolder: async () => newFolder(),
    say: async () => {},
  }
  await fetched('/plain.mp4', rate(), watched)
  expect(time_ms).toBe(0)
})

it('a run that the rate holds back is not taken for a silent one', async () => {
  let looks = 0
  // What the first look finds decides how often it looks. The run is held back during the next ones.
  const hasWaited = () => ++looks > 1 && looks <= 20
  const rate: SharedRate = { of: () => ({ pace: async () => {}, hasWaited }) }
  const tools = await withFakeYtdlp(toolsForTests(), newFolder(), 'exec sleep 60')
  const options = { tools, policy: addressPolicy([]), rate, silence_ms: 40 }
  const result = await download(options, { url: 'https://example.org/v' })
  expect(result).toMatchObject({ failure: { reason: 'silent' } })
  expect(looks).toBeGreaterThan(20)
})
