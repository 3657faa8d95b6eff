/**
 * Walks the whole path of a user with a program that knows only the specification: register, follow a feed,
 * download, read byte ranges, save, sign out.
 */
import { expect, vi } from 'vitest'
import { password, registration } from '../app/sign-in.ts'
import type { MediaServer } from '../media/media.ts'

/** A feed of the videos that the media server serves, as a podcast would publish them. */
export function publishFeed(media: MediaServer, videos: Record<string, string>, path = '/feed.xml'): string {
  const items = Object.entries(videos).map(
    ([title, file]) => `
      <item>
        <title>${title}</title>
        <link>${media.url}${file}</link>
        <description>About ${title}</description>
        <pubDate>Fri, 01 May 2026 12:00:00 GMT</pubDate>
        <enclosure url="${media.url}${file}" type="video/mp4" length="1"/>
      </item>`,
  )
  media.publish(
    path,
    `<?xml version="1.0" encoding="UTF-8"?>
    <rss version="2.0"><channel><title>Slow Kitchen</title><link>${media.url}</link>${items.join('')}</channel></rss>`,
  )
  return media.url + path
}

export type Status = {
  video_id: string
  download_status: string
  queued: boolean
  progress: { percent: number | null } | null
  download_path: string | null
  download_error: string | null
  download_started_at: string | null
  download_completed_at: string | null
  file_size: number | null
}

/** A browser without JavaScript: keeps cookies, follows no redirect. */
export function client(base: string) {
  const jar = new Map<string, string>()
  return async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    headers.set('cookie', [...jar].map(pair => pair.join('=')).join('; '))
    const answer = await fetch(base + path, { redirect: 'manual', ...init, headers })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (/max-age=0/i.test(cookie)) jar.delete(name)
      else jar.set(name, value)
    }
    return answer
  }
}
type Client = ReturnType<typeof client>

const form = (fields: Record<string, string>): RequestInit => ({ method: 'POST', body: new URLSearchParams(fields) })
export const json = (body: object): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})

export const signIn = (ask: Client, username: string): Promise<Response> =>
  ask('/login', form({ username, password, remember: 'on' }))

/** On a busy machine, the database may answer late. Then the service asks to try again, after half a minute. */
export async function register(ask: Client, username: string): Promise<void> {
  let status = 503
  for (let tries = 0; status === 503 && tries < 4; tries++)
    status = (await ask('/register', form(registration(username)))).status
  expect((await signIn(ask, username)).status).toBe(303)
}

/** Follows the feed and requests all its videos. Returns their identifiers. */
export async function followAndRequest(ask: Client, feed: string): Promise<string[]> {
  const followed = await ask('/api/channels', json({ url: feed }))
  expect(followed.status).toBe(201)
  const { channel_id } = (await followed.json()) as { channel_id: string }
  const history = await ask(`/api/history/${channel_id}`)
  const { entries } = (await history.json()) as { entries: { video_id: string }[] }
  const video_ids = entries.map(({ video_id }) => video_id)
  expect((await ask('/api/download/batch', json({ video_ids }))).status).toBe(202)
  return video_ids
}

export async function settled(ask: Client, video_id: string, timeout = 100_000): Promise<Status> {
  return vi.waitFor(
    async () => {
      const status = (await (await ask(`/api/download/status/${video_id}`)).json()) as Status
      if (status.queued || status.download_status === 'downloading') throw new Error(`still ${JSON.stringify(status)}`)
      return status
    },
    { timeout, interval: 300 },
  )
}

export async function journey(base: string, media: MediaServer, username: string): Promise<void> {
  const ask = client(base)
  const feed = publishFeed(media, { 'How to bake': '/plain.mp4' }, `/${username}.xml`)

  const first = await ask('/channels')
  expect(first.headers.get('location')).toBe('/login?next=%2Fchannels')
  await register(ask, username)
  const [video_id = ''] = await followAndRequest(ask, feed)
  const done = await settled(ask, video_id)
  expect(done).toMatchObject({ download_status: 'completed', download_error: null, file_size: expect.any(Number) })

  const whole = Buffer.from(await (await ask(`/stream/${video_id}`)).arrayBuffer())
  const part = await ask(`/stream/${video_id}`, { headers: { range: 'bytes=4-11' } })
  expect(whole.length).toBe(done.file_size)
  expect(whole.subarray(4, 8).toString()).toBe('ftyp')
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 4-11/${whole.length}`])
  expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(4, 12))).toBe(true)
  const saved = await ask(`/download/${video_id}`)
  expect(saved.headers.get('content-disposition')).toContain('filename="How to bake.mp4"')
  await saved.arrayBuffer()

  const again = await ask('/api/channels', json({ url: feed }))
  expect(again.status).toBe(200)
  expect(await again.json()).toMatchObject({ entry_count: 1, saved: { inserted: 0, updated: 0, unchanged: 1 } })
  expect(await (await ask(`/api/download/status/${video_id}`)).json()).toMatchObject({ download_status: 'completed' })

  await ask('/logout', { method: 'POST' })
  expect((await ask('/api/channels')).status).toBe(401)
}
