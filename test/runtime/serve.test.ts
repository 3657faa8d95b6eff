/** What only a real connection shows. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import process from 'node:process'
import { describe, expect, it } from 'vitest'
import { serve } from '../../src/runtime/serve.ts'
import { useApp } from '../support/app/app.ts'
import { follows, person } from '../support/app/people.ts'

const app = useApp()

/** Sends these lines as they are, and gives the first line of the answer. */
async function say(url: string, lines: string[]): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write([...lines, '', ''].join('\r\n'))
  const [answer] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return answer.toString().split('\r\n')[0] ?? ''
}

it('requests without a body, as curl sends them, are accepted', async () => {
  const alice = await person(app.sql, 'alice')
  await follows(alice, 'kitchen', ['v1'])
  const server = await serve(app.app.fetch, '127.0.0.1', 0)

  const head = ['POST /api/download/v1 HTTP/1.1', 'Host: localhost', `Cookie: ${alice.cookie}`]
  const bare = await say(server.url, head)
  const typed = await say(server.url, [...head, 'Content-Type: application/x-www-form-urlencoded', 'Content-Length: 0'])
  const removed = await say(
    server.url,
    head.map(line => line.replace('POST', 'DELETE')),
  )
  const chunked = await say(server.url, [...head, 'Transfer-Encoding: chunked', '', '3', 'a=b', '0'])

  await server.close()
  expect([bare, typed, removed, chunked]).toEqual([
    'HTTP/1.1 202 Accepted',
    'HTTP/1.1 202 Accepted',
    'HTTP/1.1 200 OK',
    'HTTP/1.1 415 Unsupported Media Type',
  ])
})

/** Everything that is answered until the other end closes, or has said `enough`. */
/** Until the other end hangs up, by a reset too: what is still sent to it then may take its last words away. */
async function hear(socket: Socket, enough?: RegExp): Promise<string> {
  let heard = ''
  try {
    for await (const chunk of socket) {
      heard += String(chunk)
      if (enough?.test(heard)) break
    }
  } catch {}
  return heard
}

