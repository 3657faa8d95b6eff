/** Words instead of a link: the channels with this name, on pages and as JSON. */
import { beforeEach, expect } from 'vitest'
import type { NameSearches } from '../../../src/domain/channels/find-by-name.ts'
import { DomainError } from '../../../src/errors.ts'
import { useApp, withPeople } from '../../support/app/app.ts'

const id = 'UCabcdefghijklmnopqrstuv'
const notes = { title: 'Field Notes', page_url: `https://www.youtube.com/channel/${id}`, site: 'YouTube · @fieldnotes' }
const on_youtube = `https://www.youtube.com/feeds/videos.xml?channel_id=${id}`
const on_peertube = { title: 'Notes', page_url: 'https://tube.example/video-channels/notes', site: 'tube.example' }

let searchYoutube: NameSearches['searchYoutube']
let searchPeertube: NameSearches['searchPeertube']
const names: NameSearches = {
  searchYoutube: request => searchYoutube(request),
  searchPeertube: request => searchPeertube(request),
}
const app = useApp({ names })
const { ask, jsonAt, textAt } = app
const it = withPeople(app)
beforeEach(() => {
  searchYoutube = async () => ({ channels: [notes] })
  searchPeertube = async () => [on_peertube]
})

it('the field finds channels by name, each with a button to follow it', async ({ alice }) => {
  const posted = await textAt('/channels', { as: alice, form: { url: 'field notes' } })
  const page = await textAt('/channels/new?url=field+notes', { as: alice })
  for (const html of [posted, page]) {
    expect(html).toContain('Channels named “<bdi>field notes</bdi>”')
    expect(html).toContain(`<input type="hidden" name="url" value="${notes.page_url}"/>`)
    expect(html).toContain('YouTube · @fieldnotes')
    // She follows nothing on this server.
    expect(html).not.toContain('tube.example')
  }
})

it('the servers of followed channels are asked too, and a followed channel says so', async ({ alice }) => {
  const tube = 'https://tube.example/feeds/videos.xml?videoChannelName=other'
  await alice.library.channels.save({ channel_id: 'other', title: 'Other', rss_url: tube }, [])
  await alice.library.channels.save({ channel_id: id, title: 'Field Notes', rss_url: on_youtube }, [])
  const asked: string[] = []
  searchPeertube = async ({ origin }) => {
    asked.push(origin)
    return [on_peertube]
  }
  const page = await textAt('/channels/new?url=notes', { as: alice })
  expect(asked).toEqual(['https://tube.example'])
  expect(page).toContain('<p class="quiet">Following</p>')
  expect(page).toContain(`value="${on_peertube.page_url}"`)
})

it('a server cannot rename a channel that YouTube found', async ({ alice }) => {
  const tube = 'https://tube.example/feeds/videos.xml?videoChannelName=other'
  await alice.library.channels.save({ channel_id: 'other', title: 'Other', rss_url: tube }, [])
  const same_page = { title: 'Not its name', page_url: notes.page_url, site: 'www.youtube.com' }
  const same_feed = { ...same_page, page_url: `https://m.youtube.com/channel/${id}` }
  searchPeertube = async () => [same_page, same_feed, on_peertube]
  const page = await textAt('/channels/new?url=notes', { as: alice })
  expect(page).toContain('<bdi>Field Notes</bdi>')
  expect(page).not.toContain('Not its name')
  expect(page).toContain('<bdi>tube.example</bdi>')
})

it('as JSON, the feeds of the channels are found', async ({ alice }) => {
  expect(await jsonAt('/api/discover?url=field+notes', { as: alice })).toEqual({
    found: [{ rss_url: on_youtube, kind: 'channel', title: 'Field Notes', entries: null, newest_at: null }],
    tried: [],
  })
})

it('a site that refuses says so, and the page says what to do', async ({ alice }) => {
  searchYoutube = () => Promise.reject(new DomainError('unavailable', 'Try again in a minute.'))
  const page = await textAt('/channels/new?url=field+notes', { as: alice })
  expect(page).toContain('YouTube: Try again in a minute.')
  expect(page).toContain('Paste the link of the channel instead.')
})

it('a link is still a link', async ({ alice }) => {
  let searches = 0
  searchYoutube = async () => {
    searches += 1
    return { channels: [] }
  }
  for (const url of ['@notes', 'videos.example', 'https://videos.example/a'])
    await ask('/channels', { as: alice, form: { url } })
  expect(searches).toBe(0)
})
