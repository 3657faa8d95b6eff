import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { bodyOf, type ReadRange } from '../../src/runtime/sending.ts'
import { type Server, serve } from '../../src/runtime/serve.ts'

const film = Buffer.from('0123456789')
const size = 1e9

/** What the next request gets, and what happened to it. */
let source: ReadRange
let idle_ms: number
let ended: PromiseWithResolvers<void>
beforeEach(() => {
  ended = Promise.withResolvers()
})

let server: Server
beforeAll(async () => {
  server = await serve(() => new Response(bodyFrom(2, 5), { headers: { 'Accept-Ranges': 'bytes' } }), '127.0.0.1', 0)
})
afterAll(() => server.close())

function bodyFrom(first: number, last: number) {
  return bodyOf({ source, first, last, idle_ms, onEnd: ended.resolve })
}

const fromMemory: ReadRange = async (first, last) => new Response(film.subarray(first, last + 1)).body as ReadableStream

/** Gives a byte for each read, without an end, until it is aborted. */
function endless() {
  const aborted = Promise.withResolvers<void>()
  let pieces = 0
  const read: ReadRange = async (_first, _last, signal) => {
    signal.addEventListener('abort', () => aborted.resolve())
    const pull = (to: ReadableStreamDefaultController<Uint8Array>) => {
      pieces += 1
      to.enqueue(new Uint8Array(64 * 1024))
    }
    return new ReadableStream({ pull }, { highWaterMark: 0 })
  }
  return { read, aborted: aborted.promise, pieces: () => pieces }
}

it('a range from another server arrives complete', async () => {
  ;[source, idle_ms] = [fromMemory, 10_000]
  expect(await (await fetch(server.url)).text()).toBe('2345')
  await ended.promise
})

it('an answer breaks off when the other server sends fewer bytes than requested, or fails', async () => {
  idle_ms = 10_000
  const faults: ReadRange[] = [
    async first => fromMemory(first, first, new AbortController().signal),
    () => Promise.reject(new Error('away')),
  ]
  for (source of faults) {
    ended = Promise.withResolvers()
    const answer = fetch(server.url).then(answer => answer.text())
    await expect(answer).rejects.toThrow()
    await ended.promise
  }
})

it('a reader that leaves ends the request to the other server', async () => {
  const { read, aborted } = endless()
  ;[source, idle_ms] = [read, 10_000]
  const reader = bodyFrom(0, size).getReader()
  await reader.read()
  await reader.cancel()
  await expect(Promise.all([aborted, ended.promise])).resolves.toBeDefined()
})

it('a reader that leaves before the first byte requests nothing from the other server', async () => {
  const { read, pieces } = endless()
  ;[source, idle_ms] = [read, 10_000]
  await bodyFrom(0, size).cancel()
  await ended.promise
  expect(pieces()).toBe(0)
})

it('a reader that takes nothing is disconnected, and the other server is not read meanwhile', async () => {
  const { read, aborted, pieces } = endless()
  ;[source, idle_ms] = [read, 50]
  const stalled = await serve(
    () => new Response(bodyFrom(0, size), { headers: { 'Accept-Ranges': 'bytes' } }),
    '127.0.0.1',
    0,
  )
  const socket = connect(Number(new URL(stalled.url).port), '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  socket.pause().write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await Promise.all([aborted, ended.promise])
  // What the buffers of the system and of the server took.
  expect(pieces()).toBeLessThan(1000)
  socket.destroy()
  await stalled.close()
})
