import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { serve } from '../../src/runtime/serve.ts'
import { useApp } from '../support/app/app.ts'
import { follows, person } from '../support/app/people.ts'
import { hear, say } from '../support/app/wire.ts'

const app = useApp()

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

describe('slow requests', () => {
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
    // Long enough for the request itself to arrive on a busy machine.
    const hurried = { headersTimeout: 2000, requestTimeout: 2000, connectionsCheckingInterval: 20 }
    const film = new ReadableStream({
      async start(film) {
        for (const part of ['a', 'long', 'film']) {
          await new Promise(resolve => setTimeout(resolve, 800))
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
