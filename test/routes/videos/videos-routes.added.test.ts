/** Adding a single video on the page, from the field to its watch page, and removing it again. */
import { describe, expect } from 'vitest'
import type { Discovery } from '../../../src/domain/channels/discovery.ts'
import { DomainError } from '../../../src/errors.ts'
import type { LookResult } from '../../../src/ytdlp/ask/look-at.ts'
import { failureOf } from '../../../src/ytdlp/failures/read-error.ts'
import { useApp, withPeople } from '../../support/app/app.ts'
import { entry, follows, has, person } from '../../support/app/people.ts'
import { looked } from '../../support/app/samples.ts'
import { flashOf } from '../../support/app/sign-in.ts'

const nothing: Discovery = {
  found: [],
  tried: ['This page names no feed.'],
  fault: new DomainError('not_a_feed', 'This page names no feed.'),
}
let discovery: Discovery = nothing
let look: LookResult = { video: looked() }
const asked: string[] = []
const app = useApp({
  discover: async () => {
    asked.push('search')
    return discovery
  },
  lookAt: async () => {
    asked.push('look')
    return look
  },
})
const { ask, sql, textAt } = app
const it = withPeople(app)
const finds = (changes: { discovery?: Discovery; look?: LookResult }) => {
  asked.length = 0
  discovery = changes.discovery ?? nothing
  look = changes.look ?? { video: looked() }
}

const url = looked().video_url
const id = 'dQw4w9WgXcQ'
const channel_id = 'UCabcdefghijklmnopqrstuv'
const feed_url = `https://www.youtube.com/feeds/videos.xml?channel_id=${channel_id}`
const followable: Discovery = {
  found: [{ rss_url: feed_url, title: 'Slow Kitchen', kind: 'channel', entries: 1, newest_at: null }],
  tried: [],
  best: { rss_url: feed_url, feed: { channel_id, title: 'Slow Kitchen', entries: [entry('v1')], skipped: 0 } },
}
const newPage = (address: string) => `/channels/new?url=${encodeURIComponent(address)}`

