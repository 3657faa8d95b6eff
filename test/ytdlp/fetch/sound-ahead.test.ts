/** Sound that is fetched beside its picture leaves the line to the picture. `arriving.test.ts` fetches both with the real yt-dlp. */
import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { paceBeside } from '../../../src/ytdlp/fetch/sound-ahead.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const megabyte = 1_000_000

it('much more sound than the picture needs waits until more of the picture has come', async () => {
  const folder = newFolder()
  const picture = join(folder, 'video.f1.mp4')
  await writeFile(`${picture}.part`, '')
  const pace = paceBeside({ picture, sound_per_picture: 0.1 }, new AbortController().signal)
  await pace(10_000)
  let has_passed = false
  const passing = pace(100 * megabyte).then(() => {
    has_passed = true
  })
  await setImmediate()
  expect(has_passed).toBe(false)
  await truncate(`${picture}.part`, 600 * megabyte)
  await passing
})

it('a run that ends does not wait', async () => {
  const ending = new AbortController()
  const passing = paceBeside({ picture: 'missing', sound_per_picture: 1 }, ending.signal)(100 * megabyte)
  ending.abort()
  await expect(passing).resolves.toBeUndefined()
})
