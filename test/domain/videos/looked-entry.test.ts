/** Which video and which channel a looked-at video becomes: the same as in its feed. */
import { describe, expect, it } from 'vitest'
import { entryOfLook, videoIdAt } from '../../../src/domain/videos/looked-entry.ts'
import { parseFeed } from '../../../src/feed/formats/parse.ts'
import type { LookedVideo } from '../../../src/schema/sources/listing.ts'
import { looked } from '../../support/app/samples.ts'
import { documentOf } from '../../support/media/feeds.ts'

const channel = (changes: Partial<LookedVideo['channel']>) => ({
  platform_id: null,
  title: null,
  page_url: null,
  image_url: null,
  ...changes,
})

/** What following a feed would give. */
const inFeed = (address: string, link: string) => {
  const rss = `<rss><channel><title>T</title><item><title>V</title><link>${link}</link></item></channel></rss>`
  const { channel_id, entries } = parseFeed(documentOf(rss), address)
  return { channel_id, video_id: entries[0]?.video_id }
}
const inLook = (video_url: string, of: Partial<LookedVideo['channel']>, given = video_url) => {
  const { channel: found, entry } = entryOfLook(looked({ video_url, channel: channel(of) }), given)
  return { channel_id: found.channel_id, video_id: entry.video_id }
}

describe('the entry of a look', () => {
  it.each([
    {
      feed: 'https://www.youtube.com/feeds/videos.xml?channel_id=UCabcdefghijklmnopqrstuv',
      video: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
      of: { platform_id: 'UCabcdefghijklmnopqrstuv', page_url: 'https://www.youtube.com/@slow' },
    },
    {
      feed: 'https://vimeo.com/slowkitchen/videos/rss',
      video: 'https://vimeo.com/76979871',
      of: { platform_id: '12', page_url: 'https://vimeo.com/slowkitchen' },
    },
    {
      feed: 'https://tube.example/feeds/videos.xml?videoChannelName=slow',
      video: 'https://tube.example/videos/watch/9c9de5e8-0a1e-484a-b099-e80766180a6d',
      of: { page_url: 'https://tube.example/video-channels/slow' },
    },
    {
      feed: 'https://odysee.com/$/rss/@slow:1',
      video: 'https://odysee.com/@slow:1/bread:0123456789012345678901234567890123456789',
      of: { page_url: 'https://odysee.com/@slow:1' },
    },
  ])('a looked-at video has the channel and the identifier that the feed $feed gives', ({ feed, video, of }) => {
    expect(inLook(video, of)).toEqual(inFeed(feed, video))
  })

  it('a video has the same identifier under all its addresses', () => {
    expect(videoIdAt('https://youtu.be/dQw4w9WgXcQ?si=x')).toBe('dQw4w9WgXcQ')
    expect(inLook('https://cdn.example/a.mp4', {}, 'https://youtu.be/dQw4w9WgXcQ').video_id).toBe('dQw4w9WgXcQ')
    expect(inLook('https://h.example/film.mp4', {}).video_id).toBe(
      inFeed('https://h.example/feed', 'https://h.example/film.mp4').video_id,
    )
  })

  it('an announced video has the time at which it begins as its date', () => {
    const starts_at = new Date('2026-12-24T20:00:00Z')
    const { entry } = entryOfLook(
      looked({ live_status: 'upcoming', published_at: null, starts_at }),
      'https://h.example/',
    )
    expect(entry).toMatchObject({ published_at: starts_at, published_precision: 'exact' })
  })

  it('a video of a site that names no channel is in a channel of the site', () => {
    const one = entryOfLook(
      looked({ video_url: 'https://www.h.example/a.mp4', channel: channel({}) }),
      'https://www.h.example/',
    )
    const two = entryOfLook(
      looked({ video_url: 'https://www.h.example/b.mp4', channel: channel({}) }),
      'https://www.h.example/',
    )
    expect(one.channel).toEqual({
      channel_id: two.channel.channel_id,
      title: 'h.example',
      page_url: 'https://www.h.example/',
      image_url: null,
    })
  })

  it('a video of a person without a page is in a channel of that person', () => {
    const of = (platform_id: string) =>
      entryOfLook(
        looked({ video_url: 'https://h.example/a', channel: channel({ platform_id, title: `Of ${platform_id}` }) }),
        'https://h.example/a',
      ).channel
    expect(of('x1').title).toBe('Of x1')
    expect(of('x1').channel_id).not.toBe(of('x2').channel_id)
  })

  it('a video without a title has its identifier as title', () => {
    const { entry } = entryOfLook(looked({ title: null }), looked().video_url)
    expect(entry.title).toBe(entry.video_id)
  })
})
