/** In memory: the XML of a podcast, as two parsers of podcasts and a strict XML parser read it. */
import { XMLValidator } from 'fast-xml-parser'
import { parseRssFeed } from 'feedsmith'
import { parseFeed } from 'podcast-partytime'
import { describe, expect, it } from 'vitest'
import { feedXml } from '../../../src/domain/podcasts/feed-xml.ts'
import type { Episode, ShownPodcast } from '../../../src/schema/podcasts/podcast.ts'

const podcast = (changes: Partial<ShownPodcast> = {}): ShownPodcast => ({
  podcast_id: '3f6d2c1e-8a51-4c5e-9a35-2f3c0a8a1f10',
  of: { channel_id: 'UCslow-kitchen' },
  kind: 'video',
  newest: 50,
  title: 'Slow Kitchen',
  created_at: new Date('2026-11-01T10:00:00Z'),
  page_url: 'https://videos.example/slow-kitchen',
  picture_id: 'b0b1a2c3-0000-4000-8000-000000000001',
  language: 'en-GB',
  ...changes,
})

const episode = (changes: Partial<Episode> = {}): Episode => ({
  video_id: 'dQw4w9WgXcQ',
  title: 'Bread for people who have no time',
  channel_title: 'Slow Kitchen',
  description: 'Three loaves, one bowl.\nFlour & water <slowly>',
  video_url: 'https://videos.example/watch?v=dQw4w9WgXcQ&list=bread',
  published_at: new Date('2026-11-20T09:00:00Z'),
  completed_at: new Date('2026-11-20T11:00:00Z'),
  duration_seconds: 3723,
  is_explicit: false,
  extension: 'mp4',
  file_size: 5_000_000_123,
  transcript: 'en-x-auto',
  has_chapters: true,
  picture_id: 'b0b1a2c3-0000-4000-8000-000000000002',
  ...changes,
})

const site = 'https://tv.example.org/backlot'
const base = `${site}/f/secret/`
const written = (of: Partial<ShownPodcast>, ...episodes: Episode[]) => feedXml(podcast(of), episodes, { base, site })

/** What the first parser reads, in the words of the second, without what only one of them reads. */
function byPartytime(xml: string) {
  const feed = parseFeed(xml)
  if (!feed) throw new Error('The parser reads no podcast.')
  return {
    title: feed.title,
    link: feed.link,
    description: feed.description,
    language: feed.language,
    ttl: feed.ttl,
    generator: feed.generator,
    built: feed.lastBuildDate,
    image: feed.itunesImage,
    author: [feed.author].flat()[0],
    explicit: feed.explicit,
    block: feed.itunesBlock,
    type: feed.itunesType,
    guid: feed.guid,
    medium: feed.medium,
    episodes: feed.items.map(item => ({
      title: item.title,
      link: item.link,
      guid: item.guid,
      at: item.pubDate,
      author: [item.author].flat()[0],
      enclosure: item.enclosure,
      duration: item.duration,
      explicit: item.explicit,
      image: item.itunesImage,
      transcript: item.podcastTranscripts?.map(({ url, type, language }) => ({ url, type: String(type), language }))[0],
      chapters: item.podcastChapters && { url: item.podcastChapters.url, type: item.podcastChapters.type },
    })),
  }
}

function byFeedsmith(xml: string) {
  const { itunes, podcast, items = [], ...feed } = parseRssFeed(xml)
  const date = (text?: string) => (text === undefined ? undefined : new Date(text))
  return {
    title: feed.title,
    link: feed.link,
    description: feed.description,
    language: feed.language,
    ttl: feed.ttl,
    generator: feed.generator,
    built: date(feed.lastBuildDate),
    image: itunes?.image,
    author: itunes?.author,
    explicit: itunes?.explicit,
    block: itunes?.block,
    type: itunes?.type,
    guid: podcast?.guid,
    medium: podcast?.medium,
    episodes: items.map(({ itunes, podcast, ...item }) => ({
      title: item.title,
      link: item.link,
      guid: item.guid?.value,
      at: date(item.pubDate),
      author: itunes?.author,
      enclosure: item.enclosures?.[0],
      duration: itunes?.duration,
      explicit: itunes?.explicit,
      image: itunes?.image,
      transcript: podcast?.transcripts?.[0],
      chapters: podcast?.chapters,
    })),
  }
}

