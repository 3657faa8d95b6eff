/** The memory of documents that are fetched and read at once. */
import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished, vi } from 'vitest'
import { fetchDocument } from '../../../src/feed/fetch/fetch.ts'
import { createChangeFetcher, createFeedReader, fetchContent } from '../../../src/feed/fetch/fetch-feed.ts'
import { memoryFor, type Share, type WithShare, withMemory } from '../../../src/feed/fetch/memory.ts'
import { addressPolicy } from '../../../src/net/addresses.ts'
import { never_fetched } from '../../../src/schema/sources/feed.ts'
import { siteWith } from '../../support/media/feed-site.ts'

const policy = addressPolicy(['127.0.0.1'])
const MB = 1024 * 1024

/** A document that keeps its memory until `end` is called. */
function open(withShare: WithShare, whose = 'ana') {
  const { promise, resolve } = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<Share>()
  const done = withShare(whose, share => {
    opened.resolve(share)
    return promise
  })
  const end = () => {
    resolve()
    return done
  }
  return { share: opened.promise, end }
}

/** Whether it still waits once everything that can run has run. */
async function isWaiting(growing: Promise<void>): Promise<boolean> {
  const later = new Promise<'waits'>(resolve => setImmediate(() => resolve('waits')))
  return (await Promise.race([growing, later])) === 'waits'
}

const zeros = Buffer.alloc(3 * MB)

it.each([
  ['sent as they are', zeros, {}],
  ['sent packed', gzipSync(zeros), { 'content-encoding': 'gzip' }],
])('ten documents of 3 MB %s keep at most the limit and one document more', async (_, sent, headers) => {
  const site = await siteWith((_, response) => response.writeHead(200, headers).end(sent))
  const withShare = memoryFor({ free_bytes: 64 * 1024, max_bytes_beyond: 8 * MB })
  let kept = 0
  let most = 0
  const read = () =>
    withShare('ana', async share => {
      let own = 0
      const counted: Share = {
        async grow(bytes) {
          await share.grow(bytes)
          own += bytes
          kept += bytes
          most = Math.max(most, kept)
        },
      }
      const { body } = await fetchDocument(site.url, { policy }, counted)
      await new Promise(resolve => setImmediate(resolve))
      kept -= own
      return body.length
    })
  const sizes = await Promise.all(Array.from({ length: 10 }, read))
  expect(sizes).toEqual(Array(10).fill(3 * MB))
  expect(most).toBeLessThanOrEqual(8 * MB + 5 * MB + 10 * 64 * 1024)
})

/** Reads a document with a time limit of one second, of a clock that the test moves. `waits` resolves when it waits for memory. */
async function readSlowly(withShare: WithShare, answer: RequestListener, signal?: AbortSignal) {
  const site = await siteWith(answer)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const waits = Promise.withResolvers<void>()
  const document = withShare('ana', share => {
    const watched: Share = {
      grow(bytes) {
        const growing = share.grow(bytes)
        isWaiting(growing).then(is => is && waits.resolve(), waits.reject)
        return growing
      },
    }
    return fetchDocument(site.url, { policy, signal, limits: { timeout_ms: 1000 } }, watched)
  })
  document.catch(() => {})
  return { document, waits: waits.promise }
}

/** Another document keeps all memory until `end` is called. */
async function fullMemory() {
  const withShare = memoryFor({ free_bytes: 64 * 1024, max_bytes_beyond: 1 })
  const { share, end } = open(withShare)
  await (await share).grow(64 * 1024 + 1)
  return { withShare, end }
}

it.each([
  ['sent as it is', zeros, {}],
  ['sent packed', gzipSync(zeros), { 'content-encoding': 'gzip' }],
])(
  'a document %s that waits for memory longer than the time limit of its fetch is still read',
  async (_, sent, headers) => {
    const { withShare, end } = await fullMemory()
    const { document, waits } = await readSlowly(withShare, (_, response) => response.writeHead(200, headers).end(sent))
    await waits
    vi.advanceTimersByTime(60_000)
    await end()
    expect((await document).body).toHaveLength(3 * MB)
  },
)

