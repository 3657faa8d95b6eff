/** Big documents of several people at once: who waits for whom, and what ends. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, vi } from 'vitest'
import { choicesApart, parseApart } from '../../../src/feed/fetch/parse-apart.ts'
import { documentOf } from '../../support/media/feeds.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const feedOf = (items: string) => `<rss><channel><title>T</title>${items}</channel></rss>`
const item = (n: number, text: string) =>
  `<item><link>https://a.example/${n}</link><description>${text}</description></item>`
const ordinary = documentOf(feedOf(Array.from({ length: 100 }, (_, n) => item(n, 'x'.repeat(900))).join('')))
const hard = documentOf(feedOf(item(1, `<a/>${'&lt;'.repeat(150_000)}`)))

describe('a big document', () => {
  it('of one person waits behind at most one of the twenty documents of another person', async () => {
    let done = 0
    const enough = new AbortController()
    const hers = Array.from({ length: 20 }, () =>
      parseApart(hard, hard.url, { whose: 'alice', signal: enough.signal }).then(() => {
        done += 1
      }),
    )
    const all = Promise.allSettled(hers)
    const feed = await parseApart(ordinary, ordinary.url, { whose: 'bob' })
    expect(feed.entries).toHaveLength(100)
    expect(done).toBeLessThanOrEqual(3)
    enough.abort()
    await all
  })

  it('a document that takes too much processor time is refused in a sentence', async () => {
    const reading = parseApart(hard, hard.url, { processor_ms: 20 })
    await expect(reading).rejects.toMatchObject({ code: 'not_a_feed', message: expect.stringContaining('too complex') })
  })

  it.each([
    ['XML', feedOf('<item/>'.repeat(9000))],
    ['JSON', `{"items":[${'{},'.repeat(20_000)}{}]}`],
  ])('may be short and full of entries, in %s', async (_, text) => {
    const short = documentOf(text)
    expect(short.body.length).toBeLessThan(64 * 1024)
    await expect(parseApart(short, short.url, { timeout_ms: 0 })).rejects.toThrow('too complex')
  })

  it('a person who leaves gives up the turn', async () => {
    const leaving = new AbortController()
    const [first, second] = [1, 2].map(() => parseApart(hard, hard.url, { whose: 'carol', signal: leaving.signal }))
    leaving.abort(new Error('left'))
    await expect(second).rejects.toThrow('left')
    expect((await first)?.entries).toHaveLength(1)
  })

  it('a document that was read leaves nothing in memory', async () => {
    const read = async () => new WeakRef(await parseApart(ordinary, ordinary.url, { whose: 'dave' }))
    const feed = await read()
    await vi.waitFor(() => {
      collectGarbage()
      expect(feed.deref() === undefined).toBe(true)
    })
  })

  it('entries that arrive in pieces are complete', async () => {
    const texts = Array.from({ length: 450 }, (_, n) => String(n).repeat(2000))
    const document = documentOf(feedOf(texts.map((text, n) => item(n, text)).join('')))
    const { entries } = await parseApart(document, document.url)
    expect(entries.map(({ description }) => description)).toEqual(texts)
  })

  it('a big web page says which feeds it names', async () => {
    const link = '<link rel="alternate" type="application/rss+xml" href="/feed">'
    const page = documentOf(`<html><head>${link}</head>${'<p>x</p>'.repeat(20_000)}</html>`)
    expect(await choicesApart(page)).toMatchObject([{ rss_url: new URL('/feed', page.url).href }])
    expect(await choicesApart(ordinary)).toBeUndefined()
  })
})
