/** The operator's proxy, with the real programs of Debian. */
import { type IncomingMessage, request } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { DomainError } from '../../src/errors.ts'
import { type AddressPolicy, addressPolicy } from '../../src/net/addresses.ts'
import { openEgressProxy } from '../../src/net/egress-proxy.ts'
import { operatorProxy, throughProxy } from '../../src/net/operator-proxy.ts'
import { ProxyFault } from '../../src/net/proxy-fault.ts'
import { siteWith } from '../support/media/feed-site.ts'
import { proxies_are_here, startProxy, startTapped, type TestProxy } from '../support/process/proxies.ts'

const programs = ['tinyproxy', 'microsocks', 'danted'] as const

/** Names that only this policy knows. */
const usual: AddressPolicy = {
  async resolve(hostname) {
    if (hostname === 'public.test') return [{ address: '127.0.0.1', family: 4 }]
    if (hostname === 'listed.test') return [{ address: '127.0.0.1', family: 4, is_listed: true }]
    throw new DomainError('address_refused', 'Not allowed.')
  },
}

async function started(...args: Parameters<typeof startProxy>): Promise<TestProxy> {
  const proxy = await startProxy(...args)
  onTestFinished(proxy.stop)
  return proxy
}

/** A server of raw connections. */
async function listening(onConnection: (socket: Socket) => void): Promise<number> {
  const open = new Set<Socket>()
  const server = createTcpServer(socket => {
    open.add(socket.on('error', () => {}))
    onConnection(socket)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    for (const socket of open) socket.destroy()
  })
  return (server.address() as AddressInfo).port
}

/** A site that answers with the path. */
const openSite = async (): Promise<number> => (await siteWith((asked, reply) => reply.end(`at ${asked.url}`))).port

/** An egress proxy whose connections leave through the operator's proxy. */
async function openEgress(
  url: string,
  { policy = usual, patience }: { policy?: AddressPolicy; patience?: number } = {},
) {
  const faults: unknown[] = []
  const proxied = throughProxy(policy, {}, operatorProxy(url, patience)).of_ytdlp ?? usual
  const egress = await openEgressProxy(proxied, fault => void faults.push(fault))
  onTestFinished(egress.close)
  const { hostname, port, username, password } = new URL(egress.url)
  const credential = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const ask = (path: string, method = 'GET'): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = { 'proxy-authorization': credential }
      const sent = request({ hostname, port, path, method, headers, agent: false })
      sent.once('response', resolve).once('error', reject)
      sent.once('connect', (answer, socket) => {
        socket.destroy()
        resolve(answer)
      })
      sent.end()
    })
  return { ask, faults, close: egress.close }
}

/** The fault of a proxy through which a request fails. */
async function faultOf(...proxy: Parameters<typeof openEgress>) {
  const { ask, faults } = await openEgress(...proxy)
  expect((await ask('http://public.test/')).statusCode).toBe(502)
  return faultIn(faults)
}

const faultIn = ([fault]: unknown[]) => (fault instanceof ProxyFault ? fault.fault : fault)