it('the time limit of a fetch goes on after its document has waited for memory', async () => {
  const { withShare, end } = await fullMemory()
  const { document, waits } = await readSlowly(withShare, (_, response) => response.write(zeros))
  await waits
  await end()
  await new Promise(resolve => setImmediate(resolve))
  vi.advanceTimersByTime(1000)
  await expect(document).rejects.toMatchObject({ code: 'feed_timeout' })
})

it('a fetch that is aborted while its document waits for memory ends, and leaves no timer and no memory in use', async () => {
  const { withShare, end } = await fullMemory()
  const enough = new AbortController()
  const answer: RequestListener = (_, response) => response.end(zeros)
  const { document, waits } = await readSlowly(withShare, answer, enough.signal)
  await waits
  enough.abort(new Error('enough'))
  await expect(document).rejects.toThrow('enough')
  expect(vi.getTimerCount()).toBe(0)
  await end()
  const next = open(withShare)
  await (await next.share).grow(MB)
  await next.end()
})

it('documents that are all half read do not wait for each other', async () => {
  const withShare = memoryFor({ free_bytes: 0, max_bytes_beyond: 10 })
  const [one, other] = [open(withShare), open(withShare)]
  await (await one.share).grow(5)
  await (await other.share).grow(5)
  const others = (await other.share).grow(5)
  expect(await isWaiting(others)).toBe(true)
  expect(await isWaiting((await one.share).grow(5))).toBe(false)
  await one.end()
  expect(await isWaiting(others)).toBe(false)
  await other.end()
})

it('a small document never waits', async () => {
  const withShare = memoryFor({ free_bytes: 4, max_bytes_beyond: 10 })
  const [big, small] = [open(withShare), open(withShare)]
  await (await big.share).grow(1000)
  expect(await isWaiting((await small.share).grow(4))).toBe(false)
  const more = (await small.share).grow(1)
  expect(await isWaiting(more)).toBe(true)
  await Promise.all([big.end(), small.end()])
  await more
})

it('a document that ends while it waits gives all of its memory back', async () => {
  const withShare = memoryFor({ free_bytes: 0, max_bytes_beyond: 10 })
  const [first, second, third] = [open(withShare), open(withShare), open(withShare)]
  await (await first.share).grow(8)
  await (await second.share).grow(2)
  const refused = expect((await second.share).grow(5)).rejects.toThrow('no longer needed')
  const thirds = (await third.share).grow(2)
  expect(await isWaiting(thirds)).toBe(true)
  await second.end()
  await refused
  expect(await isWaiting(thirds)).toBe(false)
  await Promise.all([first.end(), third.end()])
})

it('slow documents of one person never keep the first document of another person waiting for memory', async () => {
  const withShare = memoryFor({ free_bytes: 0, max_bytes_beyond: 10 })
  const [anas, anas_next] = [open(withShare, 'ana'), open(withShare, 'ana')]
  const [bens, bens_next] = [open(withShare, 'ben'), open(withShare, 'ben')]
  await (await anas.share).grow(10)
  const next_of_ana = (await anas_next.share).grow(5)
  expect(await isWaiting((await bens.share).grow(5))).toBe(false)
  const next_of_ben = (await bens_next.share).grow(10)
  expect(await isWaiting(next_of_ben)).toBe(true)
  await bens.end()
  expect(await isWaiting(next_of_ben)).toBe(false)
  expect(await isWaiting(next_of_ana)).toBe(true)
  await anas.end()
  expect(await isWaiting(next_of_ana)).toBe(false)
  await Promise.all([anas_next.end(), bens_next.end()])
})

it.each([
  ['found for a person', '', (url: string) => fetchContent(url, { policy, whose: 'ben' })],
  ['read for a person', '', (url: string) => createFeedReader({ policy })(url, 'ben')],
  ['fetched on schedule', 'ana', (url: string) => createChangeFetcher({ policy })(url, never_fetched)],
])('a big feed that is %s does not wait for the documents of another person', async (_, another, read) => {
  const site = await siteWith((_, response) => response.end(`<rss><channel>${' '.repeat(MB)}</channel></rss>`))
  const slow = open(withMemory, another)
  onTestFinished(slow.end)
  await (await slow.share).grow(40 * MB)
  await expect(read(site.url)).resolves.toBeTruthy()
})