it('two parsers read the same of every field', async () => {
  const xml = await written({}, episode(), episode({ video_id: 'a/b ?&#é', is_explicit: true, extension: 'm4a' }))

  const read = byFeedsmith(xml)
  expect(read).toEqual({
    title: 'Slow Kitchen',
    link: 'https://videos.example/slow-kitchen',
    language: 'en-GB',
    ttl: 60,
    description: 'Videos on disk: Slow Kitchen',
    generator: 'Backlot',
    built: new Date('2026-11-20T11:00:00Z'),
    image: `${base}feed.jpg`,
    author: 'Slow Kitchen',
    explicit: true,
    block: true,
    type: 'episodic',
    guid: '3f6d2c1e-8a51-4c5e-9a35-2f3c0a8a1f10',
    medium: 'video',
    episodes: [
      {
        title: 'Bread for people who have no time',
        link: 'https://videos.example/watch?v=dQw4w9WgXcQ&list=bread',
        guid: 'dQw4w9WgXcQ',
        at: new Date('2026-11-20T09:00:00Z'),
        author: 'Slow Kitchen',
        duration: 3723,
        enclosure: { url: `${base}dQw4w9WgXcQ.mp4`, length: 5_000_000_123, type: 'video/mp4' },
        explicit: false,
        image: `${base}dQw4w9WgXcQ.jpg`,
        transcript: { url: `${base}dQw4w9WgXcQ.vtt`, type: 'text/vtt', language: 'en' },
        chapters: { url: `${base}dQw4w9WgXcQ.chapters.json`, type: 'application/json+chapters' },
      },
      expect.objectContaining({
        guid: 'a/b ?&#é',
        explicit: true,
        enclosure: { url: `${base}a%2Fb%20%3F%26%23%C3%A9.m4a`, length: 5_000_000_123, type: 'audio/mp4' },
      }),
    ],
  })
  expect(byPartytime(xml)).toEqual(read)
  // The first parser makes plain text of it; an app shows it as HTML.
  expect(parseRssFeed(xml).items?.[0]?.description).toBe(
    'Three loaves, one bowl.<br>\nFlour &amp; water &lt;slowly&gt;',
  )
  const { itunes, podcast } = parseRssFeed(xml)
  expect([itunes?.block, podcast?.locked?.value]).toEqual([true, true])
  expect(parseRssFeed(xml).items?.map(({ itunes }) => itunes?.block)).toEqual([true, true])
})

it('a podcast without episodes, pictures and a language is a podcast', async () => {
  const xml = await written({
    of: { list: 'later' },
    picture_id: null,
    language: null,
    page_url: null,
    title: 'Watch later',
  })

  const { title, link, image, language, author, built, episodes } = byPartytime(xml)
  expect({ title, link, image, language, author, episodes }).toEqual({
    title: 'Watch later',
    link: site,
    image: `${base}feed.jpg`,
    language: 'en',
    author: undefined,
    episodes: [],
  })
  expect(built).toEqual(new Date('2026-11-01T10:00:00Z'))
  expect(byFeedsmith(xml)).toEqual(byPartytime(xml))
})

it('a podcast names its own address, a category and a language, which directories require', async () => {
  const feed = parseRssFeed(await written({ language: null }))
  expect(feed.atom?.links).toEqual([{ href: `${base}feed.xml`, rel: 'self', type: 'application/rss+xml' }])
  expect(feed.itunes?.categories).toEqual([{ text: 'TV & Film' }])
  expect(feed.language).toBe('en')
})

it('the title of a podcast of sound tells it from that of the films', async () => {
  const { title, author } = byPartytime(await written({ kind: 'audio' }))
  expect({ title, author }).toEqual({ title: 'Slow Kitchen (sound)', author: 'Slow Kitchen' })
})

it('a podcast without a picture shows the first picture of an episode', async () => {
  const xml = await written({ picture_id: null }, episode({ picture_id: null }), episode({ video_id: 'second' }))

  const { image, episodes } = byFeedsmith(xml)
  expect([image, ...episodes.map(({ image }) => image)]).toEqual([`${base}feed.jpg`, undefined, `${base}second.jpg`])
})

describe('words of strangers', () => {
  it.each([
    ['control characters', 'Bread\u0000\u0007\u001b[31m\u009b', 'Bread[31m'],
    ['halves of surrogate pairs', 'Bread \ud83c', 'Bread \ufffd'],
    ['characters that XML forbids', 'Bread\ufffe\uffff', 'Bread'],
    ['emoji', '🍞 Bread 👩‍🍳', '🍞 Bread 👩‍🍳'],
    ['the end of a CDATA section', 'Bread ]]> and <![CDATA[ butter', 'Bread ]]> and <![CDATA[ butter'],
    ['elements', '</title><item><title>Mine</title>', '</title><item><title>Mine</title>'],
    ['entities', 'Salt &amp; bread &#x41; &lol; "\'', 'Salt &amp; bread &#x41; &lol; "\''],
    ['10,000 letters', 'b'.repeat(10_000), `${'b'.repeat(499)}…`],
    ['nothing', ' \u0000', 'Untitled'],
  ])('a title with %s breaks nothing', async (_, title, expected) => {
    const xml = await written(
      { title },
      episode({
        title,
        channel_title: title,
        description: title,
        video_url: `https://videos.example/${encodeURIComponent(title.toWellFormed())}`,
      }),
    )

    expect(XMLValidator.validate(xml)).toBe(true)
    expect(byFeedsmith(xml).episodes.map(({ title }) => title)).toEqual([expected])
    expect(parseRssFeed(xml).items).toHaveLength(1)
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/)
  })

  it('a description of any length is cut', async () => {
    const xml = await written({}, episode({ description: 'bread & '.repeat(10_000) }))

    expect(xml.length).toBeLessThan(12_000)
    expect(XMLValidator.validate(xml)).toBe(true)
  })
})
