/** A podcast in Debian's gPodder: it subscribes to the address, downloads an episode, and finds nothing once the podcast is deleted. */

import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from 'node:process'
import { execa } from 'execa'
import { parseRssFeed } from 'feedsmith'
import { expect, it, vi } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { json } from '../support/process/journey.ts'
import { isDone, useService } from '../support/process/service.ts'
import { newFolder } from '../support/run/new-folder.ts'

const gpodder_is_here = await execa('gpo', ['help']).then(
  () => true,
  () => false,
)
if (!gpodder_is_here) console.warn('gPodder is not here, so no podcast is downloaded by it: apt-get install gpodder.')

const home = newFolder()
const service = useService(useDatabase(), { has_worker: true })

/** Runs gPodder, in a home of its own and without a proxy. Returns what it says. */
async function gpo(...args: string[]): Promise<string> {
  const own = { HOME: home, GPODDER_HOME: join(home, 'gpodder'), PATH: env.PATH ?? '', LANG: 'C.UTF-8', TERM: 'dumb' }
  const { all } = await execa('gpo', args, { env: own, extendEnv: false, all: true, reject: false, timeout: 60_000 })
  return all
}

const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter(file => file.isFile())
    .map(file => join(file.parentPath, file.name))

it.runIf(gpodder_is_here)(
  'gPodder subscribes, downloads the exact file, as a film and as sound, and finds nothing at the address of a deleted podcast',
  async () => {
    const { ask, channel_id, video_id, until } = await service.wants('alice', '/plain.mp4')
    await until(isDone)
    const made = await ask('/api/podcasts', json({ of: { channel_id }, kind: 'video' }))
    const { url, podcast_id } = (await made.json()) as { url: string; podcast_id: string }

    await gpo('subscribe', url)
    expect(await gpo('list')).toContain(url)
    expect(await gpo('episodes', '--guid', url)).toContain(video_id)
    await gpo('download', url)

    const downloaded = (await filesIn(join(home, 'gpodder'))).filter(file => file.endsWith('.mp4'))
    const file = Buffer.from(await (await ask(`/download/${video_id}`)).arrayBuffer())
    expect(downloaded.length).toBe(1)
    expect((await readFile(downloaded[0] ?? '')).equals(file)).toBe(true)
    expect(await (await ask('/api/podcasts')).json()).toMatchObject({
      podcasts: [{ last_used_at: expect.any(String) }],
    })

    const sound = (await (await ask('/api/podcasts', json({ of: { channel_id }, kind: 'audio' }))).json()) as {
      url: string
    }
    const enclosure = await vi.waitFor(
      async () => {
        const { items } = parseRssFeed(await (await fetch(sound.url)).text())
        const [{ url = '', length } = {}] = items?.[0]?.enclosures ?? []
        expect(length).toBeGreaterThan(0)
        return { url, length }
      },
      { timeout: 60_000, interval: 300 },
    )
    const head = await fetch(enclosure.url, { method: 'HEAD' })
    expect(head.headers.get('content-length')).toBe(String(enclosure.length))
    await gpo('subscribe', sound.url)
    await gpo('download', sound.url)
    const [heard = ''] = (await filesIn(join(home, 'gpodder'))).filter(file => file.endsWith('.m4a'))
    expect((await stat(heard)).size).toBe(enclosure.length)

    expect((await ask(`/api/podcasts/${podcast_id}`, { method: 'DELETE' })).status).toBe(204)
    expect(await gpo('update', url)).toMatch(/404|Not Found/i)
  },
  180_000,
)

it.runIf(gpodder_is_here)(
  'gPodder downloads an MP3 as it is, and mpv plays it from the address in the feed',
  async () => {
    const { ask, channel_id, video_id, until } = await service.wants('mia', '/plain.mp4', { quality: 'mp3' })
    expect((await until(isDone)).download_path).toMatch(/\.mp3$/)
    const made = await ask('/api/podcasts', json({ of: { channel_id }, kind: 'audio' }))
    const { url } = (await made.json()) as { url: string }
    const { items } = parseRssFeed(await (await fetch(url)).text())
    const [enclosure] = items?.[0]?.enclosures ?? []
    const file = Buffer.from(await (await ask(`/download/${video_id}`)).arrayBuffer())
    expect(enclosure).toMatchObject({ type: 'audio/mpeg', length: file.length })

    await gpo('subscribe', url)
    await gpo('download', url)
    const [heard = ''] = (await filesIn(join(home, 'gpodder'))).filter(name => name.endsWith('.mp3'))
    expect((await readFile(heard)).equals(file)).toBe(true)

    const played = await execa(
      'mpv',
      ['--no-config', '--vo=null', '--ao=null', '--no-ytdl', '--end=1', enclosure?.url ?? ''],
      {
        all: true,
        reject: false,
        timeout: 60_000,
      },
    )
    if (played.code !== 'ENOENT') expect([played.exitCode, played.all]).toEqual([0, expect.stringMatching(/mp3/)])
  },
  180_000,
)