describe('the field for links', () => {
  it('the link of a video that cannot be added says why, above the channel to follow', async ({ alice }) => {
    finds({ discovery: followable, look: { failure: failureOf({ said: 'ERROR: [youtube] x: Private video' }) } })
    const page = await ask(newPage(url), { as: alice })
    const html = await page.text()
    expect(page.status).toBe(200)
    expect(html).toMatch(/<h1>This video cannot be added<\/h1>.*is private.*<h2>Follow <bdi>Slow Kitchen<\/bdi><\/h2>/s)
    expect(html).not.toContain('Download this video')
  })

  it('the link of a video shows the video first, and below it the channel to follow', async ({ alice }) => {
    finds({ discovery: followable })
    const page = await ask(newPage(url), { as: alice })
    const html = await page.text()
    expect(page.status).toBe(200)
    expect(html).toMatch(
      /<h1>.*Bread for people.*Slow Kitchen<\/bdi> · 12:34.*Download this video.*Add without downloading.*<h2>Follow <bdi>Slow Kitchen<\/bdi><\/h2>.*Follow/s,
    )
    expect(html).toMatch(/<form class="actions" method="post" action="\/videos"/)
    expect(await alice.library.channels.list(false)).toEqual([])
  })

  it('a video is added from a sentence with its link', async ({ alice }) => {
    finds({})
    const given = `Great bread: [see](${url}).\u200b`
    const added = await ask('/api/videos', { as: alice, json: { url: given } })
    expect([added.status, await added.json()]).toMatchObject([201, { video_id: id }])
  })

  it('the link of a channel is not looked at as a video', async () => {
    finds({ discovery: followable })
    const html = await textAt(newPage('https://www.youtube.com/@slow'), { as: await person(sql, 'alice') })
    expect(asked).toEqual(['search'])
    expect(html).toContain('<h1><bdi>Slow Kitchen</bdi></h1>')
    expect(html).not.toContain('Download this video')
  })

  it('a page without a feed is looked at, and its video can be added', async () => {
    finds({ look: { video: looked({ video_url: 'https://h.example/bread' }) } })
    const page = await ask(newPage('https://h.example/bread'), { as: await person(sql, 'alice') })
    expect(asked).toEqual(['search', 'look'])
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Download this video')])
  })

  it('a file is looked at and not searched for a feed', async () => {
    finds({ look: { video: looked({ video_url: 'https://h.example/bread.mp4' }) } })
    await ask(newPage('https://h.example/bread.mp4'), { as: await person(sql, 'alice') })
    expect(asked).toEqual(['look'])
  })

  it('a video that the person has is shown without asking its site about it', async ({ alice }) => {
    await follows(alice, channel_id, [id])
    finds({ discovery: followable })
    const html = await textAt(newPage(url), { as: alice })
    expect(asked).toEqual(['search'])
    expect(html).toMatch(/You have this video already.*You already follow/s)
  })

  it('a live stream and a premiere say when they can be downloaded', async ({ alice }) => {
    finds({ look: { video: looked({ live_status: 'live' }) } })
    expect(await textAt(newPage(url), { as: alice })).toContain('It can be downloaded when it ends.')
    finds({ look: { video: looked({ live_status: 'upcoming', starts_at: new Date(Date.now() + 7_300_000) }) } })
    expect(await textAt(newPage(url), { as: alice })).toMatch(/Not out yet, starts.*in 2 hours/s)
  })

  it('a post with several videos says how many there are, and what to do', async () => {
    finds({
      look: {
        list: { title: null, count: 3, channel: { platform_id: null, title: null, page_url: null, image_url: null } },
      },
    })
    const html = await textAt(newPage('https://x.com/slow/status/1'), { as: await person(sql, 'alice') })
    expect(html).toContain('This post has 3 videos.')
    expect(html).toContain('Paste the link of one of its videos')
  })

  it('a private video whose channel is unknown is refused with the sentence about the video', async () => {
    finds({ look: { failure: failureOf({ said: 'ERROR: [youtube] x: Private video. Sign in' }) } })
    const page = await ask(newPage(url), { as: await person(sql, 'alice') })
    const html = await page.text()
    expect(page.status).toBe(422)
    expect(html).toContain('This video is private')
    expect(html).toContain('This page names no feed.')
  })
})

describe('adding and removing', () => {
  it('a kept video leads to its watch page, with a message', async ({ alice }) => {
    finds({})
    const kept = await ask('/videos', { as: alice, form: { url } })
    expect([kept.status, kept.headers.get('location')]).toEqual([303, `/watch/${id}`])
    expect(flashOf(kept).text).toContain('Added to your library.')
    const again = await ask('/videos', { as: alice, form: { url, download: 'on' } })
    expect(flashOf(again).text).toContain('You have this video already. The download is queued.')
    expect(await alice.library.videos.find(id)).toMatchObject({ queued: true })
  })

  it('a refused address shows the field again, with the reason', async ({ alice }) => {
    finds({ look: { failure: failureOf({ said: 'ERROR: Unsupported URL: x' }) } })
    const page = await ask('/videos', { as: alice, form: { url: 'https://h.example/' } })
    expect([page.status, await page.text()]).toEqual([422, expect.stringContaining('No video found on this page')])
    expect((await ask('/videos', { as: alice, form: {} })).status).toBe(422)
  })

  it('a kept video can be removed on its page, and its channel page lasts as long as it has videos', async () => {
    const alice = await person(sql, 'alice')
    const channel = { channel_id: 'kitchen', title: 'Kitchen', page_url: 'https://videos.example/', image_url: null }
    for (const video of ['v1', 'v2']) await alice.library.channels.addVideo(channel, entry(video))
    await has(alice, 'v1', `${alice.user.user_id}/kitchen/v1.mp4`, 2_000_000)
    expect(await textAt('/watch/v1', { as: alice })).toMatch(/Remove from library.*Its file \(2\.0 MB\)/s)

    const [first, second] = [
      await ask('/videos/v1/forget', { as: alice, method: 'POST' }),
      await ask('/videos/v2/forget', { as: alice, method: 'POST' }),
    ]

    expect([first, second].map(({ status, headers }) => [status, headers.get('location')])).toEqual([
      [303, '/channels/kitchen'],
      [303, '/'],
    ])
    expect(await alice.library.channels.list(false)).toEqual([])
  })

  it('a video of a followed channel has no button that removes it', async ({ alice }) => {
    await follows(alice, 'kitchen', ['v1'])
    await alice.library.added.mark('v1')
    expect(await textAt('/watch/v1', { as: alice })).not.toContain('Remove from library')
    expect((await ask('/videos/v1/forget', { as: alice, method: 'POST' })).status).toBe(409)
  })
})