describe('whoever sends too much', () => {
  const gigabyte = 1024 ** 3
  const chunk = Buffer.alloc(64 * 1024, 'x')

  it.each([
    ['with its length', [`Content-Length: ${gigabyte}`], (part: Buffer) => [part]],
    [
      'in chunks without one',
      ['Transfer-Encoding: chunked'],
      (part: Buffer) => [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')],
    ],
  ])('a gigabyte %s is refused after the limit, and memory stays flat', async (_, headers, framed) => {
    const alice = await person(app.sql, 'alice')
    const server = await serve(app.app.fetch, '127.0.0.1', 0)
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.on('error', () => {})
    const before = process.memoryUsage().rss
    const head = ['POST /api/channels HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', ...headers]
    socket.write([...head, `Cookie: ${alice.cookie}`, '', ''].join('\r\n'))

    const heard = hear(socket)
    let sent = 0
    // What is sent after the answer could only take it away.
    let is_answered = false
    socket.once('data', () => {
      is_answered = true
    })
    while (sent < gigabyte && socket.writable && !is_answered) {
      for (const piece of framed(chunk)) if (!socket.write(piece)) await drained(socket)
      sent += chunk.length
    }
    const answer = await heard
    await server.close()

    expect(answer).toMatch(/^HTTP\/1.1 413 [\s\S]*application\/problem\+json/)
    expect(sent).toBeLessThan(gigabyte / 4)
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 ** 2)
  })

  it('a body a little too large gets 413, and the connection can be used again', async () => {
    const alice = await person(app.sql, 'alice')
    const server = await serve(app.app.fetch, '127.0.0.1', 0)
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    const length = 5 * 1024 * 1024
    const head = ['POST /api/channels HTTP/1.1', 'Host: localhost', 'Content-Type: application/json']
    socket.write([...head, `Cookie: ${alice.cookie}`, `Content-Length: ${length}`, '', ''].join('\r\n'))
    socket.write(Buffer.alloc(length, ' '))
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    const answers = await hear(socket)
    await server.close()
    expect(answers.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
  })

  const drained = (socket: Socket) =>
    new Promise<void>(resolve => {
      const go = () => {
        for (const event of ['drain', 'close'] as const) socket.off(event, go)
        resolve()
      }
      for (const event of ['drain', 'close'] as const) socket.on(event, go)
      if (socket.destroyed) go()
    })

  it('too large headers get 431', async () => {
    const server = await serve(app.app.fetch, '127.0.0.1', 0)
    const cookie = await say(server.url, ['GET / HTTP/1.1', 'Host: localhost', `Cookie: session=${'x'.repeat(17_000)}`])
    await server.close()
    expect(cookie).toMatch(/^HTTP\/1.1 431/)
  })
})

describe('whoever sends a letter at a time', () => {
  it.each([
    ['in the headers', 'GET /login HTTP/1.1\r\nHost: local'],
    [
      'in the body',
      'POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nuser',
    ],
  ])('a client that sends a letter at a time %s is disconnected', async (_, beginning) => {
    const hurried = { headersTimeout: 200, requestTimeout: 300, connectionsCheckingInterval: 50 }
    const server = await serve(app.app.fetch, '127.0.0.1', 0, hurried)
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.on('error', () => {})
    const heard = hear(socket)
    socket.write(beginning)
    const drip = setInterval(() => socket.write('x'), 20)
    const answer = await heard
    clearInterval(drip)
    await server.close()
    expect(answer).toMatch(/^(HTTP\/1\.1 408|$)/)
  })

  it('an answer may take longer than a request', async () => {
    const hurried = { headersTimeout: 100, requestTimeout: 150, connectionsCheckingInterval: 20 }
    const film = new ReadableStream({
      async start(film) {
        for (const part of ['a', 'long', 'film']) {
          await new Promise(resolve => setTimeout(resolve, 200))
          film.enqueue(new TextEncoder().encode(part))
        }
        film.close()
      },
    })
    const server = await serve(() => new Response(film), '127.0.0.1', 0, hurried)
    expect(await (await fetch(server.url)).text()).toBe('alongfilm')
    await server.close()
  })
})

describe('odd requests', () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  it.each([
    ['GET', `/api/history/${'x'.repeat(10_000)}`, undefined, [404]],
    ['GET', `/watch/${'x'.repeat(10_000)}`, undefined, [404]],
    ['POST', `/api/download/${'é'.repeat(2000)}`, undefined, [404]],
    ['GET', '/api/history/c?limit=1e9', undefined, [422]],
    ['GET', '/api/history/c?limit=-1&limit=2', undefined, [422]],
    ['GET', `/api/history/c?q=${'x'.repeat(5000)}`, undefined, [422]],
    ['GET', `/api/history/c?cursor=${'x'.repeat(5000)}`, undefined, [422]],
    ['GET', '/api/history/c?q=a&q=b&status=failed&status=pending', undefined, [200, 422]],
    ['GET', '/api/history/c?__proto__=1&constructor=2&toString=3', undefined, [200]],
    ['GET', `/api/download/status?${'video_id=v&'.repeat(501)}`, undefined, [422]],
    ['GET', `/api/download/status?video_id=${'x'.repeat(10_000)}`, undefined, [422]],
    ['GET', '/login?next=%', undefined, [200]],
    ['GET', '/channels/%E0%A4%A', undefined, [404]],
    ['POST', '/api/download/batch', JSON.stringify({ video_ids: Array(100_000).fill('v') }), [413]],
    ['POST', '/api/download/batch', JSON.stringify({ video_ids: Array(501).fill('v') }), [422]],
    ['POST', '/api/download/batch', JSON.stringify({ video_ids: ['x'.repeat(10_000)] }), [422]],
    ['POST', '/api/download/batch', nested(10_000), [422]],
    ['POST', '/api/download/batch', '{"video_ids":["v"],"__proto__":{"polluted":true}}', [202]],
    ['POST', '/api/download/batch', '{"video_ids":["nope"],"video_ids":["v"]}', [202]],
    ['POST', '/api/download/batch', 'null', [422]],
    ['POST', '/api/download/batch', '[]', [422]],
    ['POST', '/api/download/batch', '"\ud800"', [422]],
    ['PUT', '/api/settings', '{"quality":{"__proto__":null}}', [422]],
  ])('the odd request %s %.60s gets a sensible status', async (method, path, body, expected) => {
    const alice = await person(app.sql, 'alice')
    await follows(alice, 'c', ['v'])
    const headers = { cookie: alice.cookie, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const server = await serve(app.app.fetch, '127.0.0.1', 0)
    const answer = await fetch(server.url + path, { method, headers, ...(body !== undefined && { body }) })
    await answer.text()
    await server.close()
    expect(expected).toContain(answer.status)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})
