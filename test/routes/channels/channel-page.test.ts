import { describe, expect } from 'vitest'
import type { FeedEntry } from '../../../src/schema/sources/feed.ts'
import { useApp, withPeople } from '../../support/app/app.ts'
import { publishedFeeds } from '../../support/app/feeds.ts'
import { onDisk as fileOnDisk } from '../../support/app/files.ts'
import { entry, follows, type Person, person, personWith } from '../../support/app/people.ts'
import { cookieOf, pairOf } from '../../support/app/sign-in.ts'

const { feeds, findFeed, publish } = publishedFeeds()

const app = useApp({ findFeed })
const { ask, sql, jsonAt, textAt } = app
const it = withPeople(app)
const url = 'https://videos.example/feed.xml'

const alice = (video_ids = ['a', 'b', 'c']) => personWith(sql, 'alice', 'slow', video_ids)

const aliceWith = (...video_ids: string[]) => personWith(sql, 'alice', 'kitchen', video_ids)

const onDisk = (owner: Person, video_id: string, bytes?: string) => fileOnDisk(app.folder, owner, video_id, bytes)

describe('refreshing', () => {
  it('a refresh adds new videos, updates changed ones, and keeps downloads and videos no longer in the feed', async () => {
    const alice = await person(sql, 'alice')
    publish(url, 'kitchen', [entry('v1'), entry('v2'), entry('v3')])
    await ask('/api/channels', { as: alice, json: { url } })
    await alice.library.downloads.request(['v2'])

    publish(url, 'kitchen', [
      entry('v2', { title: 'Another title', description: 'Another text' }),
      entry('v3'),
      entry('v4'),
    ])
    expect(await jsonAt('/api/channels/kitchen/refresh', { as: alice, method: 'POST' })).toMatchObject({
      channel: { channel_id: 'kitchen', entry_count: 4 },
      saved: { inserted: 1, updated: 1, unchanged: 1 },
    })
    expect(await alice.library.videos.find('v2')).toMatchObject({
      title: 'Another title',
      description: 'Another text',
      queued: true,
    })
    expect(await alice.library.videos.find('v1')).toBeDefined()
  })

  it('page and API say which entries of a feed could not be read, until they can be', async ({ alice, bob }) => {
    const sentence = '3 entries of this feed could not be read: they have no address.'
    const saying = (entries: FeedEntry[], more: { skipped: number; warning?: string }) =>
      feeds.set(url, () => ({ rss_url: url, feed: { channel_id: 'kitchen', title: 'Kitchen', entries, ...more } }))
    const refresh = async () => {
      await sql`update channels set refresh_asked_at = null`
      return jsonAt('/api/channels/kitchen/refresh', { as: alice, method: 'POST' })
    }

    saying([entry('v1')], { skipped: 3, warning: sentence })
    const followed = await ask('/api/channels', { as: alice, json: { url } })
    expect(await followed.json()).toMatchObject({ saved: { inserted: 1 }, skipped: 3, feed_warning: sentence })
    expect(await textAt('/channels/kitchen', { as: alice })).toContain(sentence)
    expect(await jsonAt('/api/feed', { as: alice, json: { rss_url: url, save: false } })).toMatchObject({
      skipped: 3,
      saved: null,
    })
    expect(await refresh()).toMatchObject({ skipped: 3, channel: { feed_warning: sentence } })
    expect((await ask('/channels/kitchen', { as: bob })).status).toBe(404)

    saying([], { skipped: 0, warning: 'This feed no longer lists any entries.' })
    expect(await refresh()).toMatchObject({
      skipped: 0,
      channel: { feed_warning: expect.stringContaining('no longer lists any entries') },
    })

    saying([entry('v1')], { skipped: 0 })
    expect(await refresh()).toMatchObject({ skipped: 0, channel: { feed_warning: null } })
  })

  it('an empty feed gives no warning', async ({ alice }) => {
    const feed = { channel_id: 'new', title: 'New', entries: [], skipped: 0, warning: 'This feed lists no entries.' }
    feeds.set(url, () => ({ rss_url: url, feed }))
    const followed = await ask('/api/channels', { as: alice, json: { url } })
    expect(await followed.json()).toMatchObject({ skipped: 0, feed_warning: null })
  })

  it('a failed refresh keeps everything and shows why', async ({ alice }) => {
    publish(url, 'kitchen', [entry('v1')])
    await ask('/api/channels', { as: alice, json: { url } })
    const before = await alice.library.channels.find('kitchen')
    feeds.delete(url)

    const answer = await ask('/api/channels/kitchen/refresh', { as: alice, method: 'POST' })
    const page = await textAt('/channels/kitchen', { as: alice })

    expect([answer.status, answer.headers.get('content-type')]).toEqual([502, 'application/problem+json'])
    expect(await answer.json()).toMatchObject({ status: 502, detail: 'The site answered 404. Check the address.' })
    expect(page).toContain('The site answered 404. Check the address.')
    expect(await alice.library.channels.find('kitchen')).toMatchObject({
      last_fetched_at: before?.last_fetched_at,
      entry_count: 1,
    })
  })

  it('the refresh form leads back to the channel and says what is new', async ({ alice }) => {
    publish(url, 'kitchen', [entry('v1')])
    await ask('/api/channels', { as: alice, json: { url } })
    publish(url, 'kitchen', [entry('v1'), entry('v2'), entry('v3')])
    const answer = await ask('/channels/kitchen/refresh', { as: alice, method: 'POST' })
    const headers = { cookie: pairOf(cookieOf(answer, 'flash')) }
    const page = await textAt('/channels/kitchen', { as: alice, headers })
    expect(answer.headers.get('location')).toBe('/channels/kitchen')
    expect(page).toContain('2 new videos.')
  })
})

