import { connect, type Socket } from 'node:net'
import process from 'node:process'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { limitImportBodies } from '../../../src/routes/http/body-limits.ts'
import type { Env } from '../../../src/routes/http/context.ts'
import { serve } from '../../../src/runtime/serve.ts'
import { useApp } from '../../support/app/app.ts'
import { person } from '../../support/app/people.ts'
import { hear, say } from '../../support/app/wire.ts'

const app = useApp()

describe('too large requests', () => {
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
    // Stops sending then: data after a reset could lose the answer.
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

  it('a file in chunks without its length takes no memory, and is stored while it arrives', async () => {
    const alice = await person(app.sql, 'alice')
    const server = await serve(app.app.fetch, '127.0.0.1', 0)
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    const before = process.memoryUsage().rss
    const head = ['POST /api/archive HTTP/1.1', 'Host: localhost', 'Content-Type: application/json']
    socket.write(
      [...head, `Cookie: ${alice.cookie}`, 'Transfer-Encoding: chunked', 'Connection: close', '', ''].join('\r\n'),
    )
    const answer = hear(socket)
    const framed = Buffer.from(`${chunk.length.toString(16)}\r\n${chunk}\r\n`)
    let most = 0
    for (let sent = 0; sent < 256 * 1024 ** 2; sent += chunk.length) {
      if (!socket.write(framed)) await drained(socket)
      most = Math.max(most, process.memoryUsage.rss() - before)
    }
    socket.write('0\r\n\r\n')
    expect(await answer).toMatch(/^HTTP\/1.1 (?:413|422)/)
    await server.close()
    // What is garbage by then is collected later on a busy machine.
    expect(most).toBeLessThan(192 * 1024 ** 2)
  })

  it('a file is refused when the disk would have less free space than it has to, and small ones are not', async () => {
    const full = new Hono<Env>()
      .onError((fault, c) => c.text('code' in fault ? String(fault.code) : 'other'))
      .use((c, next) => {
        c.set('library', { user_id: 'alice' } as never)
        return next()
      })
      .use(limitImportBodies(Number.MAX_SAFE_INTEGER))
      .post('/import', c => c.text('taken'))
    const send = async (length: number) => {
      const headers = { 'content-type': 'application/zip', 'content-length': String(length) }
      return (await full.request('/import', { method: 'POST', headers, body: 'x' })).text()
    }
    expect([await send(100_000), await send(1000), await send(600 * 1024 ** 2)]).toEqual([
      'unavailable',
      'taken',
      'too_large',
    ])
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
