/** Answers that cannot be compressed. */
import { Hono } from 'hono'
import { expect, it, vi } from 'vitest'
import { compressAnswer, inBytes } from '../../../src/routes/http/encoding.ts'

vi.mock('node:zlib', async original => ({
  ...(await original<object>()),
  brotliCompress: (_body: Buffer, _options: object, done: (fault: Error) => void) => done(new Error('no memory')),
}))

const text = 'Bread '.repeat(1000)
const app = new Hono()
  .use(async (c, next) => {
    inBytes('')(c)
    await next()
    await compressAnswer(c)
  })
  .get('/page', c => c.render(text, 202))
  .get('/json', c => c.json({ text }, 202))

it.each([
  ['fails', 'br'],
  ['is of a kind that we lack', 'zstd'],
  ['is refused', 'identity, *;q=0'],
])('a page and JSON are sent as they are when their compression %s', async (_, accepted) => {
  for (const [path, body] of Object.entries({ '/page': text, '/json': JSON.stringify({ text }) })) {
    const answer = await app.request(path, { headers: { 'accept-encoding': accepted } })
    const { status, headers } = answer
    expect([status, headers.get('content-encoding'), headers.get('vary')]).toEqual([202, null, 'Accept-Encoding'])
    expect(await answer.text()).toBe(body)
  }
})
