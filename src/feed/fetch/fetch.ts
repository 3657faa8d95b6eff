/**
 * Fetches one document from the web, within limits of destination, time and size. Reading the document is up to `parse`.
 * Uses `node:http` and not `fetch`, because only `node:http` can connect to exactly the address that the policy allowed.
 */
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import manifest from '../../../package.json' with { type: 'json' }
import { DomainError } from '../../errors.ts'
import type { Address, AddressPolicy } from '../../net/addresses.ts'
import { type JudgedRequest, keptConnections } from '../../net/kept-connections.ts'
import { type Known, nothing_known } from '../../schema/feed.ts'
import type { FetchedDocument } from '../document.ts'
import { youtubeHeaders } from '../platforms/youtube.ts'
import { type Answer, readAnswer, refusalOf, type SiteRefusal } from './answer.ts'
import { conditionsOf } from './caching.ts'
import { inTime } from './in-time.ts'
import type { Share } from './memory.ts'

export type FetchLimits = {
  /** For everything but waiting for memory: name resolution, redirects, headers, body. */
  timeout_ms: number
  /** Of the decompressed body. */
  max_bytes: number
  max_redirects: number
}
export const default_limits: FetchLimits = { timeout_ms: 20_000, max_bytes: 5 * 1024 * 1024, max_redirects: 5 }

export type FetchOptions = { policy: AddressPolicy; signal?: AbortSignal | undefined; limits?: Partial<FetchLimits> }

type Validators = Pick<Known, 'etag' | 'last_modified'>

/**
 * Throws `address_refused`, `feed_timeout` or `feed_failed`. Never quotes the site's own text, which the reader may not be
 * allowed to see. When `signal` is aborted, throws its reason. `share`: until the document has been read.
 */
export async function fetchDocument(url: string, options: FetchOptions, share: Share): Promise<FetchedDocument> {
  const { document } = await fetchIfChanged(url, options, nothing_known, share)
  if (!document) throw new Error('an answer to an unconditional request has a document')
  return document
}

/** Like `fetchDocument`, but asks the site to send a document only if it differs from the `known` one. */
export async function fetchIfChanged(
  url: string,
  { policy, signal, limits }: FetchOptions,
  known: Validators,
  share: Share,
): Promise<Answer> {
  const bounds = { ...default_limits, ...limits }
  const conditions = conditionsOf(known)
  const conditional = Object.keys(conditions).length > 0
  const { max_bytes } = bounds
  return inTime(signal, bounds.timeout_ms, (stop, uncounted) => {
    const patient: Share = { grow: bytes => uncounted(share.grow(bytes)) }
    const end: End<Answer> = (response, at) => readAnswer(response, at, { conditional, max_bytes, share: patient })
    return follow(url, conditions, policy, stop, bounds, end)
  })
}

/** Like `fetchDocument`, but without reading the document. Returns the site's refusal; `undefined`: it answered 200. */
export async function fetchRefusal(url: string, options: FetchOptions): Promise<SiteRefusal | undefined> {
  const { policy, signal, limits } = options
  const bounds = { ...default_limits, ...limits }
  const end: End<SiteRefusal | undefined> = async (response, at) => {
    response.destroy()
    return response.statusCode === 200 ? undefined : refusalOf(response, at)
  }
  return inTime(signal, bounds.timeout_ms, stop => follow(url, {}, policy, stop, bounds, end))
}

type End<T> = (response: IncomingMessage, url: URL) => Promise<T>

async function follow<T>(
  first: string,
  conditions: Record<string, string>,
  policy: AddressPolicy,
  signal: AbortSignal,
  { max_redirects }: FetchLimits,
  end: End<T>,
): Promise<T> {
  let url = webAddress(first)
  for (let hops = 0; hops <= max_redirects; hops++) {
    const addresses = await policy.resolve(url.hostname, portOf(url))
    signal.throwIfAborted()
    const response = await ask(url, addresses, conditions, signal)
    const next = redirectOf(response, url)
    if (!next) return await end(response, url)
    response.destroy()
    url = next
  }
  throw new DomainError('feed_failed', 'This link redirects too many times.')
}

/** `is_again`: a kept connection broke, because its host had just closed it. */
function ask(
  url: URL,
  addresses: Address[],
  conditions: Record<string, string>,
  signal: AbortSignal,
  is_again = false,
): Promise<IncomingMessage> {
  const is_secure = url.protocol === 'https:'
  const request = is_secure ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const options: JudgedRequest = {
      agent: !is_again && (is_secure ? keptConnections.https : keptConnections.http),
      judged: addresses,
      signal,
      headers: { ...headers, ...youtubeHeaders(url.hostname), ...conditions },
      lookup: lookupOf(addresses),
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
      if (sent.reusedSocket && !signal.aborted) resolve(ask(url, addresses, conditions, signal, true))
      else reject(fault)
    })
    sent.end()
  })
}

const headers = {
  'user-agent': `Backlot/${manifest.version} (feed reader)`,
  accept:
    'application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, text/html;q=0.8, */*;q=0.5',
  'accept-encoding': 'gzip, deflate, br',
}

/** Replaces the resolver when connecting, so that the name is not resolved a second time. */
const lookupOf =
  (addresses: Address[]): LookupFunction =>
  (_, { all }, done) =>
    all ? done(null, addresses) : done(null, addresses[0]?.address ?? '', addresses[0]?.family)

function redirectOf({ statusCode = 0, headers }: IncomingMessage, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode) || !headers.location) return undefined
  // Node reads headers as Latin-1, and sites write UTF-8.
  const location = Buffer.from(headers.location, 'latin1').toString('utf8')
  if (!URL.parse(location, from.href))
    throw new DomainError('feed_failed', 'This link redirects to something that is not a web address.')
  return webAddress(location, from)
}

/** http and https only, without user name and password. */
function webAddress(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (!url)
    throw new DomainError('invalid', 'This is not a web address. Paste a link such as https://example.com/feed.')
  if (!/^https?:$/.test(url.protocol)) throw refused('Only addresses that start with http:// or https:// are fetched.')
  if (url.username || url.password) throw refused('An address with a user name or password in it is not fetched.')
  if (url.href.length > 2048) throw refused('This address is too long.')
  return url
}

const portOf = ({ port, protocol }: URL) => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port))

const refused = (sentence: string) => new DomainError('address_refused', sentence)
