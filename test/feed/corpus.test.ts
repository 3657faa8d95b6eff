/**
 * Feeds, bombs and addresses that others collected, when `FEED_CORPUS` names the folder they are in. It holds
 * `feeds/`, where a `.json` beside an `.xml` may say what its authors expect, `xml-bombs/` and `inside-addresses.txt`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { describe, expect, it } from 'vitest'
import { DomainError } from '../../src/errors.ts'
import { parseFeed } from '../../src/feed/parse.ts'
import { createFeedReader } from '../../src/feed/read.ts'
import { addressPolicy } from '../../src/net/addresses.ts'
import { Feed } from '../../src/schema/feed.ts'
import { expectQuick } from '../support/quick.ts'
import { documentOf } from './fixtures.ts'

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
      const found = readOrRefusal(file)
      if (found instanceof DomainError) expect(found.message).toMatch(/^[A-Z].*\.$/)
      else expect(Feed.parse(found)).toEqual(found)
    })

    it.each(feeds.filter(file => /\.xml$/.test(file) && expectedOf(file)))(
      '%s has as many entries as expected',
      file => {
        const found = readOrRefusal(file)
        if (found instanceof DomainError) throw found
        const { title, items = [] } = expectedOf(file) ?? {}
        expect(found.entries.length + found.skipped).toBe(items.length)
        // Where the expected title is markup, or still coded, ours says the same as text.
        if (title && !/[<&]/.test(title) && !/base64/.test(file)) expect(found.title).toBe(title.trim())
      },
    )
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

function readOrRefusal(file: string, body: Uint8Array = new Uint8Array(readFileSync(file))) {
  try {
    return parseFeed(documentOf(body))
  } catch (fault) {
    if (fault instanceof DomainError) return fault
    throw fault
  }
}

function expectedOf(file: string): { title?: string; items?: unknown[] } | undefined {
  const beside = file.replace(/\.xml$/, '.json')
  if (!existsSync(beside)) return undefined
  const { title, items, entries } = JSON.parse(readFileSync(beside, 'utf8'))
  return { title, items: items ?? entries }
}