describe.skipIf(!proxies_are_here).each(programs)('through %s', program => {
  it('a site is reached, and the proxy gets its address and never its name', async () => {
    const { proxy, tap } = await startTapped(program)
    const port = await openSite()
    const { ask, faults } = await openEgress(tap.url)

    const answer = await ask(`http://public.test:${port}/path`)
    const tunnel = await ask(`public.test:${port}`, 'CONNECT')

    expect([answer.statusCode, await text(answer), tunnel.statusCode]).toEqual([200, 'at /path', 200])
    expect(faults).toEqual([])
    // Of http, the proxy carries the request itself, whose Host header the site needs.
    const handshakes = tap.sent().replace(/GET .*?\r\n\r\n/gs, '')
    expect(handshakes).not.toContain('public')
    expect(handshakes).toContain(program === 'tinyproxy' ? `CONNECT 127.0.0.1:${port} ` : '\x05\x01\0\x01\x7f\0\0\x01')
    await vi.waitFor(async () => expect(await proxy.log()).toMatch(/127\.0\.0\.1[:.]/))
    expect(await proxy.log()).not.toContain('public.test')
  })

  it('an inside address is refused before the proxy hears of it', async () => {
    const { tap } = await startTapped(program)
    const port = await openSite()
    const answering: Record<string, string> = { 'inside.test': '10.0.0.1', 'mapped.test': '::ffff:127.0.0.1' }
    const policy = addressPolicy([], async name => [{ address: answering[name] ?? '127.0.0.1' }])
    const { ask, faults } = await openEgress(tap.url, { policy })

    const hosts = ['inside.test', 'mapped.test', 'localhost', '127.0.0.1', '[::ffff:127.0.0.1]', '[::1]', '0x7f.1']
    for (const host of hosts) {
      expect((await ask(`http://${host}:${port}/`)).statusCode).toBe(403)
      expect((await ask(`${host}:${port}`, 'CONNECT')).statusCode).toBe(403)
    }
    expect(faults).toEqual(Array(2 * hosts.length).fill('address_refused'))
    expect(tap.sent()).toBe('')
  })

  it('a host that the operator lists is reached directly', async () => {
    const { tap } = await startTapped(program)
    const { ask } = await openEgress(tap.url)

    expect(await text(await ask(`http://listed.test:${await openSite()}/`))).toBe('at /')
    expect(tap.sent()).toBe('')
  })

  it('a site that accepts no connection is at fault, and the proxy is not', async () => {
    const proxy = await started(program)
    const { ask, faults } = await openEgress(proxy.url)

    expect((await ask('http://public.test:1/')).statusCode).toBe(502)
    expect(faults).toEqual([])
    expect(await operatorProxy(proxy.url).trouble()).toBeUndefined()
  })

  it('a proxy that is away is at fault, until it is back', async () => {
    const proxy = await startProxy(program)
    const { ask, faults } = await openEgress(proxy.url)
    const port = await openSite()
    await proxy.stop()

    expect((await ask(`http://public.test:${port}/`)).statusCode).toBe(502)
    expect(faultIn(faults)).toBe('away')
    expect(await operatorProxy(proxy.url).trouble()).toBe('away')

    const back = await started(program, { at: proxy })
    expect((await ask(`http://public.test:${port}/`)).statusCode).toBe(200)
    expect(await operatorProxy(back.url).trouble()).toBeUndefined()
  })

  it('no connection to the proxy is left after a run', async () => {
    const { tap } = await startTapped(program)
    let sites = 0
    const port = await listening(() => {
      sites += 1
    })
    const { ask, close } = await openEgress(tap.url)
    const asking = ask(`http://public.test:${port}/`).catch(() => 'closed')
    await vi.waitFor(() => expect(sites).toBe(1))
    expect(tap.open()).toBe(1)

    await close()

    expect(await asking).toBe('closed')
    await vi.waitFor(() => expect(tap.open()).toBe(0))
  })
})

describe.skipIf(!proxies_are_here)('a proxy', () => {
  it.each(['tinyproxy', 'microsocks'] as const)('%s that refuses the password is at fault', async program => {
    const { url } = await started(program)
    const port = await openSite()
    for (const wrong of [url.replace('hunter2', 'hunter3'), url.replace(/\/\/.*@/, '//')]) {
      const { ask, faults } = await openEgress(wrong)
      expect((await ask(`http://public.test:${port}/`)).statusCode).toBe(502)
      expect(faultIn(faults)).toBe('password')
      expect(await operatorProxy(wrong).trouble()).toBe('password')
      expect(String(faults)).not.toMatch(/hunter|127\.67/)
    }
  })

  it('tinyproxy that allows CONNECT to port 443 only is at fault, and the sentence names the port and the remedy', async () => {
    const { url } = await started('tinyproxy', { tinyproxy: 'ConnectPort 443' })
    const { ask, faults } = await openEgress(url)

    expect((await ask('http://public.test/')).statusCode).toBe(502)
    expect(faults).toMatchObject([{ fault: 'refused' }])
    expect(String(faults)).toMatch(/port 80\b.*CONNECT to all ports.*SOCKS5/)
  })

  it('danted whose rules forbid an address is at fault, and another address of the name is tried', async () => {
    const { url } = await started('danted')
    const port = await openSite()
    const forbidden = { address: '127.0.0.9', family: 4 as const }
    const policy: AddressPolicy = {
      resolve: async name => [forbidden, ...(name === 'two.test' ? await usual.resolve('public.test', port) : [])],
    }
    const { ask, faults } = await openEgress(url, { policy })

    expect((await ask(`http://two.test:${port}/`)).statusCode).toBe(200)
    expect(faults).toEqual([])
    expect((await ask(`http://one.test:${port}/`)).statusCode).toBe(502)
    expect(faultIn(faults)).toBe('refused')
  })

  it('that refused something is in trouble until something passes', async () => {
    const { url } = await started('danted')
    const proxy = operatorProxy(url)
    const port = await openSite()

    await expect(proxy.connect('127.0.0.9', port)).rejects.toMatchObject({ fault: 'refused' })
    expect(await proxy.trouble()).toBe('refused')
    ;(await proxy.connect('127.0.0.1', port)).destroy()
    expect(await proxy.trouble()).toBeUndefined()
  })
})

