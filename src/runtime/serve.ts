/** What differs between Node and Deno: serving, and what to call the runtime. Everything else is the same on both. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { serve as serveOnNode } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { sendOnNode, sliceIn } from './sending.ts'

/** What the server knows of a request beyond the request. */
export type Connection = {
  remote_address: string
  /** What of the answer waits in memory for its reader, and when that is over. Only Node tells. */
  answer?: { readonly writableLength: number; once(event: 'close', listener: () => void): unknown }
}
export type Fetch = (request: Request, connection: Connection) => Response | Promise<Response>
export type Server = { url: string; close(): Promise<void> }

type DenoServer = { addr: { port: number }; shutdown(): Promise<void> }
type DenoInfo = { remoteAddr: { hostname: string } }
type Deno = {
  execPath(): string
  serve(
    options: { hostname: string; port: number; onListen(): void },
    handler: (request: Request, info: DenoInfo) => Response | Promise<Response>,
  ): DenoServer
}
const deno = (globalThis as { Deno?: Deno }).Deno

/** The JavaScript runtime we run on, which yt-dlp may use too. */
export const runtime: { name: 'node' | 'deno'; path: string } = deno
  ? { name: 'deno', path: deno.execPath() }
  : { name: 'node', path: process.execPath }

/**
 * Listens and answers; `port` 0 takes a free one. Rejects when it can't listen. Closing lets open answers end for a moment.
 * Deno has a `patience` of its own.
 */
export const serve = (fetch: Fetch, host: string, port: number, patience = usual_patience): Promise<Server> =>
  deno ? onDeno(deno, fetch, host, port) : onNode(fetch, host, port, patience)

async function onDeno(deno: Deno, fetch: Fetch, hostname: string, port: number): Promise<Server> {
  const server = deno.serve({ hostname, port, onListen() {} }, (request, info) =>
    fetch(request, { remote_address: info.remoteAddr.hostname }),
  )
  const close = () => Promise.race([server.shutdown(), new Promise<void>(resolve => setTimeout(resolve, grace_ms))])
  return { url: urlOf(hostname, server.addr.port), close }
}

const onNode = (fetch: Fetch, hostname: string, port: number, patience: Patience): Promise<Server> =>
  new Promise((resolve, reject) => {
    const handler = async (request: Request, { incoming, outgoing }: OnNode) => {
      const answer = await fetch(request, { remote_address: incoming.socket.remoteAddress ?? '', answer: outgoing })
      const slice = sliceIn(answer)
      if (!slice) return answer
      void sendOnNode(answer, slice, outgoing)
      return RESPONSE_ALREADY_SENT
    }
    const server = serveOnNode(
      { fetch: handler as never, hostname, port, serverOptions: { ...patience, maxHeaderSize: most_header_bytes } },
      address => {
        const close = () =>
          new Promise<void>(closed => {
            server.close(() => closed())
            if ('closeIdleConnections' in server) server.closeIdleConnections()
            setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), grace_ms).unref()
          })
        resolve({ url: urlOf(hostname, address.port), close })
      },
    )
    if ('timeout' in server) server.timeout = patience.timeout ?? 0
    server.once('error', reject)
  })

type OnNode = { incoming: IncomingMessage; outgoing: ServerResponse }

/** Milliseconds for a client that sends a letter at a time. An answer may take as long as a film, while it is read. */
type Patience = {
  headersTimeout: number
  requestTimeout: number
  connectionsCheckingInterval: number
  /** For a connection on which nothing moves in either direction; not given: any time. */
  timeout?: number
}
const usual_patience: Patience = {
  headersTimeout: 15_000,
  /** Headers and body: time for the longest list of channels over a slow line. */
  requestTimeout: 120_000,
  connectionsCheckingInterval: 5000,
  timeout: 5 * 60_000,
}
const most_header_bytes = 16 * 1024

/** How long an open answer, a video being watched for instance, may hold up the end. */
const grace_ms = 2000

const urlOf = (host: string, port: number) => {
  const shown =
    host === '0.0.0.0' || host === '::' || host === '127.0.0.1' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${shown}:${port}`
}
