/** Rows of channels are remembered whole, and still show every change of what they show. */
import { expect, it } from 'vitest'
import type { Channel } from '../../../src/schema/channel.ts'
import { ChannelRows } from '../../../src/views/parts/channel-rows.tsx'
import { channel, channelList, now } from '../../support/app/samples.ts'

const html = (changes: Partial<Channel> = {}, at = now) => {
  const list = { ...channelList([]), followed: 1 }
  return String(<ChannelRows list={{ ...list, channels: [channel(changes)] }} now={at} />)
}

const changes: Partial<Channel>[] = [
  { channel_id: 'another' },
  { title: 'Kitchen' },
  { image_url: 'https://videos.example/a.jpg' },
  { picture_url: '/pictures/1/large' },
  { entry_count: 39 },
  { followed: false },
  { last_fetched_at: new Date('2026-11-20T11:45:01Z') },
  { last_fetched_at: null },
  { failing_since: now },
  { fetch_error: 'The site does not answer.' },
  { feed_warning: 'The feed has no dates.' },
]

it('a remembered row shows every change of the channel', () => {
  expect(changes.filter(change => html(change) === html())).toEqual([])
})

it('a remembered row gets older', () => {
  expect(html()).toContain('>15 minutes ago<')
  expect(html({}, new Date('2026-11-20T12:01:00Z'))).toContain('>16 minutes ago<')
  expect(html()).toContain('>15 minutes ago<')
})

it('a channel in trouble says so, with and without a former success', () => {
  expect(html({ fetch_error: 'The site does not answer.' })).toContain(
    '<span class="fault">The site does not answer.</span>',
  )
  expect(html({ feed_warning: 'No dates.', last_fetched_at: null })).toContain(
    'Not updated yet. <span class="fault">No dates.</span>',
  )
})
