import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
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

describe('closing', () => {
  it('a server that is closed patiently completes an answer that another one breaks off', async () => {
    const rest = Promise.withResolvers<void>()
    const film = () =>
      new ReadableStream({
        async start(film) {
          film.enqueue(new TextEncoder().encode('a long '))
          await rest.promise
          film.enqueue(new TextEncoder().encode('film'))
          film.close()
        },
      })
    const [patient, hurried] = await Promise.all([1, 2].map(() => serve(() => new Response(film()), '127.0.0.1', 0)))
    const [whole, broken] = await Promise.all([patient, hurried].map(server => fetch(server?.url ?? '')))
    const closed = patient?.close(true)
    await hurried?.close()
    await expect(broken?.text()).rejects.toThrow('terminated')

    rest.resolve()
    expect(await whole?.text()).toBe('a long film')
    await closed
  })

  it('a request that arrives on an open connection while the server closes is answered, and told that the connection ends', async () => {
    const server = await serve(() => new Response('here'), '127.0.0.1', 0)
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    const heard = hear(socket)
    const closed = server.close()
    await vi.waitFor(() => expect(fetch(server.url)).rejects.toThrow('fetch failed'))

    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')

    const answer = await heard
    expect([answer.split('\r\n')[0], /^connection: (.*)$/im.exec(answer)?.[1]]).toEqual(['HTTP/1.1 200 OK', 'close'])
    await closed
  })
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
