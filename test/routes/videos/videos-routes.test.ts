/** Adding a single video by its address and forgetting it, by the API. */
import { access } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import type { LookResult, VideoLooker } from '../../../src/ytdlp/ask/look-at.ts'
import { failureOf } from '../../../src/ytdlp/failures/read-error.ts'
import { useApp, withPeople } from '../../support/app/app.ts'
import { onDisk } from '../../support/app/files.ts'
import { entry, follows, type Person, person } from '../../support/app/people.ts'
import { looked } from '../../support/app/samples.ts'

const asked: string[] = []
const answers = new Map<string, LookResult>()
const lookAt: VideoLooker = async ({ url }) => {
  asked.push(url)
  return answers.get(url) ?? { failure: failureOf({ said: 'ERROR: Unsupported URL: x' }) }
}
const app = useApp({ lookAt })
const { ask, sql, jsonAt, textAt } = app
const it = withPeople(app)

const url = looked().video_url
const id = 'dQw4w9WgXcQ'
const channel_id = 'UCabcdefghijklmnopqrstuv'
answers.set(url, { video: looked() })
const none = { platform_id: null, title: null, page_url: null, image_url: null }

const add = (as: Person, json: object) => ask('/api/videos', { as, json })

describe('POST /api/videos', () => {
  it('a new video is kept without following its channel, and is in every list and in search', async ({ alice }) => {
    const answer = await add(alice, { url })

    expect(answer.status).toBe(201)
    expect(await answer.json()).toMatchObject({
      video_id: id,
      channel_id,
      title: looked().title,
      channel_title: 'Slow Kitchen',
      source: 'address',
      duration_seconds: 754,
      live_status: 'none',
      availability: 'public',
      published_precision: 'exact',
      download_status: 'pending',
      queued: false,
    })
    const get = async (path: string) => jsonAt(path, { as: alice }) as Promise<Record<string, unknown[]>>
    expect((await get('/api/channels')).channels).toEqual([])
    expect((await get('/api/channels?followed=true')).channels).toEqual([])
    expect((await get('/api/channels?followed=false')).channels).toMatchObject([
      { channel_id, title: 'Slow Kitchen', followed: false, rss_url: null, entry_count: 1 },
    ])
    for (const path of ['/api/videos', `/api/history/${channel_id}`, '/api/search?q=bread'])
      expect((await get(path)).entries, path).toMatchObject([{ video_id: id }])
    expect(await textAt('/', { as: alice })).toContain(`/watch/${id}`)
  })

  it('a video that is in the library already, under any address, is answered without asking its site', async () => {
    const alice = await person(sql, 'alice')
    await add(alice, { url })
    asked.length = 0
    const again = await add(alice, { url: 'https://youtu.be/dQw4w9WgXcQ?si=tracking' })
    expect([again.status, await again.json()]).toMatchObject([200, { video_id: id }])
    expect(asked).toEqual([])
  })

  it('a video of a feed is marked as added, so that it stays when the channel is unfollowed', async ({ alice }) => {
    await follows(alice, channel_id, [id, 'other'])
    expect((await add(alice, { url })).status).toBe(200)
    expect((await ask(`/api/channels/${channel_id}`, { as: alice, method: 'DELETE' })).status).toBe(204)
    expect((await alice.library.videos.statuses([id, 'other'])).map(({ video_id }) => video_id)).toEqual([id])
    expect((await ask(`/api/channels/${channel_id}`, { as: alice, method: 'DELETE' })).status).toBe(409)
  })

  it('a video of a followed channel goes into that channel', async ({ alice }) => {
    await follows(alice, channel_id, [])
    expect((await add(alice, { url })).status).toBe(201)
    expect(await alice.library.channels.list()).toMatchObject([{ channel_id, entry_count: 1 }])
    expect(await alice.library.channels.list(false)).toEqual([])
  })

  it('a download is queued at once on request, for a new video and for a known one', async ({ alice }) => {
    expect(await (await add(alice, { url, download: true })).json()).toMatchObject({ queued: true, queue_position: 1 })
    const again = await add(alice, { url, download: true })
    expect([again.status, await again.json()]).toMatchObject([200, { queued: true }])
  })

  it('a stream that is live, a premiere and a video for members are kept with what they are', async ({ alice }) => {
    const facts = [{ live_status: 'live' }, { live_status: 'upcoming' }, { availability: 'members_only' }] as const
    for (const [n, fact] of facts.entries()) {
      const video_url = `https://www.youtube.com/watch?v=dQw4w9WgXc${n}`
      answers.set(video_url, { video: looked({ video_url, ...fact }) })
      const answer = await add(alice, { url: video_url })
      expect([answer.status, await answer.json()]).toMatchObject([201, fact])
    }
  })

  it('a direct address of a file is kept in a channel of its site', async ({ alice }) => {
    const video_url = 'https://media.example/films/bread.mp4'
    answers.set(video_url, { video: looked({ video_url, title: 'bread', channel: none }) })
    expect(await (await add(alice, { url: video_url })).json()).toMatchObject({
      title: 'bread',
      channel_title: 'media.example',
    })
  })

  it.each([
    [
      'https://www.youtube.com/playlist?list=PLabcdefghijklmnop',
      'This is a playlist with 12 videos: Bread. To follow it, POST /api/channels.',
    ],
    ['https://x.com/slow/status/12', 'This post has 12 videos. Use the link of one of them.'],
  ])('%s is no single video, and the answer says what it is', async (address, detail) => {
    const alice = await person(sql, 'alice')
    answers.set(address, { list: { title: 'Bread', count: 12, channel: none } })
    const answer = await add(alice, { url: address })
    expect([answer.status, await answer.json()]).toMatchObject([422, { detail, errors: { url: detail } }])
    expect(await alice.library.channels.list(false)).toEqual([])
  })

  it('a page without a video, a private video and text that is no address are refused with a sentence', async () => {
    const alice = await person(sql, 'alice')
    const hidden = 'https://www.youtube.com/watch?v=private0000'
    answers.set(hidden, { failure: failureOf({ said: 'ERROR: [youtube] private0000: Private video. Sign in' }) })
    const details = await Promise.all(
      ['https://h.example/', hidden, 'no address'].map(async address => {
        const answer = await add(alice, { url: address })
        return [answer.status, ((await answer.json()) as { detail: string }).detail]
      }),
    )
    expect(details).toEqual([
      [422, expect.stringContaining('No video found on this page')],
      [422, expect.stringContaining('is private')],
      [422, expect.stringContaining('not a web address')],
    ])
  })

  it('a site that asks to slow down is answered with 502, and nothing is kept', async ({ alice }) => {
    const busy = 'https://busy.example/v'
    answers.set(busy, {
      failure: failureOf({ said: 'ERROR: HTTP Error 429: Too Many Requests', site: 'busy.example' }),
    })
    expect((await add(alice, { url: busy })).status).toBe(502)
  })
})

