/** The memory of documents that are fetched and read at once. */
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { fetchDocument } from '../../../src/feed/fetch/fetch.ts'
import { memoryFor, type Share } from '../../../src/feed/fetch/memory.ts'
import { addressPolicy } from '../../../src/net/addresses.ts'
import { siteWith } from '../../support/media/feed-site.ts'

const policy = addressPolicy(['127.0.0.1'])
const MB = 1024 * 1024

/** A document that keeps its memory until `end` is called. */
function open(withShare: ReturnType<typeof memoryFor>) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<Share>()
  const done = withShare(share => {
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
])('thirty documents of 3 MB %s keep at most the limit and one document more', async (_, sent, headers) => {
  const site = await siteWith((_, response) => response.writeHead(200, headers).end(sent))
  const withShare = memoryFor({ free_bytes: 64 * 1024, most_bytes: 8 * MB })
  let kept = 0
  let most = 0
  const read = () =>
    withShare(async share => {
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
  const sizes = await Promise.all(Array.from({ length: 30 }, read))
  expect(sizes).toEqual(Array.from({ length: 30 }, () => 3 * MB))
  expect(most).toBeLessThanOrEqual(8 * MB + 5 * MB + 30 * 64 * 1024)
})

it('documents that are all half read do not wait for each other', async () => {
  const withShare = memoryFor({ free_bytes: 0, most_bytes: 10 })
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
  const withShare = memoryFor({ free_bytes: 4, most_bytes: 10 })
  const [big, small] = [open(withShare), open(withShare)]
  await (await big.share).grow(1000)
  expect(await isWaiting((await small.share).grow(4))).toBe(false)
  const more = (await small.share).grow(1)
  expect(await isWaiting(more)).toBe(true)
  await Promise.all([big.end(), small.end()])
  await more
})

it('a document that ends while it waits gives all of its memory back', async () => {
  const withShare = memoryFor({ free_bytes: 0, most_bytes: 10 })
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
