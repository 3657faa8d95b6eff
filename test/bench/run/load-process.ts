/**
 * As a process: sends requests over kept-alive sockets, one at a time on each, and measures every answer.
 *
 * Raw sockets, because a client library takes more processor time than the service does for a small answer, and both share the cores.
 */
import { connect, type Socket } from 'node:net'
import process from 'node:process'

export type Get = { path: string; headers?: Record<string, string> }
/** `requests` are sent one after the other, over and over, until there were `amount` requests. */
export type Load = { url: string; connections: number; amount: number; requests: Get[] }
export type LoadResult = {
  per_s: number
  p50_ms: number
  p99_ms: number
  statuses: Record<string, number>
  /** The beginning of the last answer. */
  sample: string
}

if (process.send) process.once('message', async (load: Load) => process.send?.(await send(load), () => process.exit()))

export async function send({ url, connections, amount, requests }: Load): Promise<LoadResult> {
  const { hostname, port } = new URL(url)
  const written = requests.map(request => bytesOf(request, `${hostname}:${port}`))
  const times = new Float64Array(amount)
  const statuses: Record<string, number> = {}
  let [sent, answered, sample] = [0, 0, '']
  const work = async () => {
    const exchange = exchangeOver(connect(Number(port), hostname).setNoDelay())
    while (sent < amount) {
      const request = written[sent++ % written.length] as Buffer
      const began = performance.now()
      const answer = await exchange.next(request)
      times[answered++] = performance.now() - began
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
      sample = answer.beginning
    }
    exchange.socket.destroy()
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: Math.min(connections, amount) }, work))
  const seconds = (performance.now() - began) / 1000
  times.sort()
  const at = (share: number) => times[Math.min(amount - 1, Math.floor(amount * share))] ?? 0
  return { per_s: amount / seconds, p50_ms: at(0.5), p99_ms: at(0.99), statuses, sample }
}

function bytesOf({ path, headers = {} }: Get, host: string): Buffer {
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
}

type Answer = { status: string; beginning: string }

function exchangeOver(socket: Socket) {
  let waiting: PromiseWithResolvers<Answer> | undefined
  let parts: Buffer[] = []
  let length = 0
  let whole: number | 'chunked' | undefined
  socket.on('data', chunk => {
    parts.push(chunk)
    length += chunk.length
    whole ??= wholeLength(Buffer.concat(parts))
    const isWhole = whole === 'chunked' ? endsChunked(chunk) : whole !== undefined && length >= whole
    if (!isWhole) return
    const beginning = (parts[0] as Buffer).toString('latin1', 0, 200)
    parts = []
    length = 0
    whole = undefined
    waiting?.resolve({ status: beginning.slice(9, 12), beginning })
  })
  socket.on('error', fault => waiting?.reject(fault))
  socket.on('close', () => waiting?.reject(new Error('the service closed the connection')))
  return {
    socket,
    next(request: Buffer): Promise<Answer> {
      waiting = Promise.withResolvers()
      socket.write(request)
      return waiting.promise
    },
  }
}

/** Bytes of the head and the body; `undefined`: the head is not complete. */
function wholeLength(beginning: Buffer): number | 'chunked' | undefined {
  const head_end = beginning.indexOf('\r\n\r\n')
  if (head_end < 0) return undefined
  const head = beginning.toString('latin1', 0, head_end).toLowerCase()
  if (/^http\/1.1 (204|304)/.test(head)) return head_end + 4
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1]
  return length === undefined ? 'chunked' : head_end + 4 + Number(length)
}

/** One answer at a time is on a connection, so the last chunk is the end of what was received. */
const endsChunked = (chunk: Buffer) => chunk.toString('latin1', chunk.length - 5) === '0\r\n\r\n'
