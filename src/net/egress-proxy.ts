/**
 * The only way out for yt-dlp: an HTTP proxy on loopback that checks every destination before it connects.
 * yt-dlp follows redirects, manifests and pages to any address, so each connection is checked here.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex, Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { DomainError } from '../errors.ts'
import type { AddressPolicy } from './addresses.ts'
import { firstThatConnects } from './connect.ts'
import { portOf } from './judged.ts'
import { ProxyFault } from './proxy-fault.ts'

export type EgressProxy = {
  /** Contains a password: for the environment of one child process, never for arguments or logs. */
  url: string
  close(): Promise<void>
}

/**
 * The reason phrase for an inside address and for an unknown name. A site could send the same phrase, so only `onFault`
 * shows that the refusal is ours.
 */
const refused_reason = 'Address not allowed'

/** Waits until so many more bytes may pass to the tool. */
export type Pace = (bytes: number) => Promise<void>

/** `onFault` is called for each destination that the policy does not allow, and for each fault of the operator's proxy. */
export async function openEgressProxy(
  policy: AddressPolicy,
  onFault: (fault: 'address_refused' | ProxyFault) => void = () => {},
  pace?: Pace,
): Promise<EgressProxy> {
  const secret = randomBytes(24).toString('base64url')
  const expected = `Basic ${Buffer.from(`backlot:${secret}`).toString('base64')}`
  const open = new Set<Duplex>()
  const track = <S extends Duplex>(socket: S): S => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    // Peers often disconnect; without a listener the error would end the process.
    return socket.on('error', () => {})
  }
  const closing = new AbortController()
  const reach = async (url: URL) => {
    const port = portOf(url)
    const socket = await firstThatConnects(await policy.resolve(url.hostname, port), port, closing.signal)
    return track(socket).setTimeout(idle_ms, () => socket.destroy())
  }

  const refusing = (cause: unknown) => {
    const refusal = refusalOf(cause)
    if (refusal.reason === refused_reason) onFault('address_refused')
    if (cause instanceof ProxyFault) onFault(cause)
    return refusal
  }
  const server = createServer((asked, answer) => {
    if (!isSame(asked.headers['proxy-authorization'], expected)) return refuse(answer, unauthorised)
    forward(asked, answer, reach, pace).catch(cause => refuse(answer, refusing(cause)))
  })
  server.on('connection', track)
  server.on('connect', (asked: IncomingMessage, client: Duplex, head: Buffer) => {
    if (!isSame(asked.headers['proxy-authorization'], expected)) return client.end(rawRefusal(unauthorised))
    tunnel(asked, client, head, reach, pace).catch(cause => client.end(rawRefusal(refusing(cause))))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))

  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>(closed => {
      server.close(() => closed())
      closing.abort()
      for (const socket of open) socket.destroy()
    })
  return { url: `http://backlot:${secret}@127.0.0.1:${port}`, close }
}

/** Connects to the host and port of an address. */
type Reach = (url: URL) => Promise<Socket>

/** Answers a request of http, whose request line contains the whole address. */
async function forward(asked: IncomingMessage, answer: ServerResponse, reach: Reach, pace?: Pace): Promise<void> {
  const url = URL.parse(asked.url ?? '')
  if (!url) throw new DomainError('bad_request', 'A request to a proxy needs the whole address.')
  if (url.protocol !== 'http:') throw new DomainError('address_refused', 'Only http and https are allowed.')
  const socket = await reach(url)
  if (answer.destroyed) return void socket.destroy()

  const outgoing = request({
    createConnection: () => socket,
    method: asked.method,
    path: url.pathname + url.search,
    headers: { ...endToEnd(asked.headers), host: url.host, connection: 'close' },
    setHost: false,
  })
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve).once('error', reject)
  })
  answer.once('close', () => socket.destroy())
  asked.pipe(outgoing)
  const got = await answered
  answer.writeHead(got.statusCode ?? 502, got.statusMessage, endToEnd(got.headers))
  // If the answer breaks off, the client's connection is closed as well, so that the client notices.
  await pass(got, answer, pace).catch(() => answer.destroy())
}

/** Answers CONNECT, for every other protocol: bytes in both directions, to one allowed address. */
async function tunnel(asked: IncomingMessage, client: Duplex, head: Buffer, reach: Reach, pace?: Pace): Promise<void> {
  const url = URL.parse(`http://${asked.url ?? ''}`)
  if (!url) throw new DomainError('bad_request', 'A tunnel needs host:port.')
  const socket = await reach(url)
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
  socket.write(head)
  await Promise.allSettled([pipeline(client, socket), pass(socket, client, pace)])
}

const pass = (from: Readable, to: Writable, pace?: Pace): Promise<void> =>
  pace ? pipeline(from, chunks => paced(chunks, pace), to) : pipeline(from, to)

/** Bytes that pass at once. A whole chunk may have more than comes in the seconds after which a tool gives a silent connection up. */
const piece_bytes = 8192

async function* paced(chunks: AsyncIterable<Buffer>, pace: Pace) {
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += piece_bytes) {
      const piece = chunk.subarray(at, at + piece_bytes)
      await pace(piece.length)
      yield piece
    }
}

const of_one_hop = ['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade']

/** The headers that are meant for the other end, not for the proxy (RFC 9110 §7.6.1). */
function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = String(headers.connection ?? '')
    .toLowerCase()
    .split(/\s*,\s*/)
  const isMeant = ([name]: [string, unknown]) =>
    !of_one_hop.includes(name) && !named.includes(name) && !name.startsWith('proxy-')
  return Object.fromEntries(Object.entries(headers).filter(isMeant))
}

const isSame = (given: string | undefined, expected: string) => {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

type Refusal = { status: number; reason: string }
const unauthorised: Refusal = { status: 407, reason: 'Proxy Authentication Required' }

function refusalOf(cause: unknown): Refusal {
  if (!(cause instanceof DomainError) || cause instanceof ProxyFault)
    return { status: 502, reason: 'Host not reachable' }
  return cause.code === 'address_refused'
    ? { status: 403, reason: refused_reason }
    : { status: 400, reason: 'Bad Request' }
}

const headersOf = ({ status }: Refusal) => ({
  'content-type': 'text/plain',
  ...(status === 407 && { 'proxy-authenticate': 'Basic realm="backlot"' }),
})

function refuse(answer: ServerResponse, refusal: Refusal): void {
  if (answer.headersSent) return void answer.destroy()
  answer.writeHead(refusal.status, refusal.reason, headersOf(refusal)).end(refusal.reason)
}

function rawRefusal(refusal: Refusal): string {
  const headers = { ...headersOf(refusal), 'content-length': refusal.reason.length, connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${refusal.status} ${refusal.reason}`, ...lines, '', refusal.reason].join('\r\n')
}

/** A connection without traffic for this long is closed. */
const idle_ms = 90_000
