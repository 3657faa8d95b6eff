/** As processes: people who follow one feed, have requested its video, and see what their site, their disk and each of them has. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { followAndRequest, publishFeed } from './journey.ts'
import { downloadOf, type Service } from './service.ts'

type Someone = Pick<ReturnType<typeof downloadOf>, 'status'>

export function sharingIn(service: Service) {
  /** `drip`: bytes a second of its film; 0: as fast as possible. */
  const feedOf = (name: string, drip = 0) =>
    publishFeed(service.media, { 'One film': `/plain.mp4?film=${name}&drip=${drip}` }, `/${name}.xml`)
  const requestsFor = (name: string) => service.media.requests.filter(({ search }) => search.includes(`film=${name}&`))

  /** A new person who follows the feed of this name and has requested its video. */
  async function requests(name: string, feed: string) {
    const ask = await service.person(name)
    const [video_id = ''] = await followAndRequest(ask, feed)
    return downloadOf(ask, video_id)
  }
  const people = (name: string, feed: string, count = 5) =>
    Promise.all(Array.from({ length: count }, (_, nth) => requests(`${name}-${nth}`, feed)))

  const fileOf = async (who: Someone) =>
    join(service.env.DOWNLOADS_DIR ?? '', (await who.status()).download_path ?? '?')
  const inodes = async (who: Someone[]) =>
    new Set(await Promise.all(who.map(async one => (await stat(await fileOf(one))).ino)))

  return { feedOf, requestsFor, requests, people, fileOf, inodes }
}

export const allDone = (who: Someone[]) =>
  vi.waitFor(
    async () => {
      const found = await Promise.all(who.map(one => one.status()))
      expect(found.map(({ download_status, download_error }) => download_error ?? download_status)).toEqual(
        who.map(() => 'completed'),
      )
    },
    { timeout: 90_000, interval: 300 },
  )
