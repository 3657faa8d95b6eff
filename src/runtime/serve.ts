/** The differences between Node and Deno: serving, and the runtime's name and path. */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { type ServerType, serve as serveOnNode } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { every } from './every.ts'
import { sliceIn } from './sending.ts'
import { sendOnNode } from './sending-on-node.ts'

/** What the server knows about the connection of a request. */
export type Connection = {
  remote_address: string
  /** How far the answer is, how many bytes of it wait in memory, when it ends, and how to end it before. Only on Node. */
  answer?: {
    readonly headersSent: boolean
    /** The whole answer has been handed over. */
    readonly writableEnded: boolean
    /** `complete`: the whole request has been read. */
    readonly req: { readonly complete: boolean }
    readonly writableLength: number
    once(event: 'close', listener: () => void): unknown
    /** Closes the connection. */
    destroy(): unknown
  }
}
export type Fetch = (request: Request, connection: Connection) => Response | Promise<Response>
/** `patiently`: gives open answers more time to end. */
export type Server = { url: string; close(patiently?: boolean): Promise<void> }

type DenoServer = { addr: { port: number }; shutdown(): Promise<void> }
type DenoHandler = (request: Request, info: { remoteAddr: { hostname: string } }) => Response | Promise<Response>
type Deno = {
  execPath(): string
  serve(options: { hostname: string; port: number; onListen(): void }, handler: DenoHandler): DenoServer
}
const deno = (globalThis as { Deno?: Deno }).Deno

/** The JavaScript runtime that we run on. yt-dlp may use it too. */
export const runtime: { name: 'node' | 'deno'; path: string } = deno
  ? { name: 'deno', path: deno.execPath() }
  : { name: 'node', path: process.execPath }

/**
 * Listens and answers; port 0 is any free port. Rejects when it cannot listen. Closing gives open answers a moment to end, and loses no
 * request.
 * `timeouts` apply on Node only.
 */
export const serve = (fetch: Fetch, host: string, port: number, timeouts = usual_timeouts): Promise<Server> =>
  deno ? onDeno(deno, fetch, host, port) : onNode(fetch, host, port, timeouts)

/** Rejects when `serve` could not listen there. Asked before anything else starts, so that the reason is not among other lines. */
export async function requireFree(host: string, port: number): Promise<void> {
  const probe = createServer().listen(port, host)
  await once(probe, 'listening')
  await new Promise(resolve => probe.close(resolve))
}

/** A handler of requests in the form that Deno calls. */
export const denoHandler =
  (fetch: Fetch): DenoHandler =>
  (request, info) =>
    fetch(request, { remote_address: info.remoteAddr.hostname })

async function onDeno(deno: Deno, fetch: Fetch, hostname: string, port: number): Promise<Server> {
  const server = deno.serve({ hostname, port, onListen() {} }, denoHandler(fetch))
  const close = (patiently = false) =>
    Promise.race([server.shutdown(), new Promise<void>(resolve => setTimeout(resolve, graceOf(patiently)))])
  return { url: urlOf(hostname, server.addr.port), close }
}

const onNode = (fetch: Fetch, hostname: string, port: number, timeouts: Timeouts): Promise<Server> =>
  new Promise((resolve, reject) => {
    let is_closing = false
    const handler = async (request: Request, { incoming, outgoing }: OnNode) => {
      const answer = await fetch(request, { remote_address: incoming.socket.remoteAddress ?? '', answer: outgoing })
      if (is_closing) outgoing.shouldKeepAlive = false
      const slice = sliceIn(answer)
      if (!slice) return answer
      void sendOnNode(answer, slice, outgoing)
      return RESPONSE_ALREADY_SENT
    }
    const server = serveOnNode(
      { fetch: handler as never, hostname, port, serverOptions: { ...timeouts, maxHeaderSize: max_header_bytes } },
      address => {
        const close = (patiently = false) => {
          is_closing = true
          return closing(patiently)
        }
        resolve({ url: urlOf(hostname, address.port), close })
      },
    )
    const closing = closerOf(server)
    if ('timeout' in server) server.timeout = timeouts.timeout ?? 0
    server.once('error', reject)
  })

type OnNode = { incoming: IncomingMessage; outgoing: ServerResponse }

/** Limits in milliseconds against clients that send very slowly. An answer has no limit while its reader takes it. */
type Timeouts = {
  headersTimeout: number
  requestTimeout: number
  connectionsCheckingInterval: number
  /** The time after which a connection is closed on which nothing is sent in either direction; no limit unless given. */
  timeout?: number
}
const usual_timeouts: Timeouts = {
  headersTimeout: 15_000,
  /** Headers and body: enough for the longest import over a slow connection. */
  requestTimeout: 120_000,
  connectionsCheckingInterval: 5000,
  timeout: 5 * 60_000,
}
const max_header_bytes = 16 * 1024

/**
 * Stops listening, lets open requests end, and closes each connection when nothing happens on it. Connections that no request has used are
 * closed a moment later, because a request may be on its way.
 */
function closerOf(server: ServerType): (patiently: boolean) => Promise<void> {
  let connections = 0
  const unused = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    connections++
    unused.add(socket.once('close', () => unused.delete(socket)))
  })
  server.on('request', ({ socket }: IncomingMessage) => unused.delete(socket))
  return async patiently => {
    await quietTurn(() => connections)
    const closed = new Promise<void>(resolve => server.close(() => resolve()))
    const timers = [
      every(50, () => 'closeIdleConnections' in server && server.closeIdleConnections()),
      setTimeout(() => {
        for (const socket of unused) socket.destroy()
      }, graceOf(false)),
      setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), graceOf(patiently)),
    ]
    await closed
    for (const timer of timers) clearTimeout(timer)
  }
}

/**
 * Resolves in a turn of the event loop that brought no connection and took hardly any time: connections that wait to be taken are reset
 * when the server stops listening.
 */
async function quietTurn(connections: () => number): Promise<void> {
  const ends = performance.now() + 1000
  for (;;) {
    const [began, before] = [performance.now(), connections()]
    await setImmediate()
    const now = performance.now()
    if ((now - began < quiet_ms && connections() === before) || now > ends) return
  }
}
const quiet_ms = 0.2

/** Milliseconds that an open answer, such as a video being watched, may delay closing. */
const graceOf = (patiently: boolean) => (patiently ? 25_000 : 2000)

export const urlOf = (host: string, port: number) => {
  const shown =
    host === '0.0.0.0' || host === '::' || host === '127.0.0.1' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${shown}:${port}`
}
