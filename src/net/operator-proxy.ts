/**
 * The proxy of the operator (DOWNLOAD_PROXY), behind our guard: names are resolved and judged here, and only the address is sent to the
 * proxy. So a proxy that resolves names itself is no way to an inside address.
 */
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Config } from '../config/config.ts'
import type { ProxyKind } from '../schema/service/health.ts'
import type { AddressPolicy, Way } from './addresses.ts'
import { connect_ms, connected } from './connect.ts'
import { type Credential, type Handshake, http, socks5 } from './handshakes.ts'
import { ProxyFault, type ProxyTrouble } from './proxy-fault.ts'

export type OperatorProxy = Way & {
  kind: ProxyKind
  /** Its password, if it has one. */
  secrets: string[]
  /** What is wrong with it now; `undefined`: it answers. Asks it to connect to nothing. */
  trouble(): Promise<ProxyTrouble | undefined>
}

/** Where nothing has been heard for this long, the proxy is asked whether it is there. */
const patience_ms = 5000
const greeting_ms = 3000
/** A fault counts for this long, unless another connection succeeds; a download that met it tries again within half an hour. */
const fault_counts_ms = 45 * 60_000

export const operatorProxyOf = ({ DOWNLOAD_PROXY: address }: Partial<Config>): OperatorProxy | undefined =>
  address === undefined ? undefined : operatorProxy(address)

/** `patience`: milliseconds, shorter in tests. */
export function operatorProxy(address: string, patience = patience_ms): OperatorProxy {
  const { kind, handshake, credential, host, port } = partsOf(address)
  /** Some proxies answer a greeting with a wrong password, and rules are about addresses, so connections tell as well. */
  let last_fault: { fault: ProxyTrouble; at: number } | undefined

  const reach = async (timeout_ms: number, signal?: AbortSignal) => {
    const socket = await connected({ host, port }, signal, timeout_ms).catch((cause: NodeJS.ErrnoException) => {
      signal?.throwIfAborted()
      // Without the message, which contains the address of the proxy.
      throw new ProxyFault('away', cause.code)
    })
    // Without a listener, an error between two answers would end the process.
    return socket.on('error', () => {})
  }

  async function trouble(): Promise<ProxyTrouble | undefined> {
    try {
      const socket = await reach(greeting_ms)
      await within(socket, greeting_ms, handshake.greet(socket, credential)).finally(() => socket.destroy())
    } catch (cause) {
      return cause instanceof ProxyFault ? cause.fault : 'away'
    }
    return last_fault && performance.now() - last_fault.at < fault_counts_ms ? last_fault.fault : undefined
  }

  async function connect(to: string, to_port: number, signal?: AbortSignal): Promise<Socket> {
    const socket = await reach(patience, signal)
    const stop = () => socket.destroy(new Error('The connection was given up.'))
    signal?.addEventListener('abort', stop)
    // A site that does not answer keeps a proxy waiting, and so do we. A proxy that hangs does not answer others either.
    let is_waiting = true
    const doubt = setTimeout(async () => {
      if ((await trouble()) === 'away' && is_waiting) socket.destroy(new ProxyFault('away'))
    }, patience)
    try {
      await within(socket, connect_ms, handshake.open(socket, credential, to, to_port))
      last_fault = undefined
      return socket
    } catch (cause) {
      socket.destroy()
      if (cause instanceof ProxyFault && cause.fault !== 'away')
        last_fault = { fault: cause.fault, at: performance.now() }
      throw cause
    } finally {
      is_waiting = false
      clearTimeout(doubt)
      signal?.removeEventListener('abort', stop)
    }
  }

  return { id: randomUUID(), kind, secrets: credential ? [credential.password] : [], connect, trouble }
}

/** Rejects after this many milliseconds, and closes the connection. */
async function within<T>(socket: Socket, ms: number, work: Promise<T>): Promise<T> {
  const timer = setTimeout(() => socket.destroy(new Error('The host did not answer.')), ms)
  try {
    return await work
  } finally {
    clearTimeout(timer)
  }
}

type Parts = { kind: ProxyKind; handshake: Handshake; credential: Credential; host: string; port: number }

/** The parts of an address that the configuration has accepted. */
function partsOf(address: string): Parts {
  const { protocol, hostname, port, username, password } = new URL(address)
  const of_kind =
    protocol === 'http:'
      ? { kind: 'http' as const, handshake: http, port: Number(port || 80) }
      : { kind: 'socks5' as const, handshake: socks5, port: Number(port || 1080) }
  const credential =
    username + password === ''
      ? undefined
      : { user: decodeURIComponent(username), password: decodeURIComponent(password) }
  return { ...of_kind, credential, host: hostname.replace(/^\[|\]$/g, '') }
}

/**
 * What yt-dlp fetches leaves through the proxy; with FEED_PROXY, also what this service fetches. Hosts that the operator lists are reached
 * directly: they are in the operator's own network.
 */
export function throughProxy(
  policy: AddressPolicy,
  { FEED_PROXY }: { FEED_PROXY?: 'on' | 'off' },
  proxy: OperatorProxy | undefined,
): AddressPolicy {
  if (!proxy) return policy
  const proxied: AddressPolicy = {
    secrets: proxy.secrets,
    resolve: async (hostname, port) =>
      (await policy.resolve(hostname, port)).map(address => (address.is_listed ? address : { ...address, way: proxy })),
  }
  return { ...(FEED_PROXY === 'on' ? proxied : policy), of_ytdlp: proxied }
}
