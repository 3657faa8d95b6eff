/**
 * Sends one request to an address that the policy allowed, within a time, and says where a redirect leads. Following the redirect is left
 * to the caller. Uses `node:http` and not `fetch`, because only `node:http` can connect to exactly the address that the policy allowed.
 */
import type { IncomingMessage } from 'node:http'
import manifest from '../../../package.json' with { type: 'json' }
import { DomainError } from '../../errors.ts'
import type { Address } from '../../net/addresses.ts'
import { connections, type JudgedRequest } from '../../net/connections.ts'
import { sendTo } from '../../net/judged.ts'
import { ProxyFault } from '../../net/proxy-fault.ts'
import { unlessAborted } from '../../runtime/turns.ts'

/** Sends one GET request, to one of `addresses`. */
export function sendRequest(
  url: URL,
  addresses: Address[],
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const options: JudgedRequest = {
    method: 'GET',
    agent: connections[url.protocol === 'https:' ? 'https' : 'http'],
    judged: addresses,
    signal,
    stop: signal,
    headers: { 'user-agent': user_agent, host: url.host, ...headers },
  }
  return sendTo(addresses, url, options).catch((fault: unknown) => {
    throw signal.aborted || fault instanceof ProxyFault ? fault : unreachable(fault, url.hostname)
  })
}

const user_agent = `Backlot/${manifest.version} (feed reader)`

/** Where the answer redirects to; undefined: it does not. */
export function redirectOf({ statusCode = 0, headers }: IncomingMessage, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode) || !headers.location) return undefined
  // Node reads headers as Latin-1, and sites write UTF-8.
  const location = Buffer.from(headers.location, 'latin1').toString('utf8')
  if (!URL.parse(location, from.href))
    throw new DomainError('feed_failed', 'This link redirects to something that is not a web address.')
  return webAddress(location, from)
}

/**
 * Whether a redirect is for good, and an address that may be stored: it does not give up encryption, has no fragment, and no parameters
 * that the former address did not have, because those may hold for an hour only.
 */
export const isForGood = ({ statusCode = 0 }: IncomingMessage, from: URL, to: URL): boolean =>
  [301, 308].includes(statusCode) &&
  ['https:', from.protocol].includes(to.protocol) &&
  ['', from.search].includes(to.search) &&
  to.hash === ''

/** http and https only, without user name and password. */
export function webAddress(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (!url)
    throw new DomainError('invalid', 'This is not a web address. Paste a link such as https://example.com/feed.')
  if (!/^https?:$/.test(url.protocol)) throw refused('Only addresses that start with http:// or https:// are fetched.')
  if (url.username || url.password) throw refused('An address with a user name or password in it is not fetched.')
  if (url.href.length > 2048) throw refused('This address is too long.')
  return url
}

const refused = (sentence: string) => new DomainError('address_refused', sentence)

/** The time until `wait` settles is not the site's, so it does not count. One wait at a time. */
type Uncounted = (wait: Promise<void>) => Promise<void>

/** Ends the work of a request when its time is over or its signal is aborted, and says in a sentence why it failed. */
export async function inTime<T>(
  signal: AbortSignal | undefined,
  timeout_ms: number,
  work: (stop: AbortSignal, uncounted: Uncounted) => Promise<T>,
): Promise<T> {
  const stop = new AbortController()
  const abort = () => stop.abort(signal?.reason)
  const deadline = startDeadline(timeout_ms, () => stop.abort(tooSlow(timeout_ms)))
  signal?.addEventListener('abort', abort, { once: true })
  try {
    signal?.throwIfAborted()
    // Name resolution cannot be stopped, but we need not wait for it.
    return await unlessAborted(work(stop.signal, deadline.uncounted), stop.signal)
  } catch (cause) {
    stop.signal.throwIfAborted()
    throw cause instanceof DomainError ? cause : brokenOff(cause)
  } finally {
    deadline.end()
    signal?.removeEventListener('abort', abort)
  }
}

function startDeadline(ms: number, miss: () => void) {
  let left_ms = ms
  let has_ended = false
  let since: number
  let timer: ReturnType<typeof setTimeout>

  const run = () => {
    since = performance.now()
    timer = setTimeout(miss, left_ms)
  }
  const uncounted: Uncounted = async wait => {
    clearTimeout(timer)
    left_ms -= performance.now() - since
    try {
      await wait
    } finally {
      if (!has_ended) run()
    }
  }
  const end = () => {
    has_ended = true
    clearTimeout(timer)
  }
  run()
  return { uncounted, end }
}

const tooSlow = (timeout_ms: number) =>
  new DomainError('feed_timeout', `The site did not answer within ${timeout_ms / 1000} seconds. Try again later.`)

function unreachable(cause: unknown, host: string): DomainError {
  const code = String((cause as { code?: unknown } | undefined)?.code ?? '')
  const sentence = /CERT|SSL|TLS|SELF_SIGNED|LEAF_SIGNATURE/.test(code)
    ? `The certificate of ${host} is not valid.`
    : `Could not connect to ${host}. Check the link or try again later.`
  return new DomainError('feed_failed', sentence, { cause })
}

const brokenOff = (cause: unknown) =>
  new DomainError('feed_failed', 'The connection to this site broke off. Try again later.', { cause })