describe('unfollowing', () => {
  it('unfollowing by page or API deletes the channel’s videos', async ({ alice }) => {
    publish(url, 'kitchen', [entry('v1')])
    await ask('/api/channels', { as: alice, json: { url } })
    const api = await ask('/api/channels/kitchen', { as: alice, method: 'DELETE' })
    const gone = await alice.library.videos.find('v1')
    await ask('/api/channels', { as: alice, json: { url } })
    const page = await ask('/channels/kitchen/delete', { as: alice, method: 'POST' })

    expect(api.status).toBe(204)
    expect(gone).toBeUndefined()
    expect(page.headers.get('location')).toBe('/channels')
    expect((await ask('/api/channels/kitchen', { as: alice, method: 'DELETE' })).status).toBe(404)
  })
})

describe('the rows of a channel', () => {
  it('the rows of a channel show which videos are watched, and can be filtered by it', async () => {
    const she = await alice()
    await she.library.viewings.record('b', { seen: true })
    const shown = async (query: string) => {
      const html = await textAt(`/channels/slow${query}`, { as: she })
      return { ids: [...html.matchAll(/href="\/watch\/(\w+)"/g)].map(([, id]) => id), html }
    }
    expect((await shown('?seen=true')).ids).toEqual(['b'])
    expect((await shown('?seen=false')).ids.toSorted()).toEqual(['a', 'c'])
    const { html } = await shown('?seen=false&status=pending')
    expect(html).toMatch(/Not downloaded\s*<span class="amount">2</)
    expect(html).toMatch(/<p class="quiet" role="status">\s*2 videos\s*</)
    expect(html).toMatch(/<input type="hidden" name="seen" value="false"/)
    expect((await shown('')).html.match(/class="marked seen"/g)).toHaveLength(1)
  })
})

describe('unfollowing and files', () => {
  it('unfollowing a channel deletes its files, except those another channel also has', async () => {
    const alice = await aliceWith('v1', 'v2')
    await follows(alice, 'playlist', ['v2'])
    await onDisk(alice, 'v1')
    await onDisk(alice, 'v2')

    await ask('/api/channels/kitchen', { as: alice, method: 'DELETE' })

    expect(await app.files.exists(`${alice.user.user_id}/kitchen/v1.mp4`)).toBe(false)
    expect(await alice.library.videos.find('v2')).toMatchObject({
      channel_id: 'playlist',
      download_status: 'completed',
    })
    expect(await app.files.exists(`${alice.user.user_id}/kitchen/v2.mp4`)).toBe(true)
  })
})

describe('the list', () => {
  it('a list or a grid is shown as it was chosen last', async () => {
    const her = await alice()
    const shown = async (path: string, cookie?: string) => {
      const headers = cookie ? { cookie: `${her.cookie}; ${cookie}` } : {}
      const answer = await ask(path, { as: her, headers })
      return { page: await answer.text(), chosen: answer.headers.getSetCookie().find(set => set.startsWith('view=')) }
    }
    expect((await shown('/channels/slow')).page).toContain('<div class="grid" id="videos">')

    const { page, chosen } = await shown('/channels/slow?view=list')
    expect(page).toContain('<ul class="rows of-videos" id="videos">')
    expect(chosen).toMatch(/^view=list;/)
    expect((await shown('/channels/slow', 'view=list')).page).toContain('<ul class="rows of-videos" id="videos">')
    expect((await shown('/channels/slow', 'view=other')).page).toContain('<div class="grid" id="videos">')
  })

  it('selecting videos keeps the filter and the order, and watched ones are marked as unwatched', async () => {
    const her = await alice()
    const page = await textAt('/channels/slow?seen=true&sort=oldest', { as: her })
    expect(page).toContain('href="/channels/slow?seen=true&amp;sort=oldest&amp;select=1"')
    expect(
      [...page.matchAll(/<a class="chip" href="([^"]*)" aria-label="([^"]*)"/g)].map(chip => chip.slice(1)),
    ).toEqual([
      ['/channels/slow?sort=oldest', 'Remove filter Watched'],
      ['/channels/slow?seen=true', 'Remove filter Oldest'],
    ])
    expect(await textAt('/channels/slow?seen=true&select=1', { as: her })).toContain('Mark as unwatched')
  })

  it('videos have checkboxes only while some are selected, in a list and in a grid', async () => {
    const her = await alice()
    const boxes = async (query: string) =>
      (await textAt(`/channels/slow${query}`, { as: her })).match(/name="video_id" value="[abc]"/g)?.length ?? 0
    expect(await boxes('')).toBe(0)
    expect(await boxes('?select=1')).toBe(3)
    expect(await boxes('?select=1&view=grid')).toBe(3)
  })

  it('a filter, an order and a month stay when another one changes', async () => {
    const her = await alice()
    const page = await textAt('/channels/slow?seen=false&sort=oldest&month=2026-05', { as: her })
    expect(page).toContain('href="/channels/slow?seen=false&amp;sort=longest&amp;month=2026-05"')
    expect(page).toContain('href="/channels/slow?seen=true&amp;sort=oldest&amp;month=2026-05"')
    expect(page).not.toMatch(/>\s*Failed\s*</)
  })
})
