/**
 * Feeds, bombs and addresses that others collected, when `FEED_CORPUS` names the folder they are in. It holds
 * `feeds/`, where a `.json` beside an `.xml` may say what its authors expect, `xml-bombs/` and `inside-addresses.txt`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { describe, expect, it } from 'vitest'
import { DomainError } from '../../src/errors.ts'
import { dateOf } from '../../src/feed/dates/dates.ts'
import { createFeedReader } from '../../src/feed/fetch/fetch-feed.ts'
import { parseFeed } from '../../src/feed/formats/parse.ts'
import { addressPolicy } from '../../src/net/addresses.ts'
import { Feed } from '../../src/schema/sources/feed.ts'
import { expectQuick } from '../support/app/quick.ts'
import { documentOf } from '../support/media/feeds.ts'

const corpora = env.FEED_CORPUS
if (!corpora || !existsSync(corpora)) {
  console.warn('The collected feeds are left out: FEED_CORPUS names no folder of them.')
  it('leaves the collected feeds out, because FEED_CORPUS names no folder of them', () => {
    expect(corpora === undefined || !existsSync(corpora)).toBe(true)
  })
} else {
  withCorpora(corpora)
}

function withCorpora(folder: string) {
  const filesIn = (name: string, pattern: RegExp) =>
    readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })
      .filter(file => pattern.test(file))
      .map(file => join(folder, name, file))
  const feeds = filesIn('feeds', /\.(xml|rss|atom|rdf|it|html|opml)$|jsonfeed_[^/]*(?<!\.serde)\.json$/)

  describe('collected feeds', () => {
    it.each(feeds)('%s is read as the schema says, or refused in words', file => {
      const found = readOnce(file)
      if (found instanceof DomainError) expect(found.message).toMatch(/^[A-Z].*\.$/)
      else expect(Feed.parse(found)).toEqual(found)
    })

    it.each(feeds.filter(file => expectedOf(file)))(
      '%s has the entries, titles and dates that its authors expect',
      file => {
        const found = readOnce(file)
        if (found instanceof DomainError) throw found
        const { title, items } = expectedOf(file) ?? { title: undefined, items: [] }
        expect(items.length - found.entries.length - found.skipped).toBeLessThanOrEqual(missingIn(file))
        // Where the expected title is markup, or still coded, ours says the same as text.
        if (title && !/[<&]/.test(title) && !/base64/.test(file)) expect(found.title).toBe(title.trim())
        if (found.entries.length !== items.length) return
        for (const [index, { title, dates }] of items.entries()) {
          const { title: ours, published_at } = found.entries[index] ?? {}
          if (title && !/[<&]/.test(title)) expect(ours).toBe(title.replace(/\s+/g, ' ').trim())
          if (dates.length > 0) expect(dates).toContain(published_at?.toISOString().slice(0, 19))
        }
      },
    )

    it('has every date that its authors could read', () => {
      const dates = feeds.flatMap(file => datesExpectedIn(expectedJson(file)))
      expect(dates.length).toBeGreaterThan(20)
      expect(dates.filter(([text, expected]) => dateOf(text)?.getTime() !== expected.getTime())).toEqual([])
    })

    it.each(feeds.filter(file => /\/(picofeed|rss-parser|youtube|platforms)\/.*(?<!html|opml)$/.test(file)))(
      '%s has all the entries that open in it, each with its date',
      file => {
        const found = readOnce(file)
        if (file.endsWith('unrecognized.rss')) return expect(found).toBeInstanceOf(DomainError)
        if (found instanceof DomainError) throw found
        const text = readFileSync(file, 'latin1').replace(/<!\[CDATA\[[\s\S]*?\]\]>|<!--[\s\S]*?-->/g, '')
        const openings = text.match(/<(?:[\w-]+:)?(?:item|entry)[\s>/]/g)?.length ?? 0
        const missing = openings - found.entries.length - found.skipped
        expect(missing).toBeGreaterThanOrEqual(0)
        expect(missing).toBeLessThanOrEqual(missingIn(file))
        const dated = found.entries.filter(({ published_at }) => published_at !== null)
        expect(dated.length).toBe(without_dates.some(name => file.endsWith(name)) ? 0 : found.entries.length)
      },
    )

    it('uolNoticias.rss has the dates that it writes in Portuguese', () => {
      const [file = ''] = feeds.filter(file => file.endsWith('uolNoticias.rss'))
      const found = readOnce(file)
      if (found instanceof DomainError) throw found
      expect(found.entries.map(({ published_at }) => published_at?.toISOString().slice(0, 10))).toEqual(
        Array.from({ length: 15 }, () => '2018-09-24'),
      )
    })
  })

  describe('collected bombs', () => {
    it.each(filesIn('xml-bombs', /\.xml$/))('%s is refused', file => {
      expect(readOrRefusal(file)).toBeInstanceOf(DomainError)
    })

    it.each(filesIn('xml-bombs', /\.xml$/))('%s is refused or left unexpanded around a feed', file => {
      const feed = readFileSync(file, 'utf8').replace(
        /<(\w+)>([^<]*)<\/\1>\s*$/,
        '<rss><channel><title>$2</title></channel></rss>',
      )
      expectQuick(1000, () => {
        const found = readOrRefusal(file, new TextEncoder().encode(feed))
        if (!(found instanceof DomainError)) expect(found.title.length).toBeLessThan(200_000)
      })
    })
  })

  describe('collected inside addresses', () => {
    const read = createFeedReader({ policy: addressPolicy([]), limits: { timeout_ms: 5000 } })
    const lines = readFileSync(join(folder, 'inside-addresses.txt'), 'utf8')
      .split('\n')
      .filter(line => line.trim())
    it.each(lines)('%s is refused', async line => {
      await expect(read(line)).rejects.toBeInstanceOf(DomainError)
    })
  })
}

/** How many entries fewer than expected, and why that is right. */
const missing: [file: string, count: number, reason: string][] = [
  ['picofeed/rss_0.92.xml', 1, 'two entries name the same file, and neither has a guid'],
  ['picofeed/youtube.xml', 1, 'one video is in it twice'],
  ['rss-parser/itunes-missing-image.rss', 1, 'one episode is in it twice, with one guid'],
  ['youtube/podtube-ivoox.xml', 33, '33 episodes are in it twice, with one guid each'],
]
const missingIn = (file: string) => missing.find(([name]) => file.endsWith(name))?.[1] ?? 0

