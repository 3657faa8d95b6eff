/** The proxy through which the tools connect: it allows only the addresses of the policy. */
import { type IncomingMessage, type RequestListener, request } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { DomainError } from '../../src/errors.ts'
import type { AddressPolicy } from '../../src/net/addresses.ts'
import { type EgressProxy, openEgressProxy } from '../../src/net/egress-proxy.ts'
import { siteWith } from '../support/media/feed-site.ts'

/** Names that only the policy knows, so that a connection proves that its answer was used. */
const policy: AddressPolicy = {
  async resolve(hostname) {
    if (hostname === 'public.test') return [{ address: '127.0.0.1', family: 4 }]
    if (hostname === 'two.test') {
      return [
        { address: '127.0.0.99', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]
    }
    throw new DomainError('address_refused', 'Not allowed.')
  },
}

let proxy: EgressProxy
let refusals: number

beforeEach(async () => {
  refusals = 0
  proxy = await openEgressProxy(policy, () => {
    refusals += 1
  })
  onTestFinished(() => proxy.close())
})

const serve = async (answer: RequestListener): Promise<number> => (await siteWith(answer)).port

const credential = ({ url }: EgressProxy = proxy) => {
  const { username, password } = new URL(url)
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

const connectTo = ({ url }: EgressProxy) => connect(Number(new URL(url).port), new URL(url).hostname)

type Asked = { method?: string; headers?: Record<string, string>; body?: string }

/** Requests an address through the proxy, by default with the right credential. */
function ask(path: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(proxy.url)
    const given = { 'proxy-authorization': credential(), ...headers }
    request({ hostname, port, path, method, headers: given, agent: false }, resolve).once('error', reject).end(body)
  })
}

/** Sends raw bytes, and returns the answer until a side closes the connection. */
async function say(words: string): Promise<string> {
  const socket = connectTo(proxy)
  socket.write(words)
  return text(socket)
}

describe('openEgressProxy', () => {
  it('the proxy forwards a request and its answer, without the headers for the proxy', async () => {
    let got: IncomingMessage | undefined
    const port = await serve((asked, reply) => {
      got = asked
      reply.writeHead(206, 'Some Of It', {
        'content-range': 'bytes 0-4/9',
        'keep-alive': 'x',
        'set-cookie': ['a=1', 'b=2'],
      })
      asked.pipe(reply)
    })

    const headers = { range: 'bytes=0-4', connection: 'x-hop', 'x-hop': '1', 'content-length': '5' }
    const answer = await ask(`http://public.test:${port}/a?b=c`, { method: 'POST', headers, body: 'hello' })

    expect([answer.statusCode, answer.statusMessage, await text(answer)]).toEqual([206, 'Some Of It', 'hello'])
    expect(answer.headers).toMatchObject({ 'content-range': 'bytes 0-4/9', 'set-cookie': ['a=1', 'b=2'] })
    expect(got?.url).toBe('/a?b=c')
    expect(got?.headers).toMatchObject({ host: `public.test:${port}`, range: 'bytes=0-4' })
    expect(Object.keys(got?.headers ?? {})).not.toEqual(expect.arrayContaining(['x-hop']))
    expect(got?.headers).not.toHaveProperty('proxy-authorization')
  })

  it('the proxy opens a tunnel for HTTPS', async () => {
    const echo = createTcpServer(socket => socket.pipe(socket))
    await new Promise<void>(resolve => echo.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void echo.close())
    const socket = connectTo(proxy)

    socket.write(
      `CONNECT public.test:${(echo.address() as AddressInfo).port} HTTP/1.1\r\nProxy-Authorization: ${credential()}\r\n\r\n`,
    )
    const established = await new Promise<Buffer>(resolve => socket.once('data', resolve))
    socket.end('through')

    expect(established.toString()).toContain('200')
    expect(await text(socket)).toBe('through')
  })

  it('the proxy tries the next address when the first does not answer', async () => {
    const port = await serve((_, reply) => reply.end('here'))

    expect(await text(await ask(`http://two.test:${port}/`))).toBe('here')
  })

  it.each([undefined, 'Basic YmFja2xvdDp4', 'Bearer x'])('the proxy answers 407 to the credential %s', async given => {
    const port = await serve((_, reply) => reply.end('reached'))
    const header = given === undefined ? '' : `Proxy-Authorization: ${given}\r\n`

    const plain = await say(`GET http://public.test:${port}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${header}\r\n`)
    const tunnel = await say(`CONNECT public.test:${port} HTTP/1.1\r\n${header}\r\n`)

    expect(plain).toMatch(/^HTTP\/1.1 407 /)
    expect(tunnel).toMatch(/^HTTP\/1.1 407 /)
  })

  it('the proxy refuses an address that the policy refuses, with a known reason phrase', async () => {
    const plain = await ask('http://inside.test/secret')
    const tunnel = await say(`CONNECT inside.test:443 HTTP/1.1\r\nProxy-Authorization: ${credential()}\r\n\r\n`)

    expect([plain.statusCode, plain.statusMessage]).toEqual([403, 'Address not allowed'])
    expect(tunnel).toMatch(/^HTTP\/1.1 403 Address not allowed/)
    expect(refusals).toBe(2)
  })

  it.each([
    ['ftp://public.test/a', 403],
    ['/just/a/path', 400],
    ['http://nowhere.test/', 403],
    ['http://public.test:1/', 502],
  ])('the proxy answers %s with %i', async (address, status) => {
    expect((await ask(address)).statusCode).toBe(status)
  })

  it('the proxy breaks off an answer where the host breaks it off', async () => {
    const port = await serve((_, reply) => {
      reply.writeHead(200, { 'content-length': 10 })
      reply.write('half', () => reply.destroy())
    })

    await expect(ask(`http://public.test:${port}/`).then(text)).rejects.toThrow()
  })

  it('the proxy closes all connections when it is closed', async () => {
    const port = await serve((_, reply) => reply.write('never-ending'))
    const answer = await ask(`http://public.test:${port}/`)
    const cut = expect(text(answer)).rejects.toThrow()

    await proxy.close()

    await cut
  })

  it.each(['forwarded', 'tunnelled'])('an answer that is %s passes at the given pace', async way => {
    const [gate, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let passing = 0
    const paced = await openEgressProxy(policy, undefined, async bytes => {
      passing += bytes
      begun.resolve()
      await gate.promise
    })
    onTestFinished(() => paced.close())
    const port = await serve((_asked, reply) => reply.end('answer'))
    const header = `Proxy-Authorization: ${credential(paced)}`
    const socket = connectTo(paced)
    const asked = 'GET / HTTP/1.1\r\nHost: public.test\r\nConnection: close\r\n\r\n'
    if (way === 'forwarded')
      socket.write(asked.replace('/', `http://public.test:${port}/`).replace('\r\n', `\r\n${header}\r\n`))
    else socket.write(`CONNECT public.test:${port} HTTP/1.1\r\n${header}\r\n\r\n${asked}`)
    const said = text(socket)
    await begun.promise
    gate.resolve()
    expect(await said).toContain('answer')
    expect(passing).toBeGreaterThan(0)
  })
})