describe('DELETE /api/videos/<video_id>', () => {
  it('a forgotten video leaves nothing: no file, no viewing, no channel', async ({ alice }) => {
    await add(alice, { url })
    const file = await onDisk(app.folder, alice, id, 'bytes', channel_id)
    await alice.library.viewings.record(id, { seen: true })

    expect((await ask(`/api/videos/${id}`, { as: alice, method: 'DELETE' })).status).toBe(204)

    await expect(access(file)).rejects.toThrow('ENOENT')
    expect(await alice.library.channels.list(false)).toEqual([])
    expect((await ask(`/api/videos/${id}`, { as: alice, method: 'DELETE' })).status).toBe(404)
    expect(await (await add(alice, { url })).json()).toMatchObject({ seen_at: null, download_status: 'pending' })
  })

  it('a video of a followed channel is not forgotten', async ({ alice }) => {
    await follows(alice, 'kitchen', ['v1'])
    const answer = await ask('/api/videos/v1', { as: alice, method: 'DELETE' })
    expect([answer.status, await answer.json()]).toMatchObject([409, { detail: expect.stringContaining('You follow') }])
  })

  it('bob gets the same 404 for a video of alice as for a missing one, and adding it is his own', async () => {
    const [alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
    await add(alice, { url })
    expect((await ask(`/api/videos/${id}`, { as: bob, method: 'DELETE' })).status).toBe(404)
    expect((await ask(`/watch/${id}`, { as: bob })).status).toBe(404)
    expect((await add(bob, { url })).status).toBe(201)
    await ask(`/api/videos/${id}`, { as: bob, method: 'DELETE' })
    expect((await alice.library.videos.find(id))?.video_id).toBe(id)
  })

  it('following the channel later has the video once, and it stays when the channel is unfollowed again', async () => {
    const alice = await person(sql, 'alice')
    await add(alice, { url })
    const feed = { channel_id, title: 'Slow Kitchen', rss_url: 'https://videos.example/feed' }
    await alice.library.channels.save(feed, [entry(id), entry('next')])
    expect(await alice.library.channels.list()).toMatchObject([{ channel_id, entry_count: 2 }])
    await ask(`/api/channels/${channel_id}`, { as: alice, method: 'DELETE' })
    expect(await alice.library.channels.list(false)).toMatchObject([{ channel_id, entry_count: 1 }])
  })
})
