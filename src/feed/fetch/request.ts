/**
 * Sends one request to an address that the policy allowed, and says where a redirect leads. Following it is up to the caller.
 * Uses `node:http` and not `fetch`, because only `node:http` can connect to exactly the address that the policy allowed.
 */
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import manifest from '../../../package.json' with { type: 'json' }
import { DomainError } from '../../errors.ts'
import type { Address } from '../../net/addresses.ts'
import { type JudgedRequest, keptConnections } from '../../net/kept-connections.ts'
import { youtubeHeaders } from '../platforms/youtube.ts'

/** `method`: GET unless given. */
type Given = { method?: string; headers: Record<string, string>; body?: string }

/** Sends one request, to one of `addresses`. `is_again`: a kept connection broke, because its host had just closed it. */
export function sendRequest(
  url: URL,
  addresses: Address[],
  given: Given,
  signal: AbortSignal,
  is_again = false,
): Promise<IncomingMessage> {
  const is_secure = url.protocol === 'https:'
  const request = is_secure ? requestHttps : requestHttp
  const port = addresses[0]?.port
  return new Promise((resolve, reject) => {
    const options: JudgedRequest = {
      method: given.method ?? 'GET',
      agent: !is_again && (is_secure ? keptConnections.https : keptConnections.http),
      judged: addresses,
      signal,
      headers: { 'user-agent': user_agent, host: url.host, ...youtubeHeaders(url.hostname), ...given.headers },
      lookup: lookupOf(addresses),
      ...(port !== undefined && { port }),
    }
    const sent = request(url, options)
    let is_answered = false
    sent.once('response', response => {
      is_answered = true
      resolve(response)
    })
    sent.on('error', fault => {
      // An answer that breaks off is a fault of the host, and its reader notices it.
      if (is_answered) return
      if (sent.reusedSocket && !signal.aborted) resolve(sendRequest(url, addresses, given, signal, true))
      else reject(fault)
    })
    sent.end(given.body)
  })
}

const user_agent = `Backlot/${manifest.version} (feed reader)`

/** Replaces the resolver when connecting, so that the name is not resolved a second time. */
const lookupOf =
  (addresses: Address[]): LookupFunction =>
  (_, { all }, done) =>
    all ? done(null, addresses) : done(null, addresses[0]?.address ?? '', addresses[0]?.family)

/** Where the answer redirects to; undefined: it does not. */
export function redirectOf({ statusCode = 0, headers }: IncomingMessage, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode) || !headers.location) return undefined
  // Node reads headers as Latin-1, and sites write UTF-8.
  const location = Buffer.from(headers.location, 'latin1').toString('utf8')
  if (!URL.parse(location, from.href))
    throw new DomainError('feed_failed', 'This link redirects to something that is not a web address.')
  return webAddress(location, from)
}

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

export const portOf = ({ port, protocol }: URL) => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port))

const refused = (sentence: string) => new DomainError('address_refused', sentence)