/** They have no element for a date. */
const without_dates = ['picofeed/rss_0.91.xml', 'picofeed/rss_0.92.xml', 'rss-parser/heraldsun.rss']

/** Latin-1 that only its server's header calls so. */
const only_in_header = /(uolNoticias\.rss|cercle\.psy\.xml)$/

const known = new Map<string, ReturnType<typeof readOrRefusal>>()
/** Several tests ask about one file, which is read once. */
function readOnce(file: string) {
  const found = known.get(file) ?? readOrRefusal(file)
  known.set(file, found)
  return found
}

function readOrRefusal(file: string, body: Uint8Array = new Uint8Array(readFileSync(file))) {
  try {
    const content_type = only_in_header.test(file) ? 'text/xml; charset=iso-8859-1' : ''
    return parseFeed(documentOf(body, { content_type }))
  } catch (fault) {
    if (fault instanceof DomainError) return fault
    throw fault
  }
}

type Expected = { title: string | undefined; items: { title: string | undefined; dates: string[] }[] }

/** Beside the feed: `.json` by gofeed, `.serde.json` by feed-rs. */
function expectedJson(file: string): Record<string, unknown> | undefined {
  const beside = [file.replace(/\.(xml|json)$/, '.serde.json'), file.replace(/\.xml$/, '.json')]
  const found = beside.find(name => name !== file && existsSync(name))
  return found === undefined ? undefined : JSON.parse(readFileSync(found, 'utf8'))
}

function expectedOf(file: string): Expected | undefined {
  const json = expectedJson(file)
  if (!json) return undefined
  const items = (json.items ?? json.entries ?? []) as Record<string, unknown>[]
  return {
    title: textOf(json.title),
    items: items.map(item => ({
      title: textOf(item.title),
      dates: ['publishedParsed', 'pubDateParsed', 'updatedParsed', 'published', 'updated']
        .flatMap(name => (typeof item[name] === 'string' ? [new Date(item[name])] : []))
        .filter(date => !Number.isNaN(date.getTime()))
        .map(date => date.toISOString().slice(0, 19)),
    })),
  }
}

/** A string, or an object with its content. */
const textOf = (given: unknown): string | undefined =>
  typeof given === 'string' ? given : (given as { content?: string } | null | undefined)?.content

/** gofeed has a date as written and, beside it, as it was read. */
function datesExpectedIn(json: unknown): [string, Date][] {
  if (typeof json !== 'object' || json === null) return []
  return Object.entries(json).flatMap(([name, value]): [string, Date][] => {
    const parsed = (json as Record<string, unknown>)[`${name}Parsed`]
    return typeof value === 'string' && typeof parsed === 'string'
      ? [[value, new Date(parsed)]]
      : datesExpectedIn(value)
  })
}
