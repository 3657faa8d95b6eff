/** Rows of channels show every change of what they are about. */
import { expect, it } from 'vitest'
import type { ListedChannel } from '../../../src/schema/channels/channel.ts'
import { ChannelRows } from '../../../src/views/channels/channels-page.tsx'
import { channelList, listedChannel, now } from '../../support/app/samples.ts'

const html = (changes: Partial<ListedChannel> = {}, at = now) => {
  const list = { ...channelList([]), followed: 1 }
  return String(<ChannelRows list={{ ...list, channels: [listedChannel(changes)] }} now={at} />)
}

const changes: Partial<ListedChannel>[] = [
  { channel_id: 'another' },
  { title: 'Kitchen' },
  { image_url: 'https://videos.example/a.jpg' },
  { picture_url: '/pictures/1/large' },
  { followed: false },
  { unwatched: 0 },
  { on_disk_bytes: 5 },
  { auto_download: true },
  { newest_title: null },
  { newest_at: new Date('2026-11-20T11:45:01Z') },
  { failing_since: now },
  { fetch_error: 'The site does not answer.' },
  { feed_warning: 'The feed has no dates.' },
]

it('a row shows every change of the channel', () => {
  expect(changes.filter(change => html(change) === html())).toEqual([])
})

it('a row gets older', () => {
  expect(html()).toContain('>15 minutes ago<')
  expect(html({}, new Date('2026-11-20T12:01:00Z'))).toContain('>16 minutes ago<')
  expect(html()).toContain('>15 minutes ago<')
})

it('only a channel in trouble says so', () => {
  expect(html({ fetch_error: 'The site does not answer.' })).toContain(
    '<span class="fault">The site does not answer.</span>',
  )
  expect(html({ feed_warning: 'No dates.' })).toContain('<span class="fault">No dates.</span>')
  expect(html()).not.toContain('trouble')
})

it('a channel without videos says whether it was updated yet', () => {
  const empty = { newest_title: null, newest_at: null }
  expect(html(empty)).toContain('No videos')
  expect(html({ ...empty, last_fetched_at: null })).toContain('Not updated yet')
})

it('a name and a title in any script do not move the words around them', () => {
  const title = 'وثائقيات الصحراء'
  expect(html({ title, newest_title: title }).match(/<bdi>وثائقيات الصحراء<\/bdi>/g)).toHaveLength(2)
})
