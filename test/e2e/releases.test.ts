/** An update from each release as people do it: the service stops, this version starts on its data, and the other way round. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MediaServer, openMediaServer } from '../support/media/media.ts'
import { client, followAndRequest, publishFeed, register } from '../support/process/journey.ts'
import { type Running, start } from '../support/process/processes.ts'
import { checkoutOf, releases } from '../support/process/release.ts'
import { downloadOf, hasBytes, isDone } from '../support/process/service.ts'
import { environmentIn } from '../support/process/tools.ts'
import { newFolder } from '../support/run/new-folder.ts'

describe.each(releases)('from %s', release => {
  const folder = newFolder()
  let earlier: string | undefined
  let media: MediaServer
  let running: Running | undefined
  beforeAll(async () => {
    earlier = await checkoutOf(release, folder)
    media = await openMediaServer()
  })
  afterAll(async () => {
    await running?.stop()
    await media.close()
  })

  it('data and downloads go on with this version, and with the release again', async ({ skip }) => {
    if (!earlier) return skip('this checkout does not have the release')
    const env = { ...(await environmentIn(folder)), DATABASE_URL: '', MIN_FREE_MB: '0' }
    running = await start('all', { env, cwd: earlier })
    const { url } = running
    const ask = client(url)
    await register(ask, 'alice')
    const wants = async (name: string, path: string) => {
      const [video_id = ''] = await followAndRequest(ask, publishFeed(media, { [name]: path }, `/${name}.xml`))
      return downloadOf(ask, video_id)
    }
    const before = await wants('before', '/plain.mp4?for=before')
    await before.until(isDone)
    const meanwhile = await wants('meanwhile', '/plain.mp4?drip=20000&for=meanwhile')
    await meanwhile.until(hasBytes)

    const bytesOf = async (video_id: string) => (await (await ask(`/stream/${video_id}`)).arrayBuffer()).byteLength
    const bytes = await bytesOf(before.video_id)
    for (const [name, how] of Object.entries({ after: {}, back: { cwd: earlier } })) {
      expect(await running.stop()).toBe(0)
      // At the same address, so that the browser has its cookies.
      running = await start('all', { env: { ...env, PORT: new URL(url).port }, ...how })
      // The session, the film and the history are as they were.
      expect((await ask('/downloads')).status).toBe(200)
      expect(await bytesOf(before.video_id)).toBe(bytes)
      expect(await meanwhile.until(isDone)).toMatchObject({ download_error: null })
      const next = await wants(name, `/plain.mp4?for=${name}`)
      expect(await next.until(isDone)).toMatchObject({ download_error: null })
    }
    const { channels } = (await (await ask('/api/channels')).json()) as { channels: unknown[] }
    expect(channels).toHaveLength(4)
  })
})