describe('something in place of a proxy', () => {
  it('that greets before it asks for a password, as a proxy in Go does, is in trouble once a connection met it', async () => {
    const port = await listening(socket =>
      socket.once('data', said => {
        const status = said.toString().startsWith('OPTIONS') ? '200 OK' : '407 Proxy Authentication Required'
        socket.end(`HTTP/1.1 ${status}\r\n\r\n`)
      }),
    )
    const proxy = operatorProxy(`http://127.0.0.1:${port}`)
    expect(await proxy.trouble()).toBeUndefined()
    await expect(proxy.connect('127.0.0.1', 80)).rejects.toMatchObject({ fault: 'password' })
    expect(await proxy.trouble()).toBe('password')
  })

  it('that accepts connections and never answers is at fault, for http and socks5', async () => {
    const port = await listening(() => {})
    // At the same time, because each waits for seconds until the proxy is known to be away.
    const found = ['http', 'socks5'].map(scheme => faultOf(`${scheme}://127.0.0.1:${port}`, { patience: 50 }))
    expect(await Promise.all(found)).toEqual(['away', 'away'])
  })

  it.each([
    ['http', 'HTTP/1.1 200 OK'],
    ['http', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
    ['http', `${'x'.repeat(20_000)}`],
    ['socks5', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
    ['socks5', '\x04\x5a'],
  ])('that closes a connection of %s after %j is at fault', async (scheme, words) => {
    const port = await listening(socket => socket.end(words))
    expect(await faultOf(`${scheme}://127.0.0.1:${port}`)).toBe('away')
  })

  it.each([
    ['401', 'password'],
    ['407', 'password'],
    ['403', 'refused'],
    ['405', 'refused'],
    ['501', 'refused'],
    ['500', undefined],
    ['502', undefined],
    ['503', undefined],
    ['504', undefined],
  ])('that answers CONNECT with %s is in trouble: %s', async (status, fault) => {
    const port = await listening(socket => socket.once('data', () => socket.end(`HTTP/1.1 ${status} No\r\n\r\n`)))
    expect(await faultOf(`http://127.0.0.1:${port}`)).toBe(fault)
  })

  it.each([
    [1, undefined],
    [2, 'refused'],
    [3, undefined],
    [4, undefined],
    [5, undefined],
    [6, undefined],
    [7, 'away'],
    [8, undefined],
  ])('that answers with the SOCKS reply %d is in trouble: %s', async (reply, fault) => {
    const port = await listening(socket => {
      socket.once('data', () => {
        socket.write(Buffer.from([5, 0]))
        socket.once('data', () => socket.end(Buffer.from([5, reply, 0, 1, 0, 0, 0, 0, 0, 0])))
      })
    })
    expect(await faultOf(`socks5://127.0.0.1:${port}`)).toBe(fault)
  })

  it.each([
    ['http', ['HTTP/1.1 200 Connection established\r\nVia: x\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok']],
    ['socks5', ['\x05\0', '\x05\0\0\x03\x01x\0\x50HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok']],
  ])('that sends the first bytes of the site with its answer loses none, for %s', async (scheme, answers) => {
    const port = await listening(socket => {
      const left = [...answers]
      socket.on('data', () => {
        // Byte by byte, as a slow network may deliver it.
        for (const byte of Buffer.from(left.shift() ?? '', 'latin1')) socket.write(Buffer.from([byte]))
      })
    })
    const { ask } = await openEgress(`${scheme}://127.0.0.1:${port}`)

    expect(await text(await ask('http://public.test/'))).toBe('ok')
  })
})

it('a password without a user name is sent to an HTTP proxy', async () => {
  const said: string[] = []
  const port = await listening(socket =>
    socket.once('data', bytes => {
      said.push(String(bytes))
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    }),
  )
  expect(await operatorProxy(`http://:secret@127.0.0.1:${port}`).trouble()).toBe('password')
  expect(said.join()).toContain(`Basic ${Buffer.from(':secret').toString('base64')}`)
})