describe('channels with single videos', () => {
  it('the page of a channel that is not followed offers to follow it, and nothing about its feed', async () => {
    const alice = await person(sql, 'alice')
    finds({})
    await ask('/videos', { as: alice, form: { url } })
    const html = await textAt(`/channels/${channel_id}`, { as: alice })
    expect(html).toMatch(/1 video ·.*Not followed/s)
    expect(html).toMatch(/action="\/channels".*name="url" value="https:\/\/www\.youtube\.com\/channel\/UC/s)
    for (const words of ['Refresh', 'Unfollow', '>Feed<', 'Settings</a>', 'Not updated yet'])
      expect(html.split('<main')[1]).not.toContain(words)
    const refreshed = await ask(`/channels/${channel_id}/refresh`, { as: alice, method: 'POST' })
    expect(refreshed.status).toBe(303)
    expect(flashOf(refreshed).text).toContain('You do not follow this channel.')
  })

  it('the list of channels links those with single videos, which have a list of their own', async ({ alice }) => {
    await follows(alice, 'kitchen', ['v1'])
    finds({})
    expect(await textAt('/channels', { as: alice })).not.toContain('Single videos')
    await ask('/videos', { as: alice, form: { url } })
    const [followed, others] = [
      await textAt('/channels', { as: alice }),
      await textAt('/channels?followed=false', { as: alice }),
    ]
    expect(followed).toMatch(
      /You follow 1 channel.*Channel kitchen.*Single videos from 1 channel you don&#39;t follow/s,
    )
    expect(followed).not.toContain(`/channels/${channel_id}`)
    expect(others).toContain(`/channels/${channel_id}`)
    expect(others).not.toContain('Channel kitchen')
  })

  it('unfollowing says how many added videos stay, and keeps them', async ({ alice }) => {
    await follows(alice, channel_id, ['v1', 'v2'])
    finds({})
    await ask('/videos', { as: alice, form: { url } })
    expect(await textAt(`/channels/${channel_id}`, { as: alice })).toContain(
      'This removes 2 videos from your list and deletes their files. 1 video that you added stays.',
    )
    const answer = await ask(`/channels/${channel_id}/delete`, { as: alice, method: 'POST' })
    expect(answer.headers.get('location')).toBe(`/channels/${channel_id}`)
    expect(flashOf(answer).text).toContain('The videos that you added stay here.')
    expect(await alice.library.channels.list(false)).toMatchObject([{ channel_id, entry_count: 1 }])
  })

  it('a person who follows nothing sees added videos on the first page, and the field', async ({ alice }) => {
    finds({})
    await ask('/videos', { as: alice, form: { url } })
    expect(await textAt('/', { as: alice })).toMatch(/Channel, playlist, video or feed.*Bread for people/s)
  })
})

describe('the bookmark', () => {
  it('the settings offer a bookmark that opens the field on this site, which waits for a click there', async () => {
    const alice = await person(sql, 'alice')
    const html = await textAt('/settings/import', { as: alice })
    expect(html).toContain('href="javascript:void(location.href=&quot;http://localhost/channels/new?url=')
    finds({})
    const opened = await ask(newPage(url), { as: alice, headers: { 'sec-fetch-site': 'cross-site' } })
    expect(await opened.text()).toContain(`value="${url}"`)
    expect(asked).toEqual([])
  })
})
