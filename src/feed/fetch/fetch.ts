/**
 * Gets one document from the web, within limits of place, time and size. Knows HTTP; what the bytes mean is `parse`'s.
 * Plain `node:http` and not `fetch`, because only here can the address that was judged be the one that is connected to.
 */
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import manifest from '../../../package.json' with { type: 'json' }
import { DomainError } from '../../errors.ts'
import type { Address, AddressPolicy } from '../../net/addresses.ts'
import { type Known, nothing_known } from '../../schema/feed.ts'
import type { FetchedDocument } from '../document.ts'
import { youtubeHeaders } from '../platforms/youtube.ts'
import { type Answer, answerOf, refusalOf, type SiteRefusal } from './answer.ts'
import { conditionsOf } from './caching.ts'

export type FetchLimits = {
  /** For the whole of it: names, redirects, headers, body. */
  timeout_ms: number
  /** Of the decoded body. */
  max_bytes: number
  max_redirects: number
}
export const default_limits: FetchLimits = { timeout_ms: 20_000, max_bytes: 5 * 1024 * 1024, max_redirects: 5 }

export type FetchOptions = { policy: AddressPolicy; signal?: AbortSignal | undefined; limits?: Partial<FetchLimits> }

type Validators = Pick<Known, 'etag' | 'last_modified'>

/**
 * Throws `address_refused`, `feed_timeout` or `feed_failed`; never quotes what the site said, which may be none of the
 * reader's business. An abort of `signal` is passed on as its reason.
 */
export async function fetchDocument(url: string, options: FetchOptions): Promise<FetchedDocument> {
  const { document } = await fetchNews(url, options, nothing_known)
  if (!document) throw new Error('an answer to an unconditional request has a document')
  return document
}

/** Like `fetchDocument`, but a site that understands is asked only for what is not `known`. */
export async function fetchNews(
  url: string,
  { policy, signal, limits }: FetchOptions,
  known: Validators,
): Promise<Answer> {
  const bounds = { ...default_limits, ...limits }
  const conditions = conditionsOf(known)
  const conditional = Object.keys(conditions).length > 0
  const { max_bytes } = bounds
  const end: End<Answer> = (response, at) => answerOf(response, at, { conditional, max_bytes })
  return inTime(signal, bounds, stop => follow(url, conditions, policy, stop, bounds, end))
}

/** Asks like `fetchDocument`, but reads no document: what the site refuses with; `undefined`: it answered 200. */
export async function fetchRefusal(url: string, options: FetchOptions): Promise<SiteRefusal | undefined> {
  const { policy, signal, limits } = options
  const bounds = { ...default_limits, ...limits }
  const end: End<SiteRefusal | undefined> = async (response, at) => {
    response.destroy()
    return response.statusCode === 200 ? undefined : refusalOf(response, at)
  }
  return inTime(signal, bounds, stop => follow(url, {}, policy, stop, bounds, end))
}

type End<T> = (response: IncomingMessage, url: URL) => Promise<T>

async function inTime<T>(
  signal: AbortSignal | undefined,
  bounds: FetchLimits,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), bounds.timeout_ms)
  const stop = signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal
  try {
    return await Promise.race([work(stop), aborted(stop)])
  } catch (cause) {
    signal?.throwIfAborted()
    if (deadline.signal.aborted) throw tooSlow(bounds.timeout_ms, cause)
    throw cause instanceof DomainError ? cause : unreachable(cause)
  } finally {
    clearTimeout(timer)
  }
}

/** A resolver can't be stopped, only no longer waited for. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

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
  throw new DomainError('feed_failed', 'The site sends us from one address to the next without end.')
}

function ask(
  url: URL,
  addresses: Address[],
  conditions: Record<string, string>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    // No agent: a kept connection would be reused without a new judgement.
    const asking = request(url, {
      agent: false,
      signal,
      headers: { ...headers, ...youtubeHeaders(url.hostname), ...conditions },
      lookup: answering(addresses),
    })
    asking.once('response', resolve)
    asking.on('error', reject)
    asking.end()
  })
}

const headers = {
  'user-agent': `Backlot/${manifest.version} (feed reader)`,
  accept:
    'application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, text/html;q=0.8, */*;q=0.5',
  'accept-encoding': 'gzip, deflate, br',
}

/** Stands in for the resolver when the connection is made: nobody is asked a second time. */
const answering =
  (addresses: Address[]): LookupFunction =>
  (_, { all }, done) =>
    all ? done(null, addresses) : done(null, addresses[0]?.address ?? '', addresses[0]?.family)

function redirectOf({ statusCode = 0, headers }: IncomingMessage, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode) || !headers.location) return undefined
  // Node reads headers as Latin-1, and sites write UTF-8.
  const location = Buffer.from(headers.location, 'latin1').toString('utf8')
  if (!URL.parse(location, from.href))
    throw new DomainError('feed_failed', 'The site sends us to something that is no web address.')
  return webAddress(location, from)
}

/** http and https only, without a name and password in them. */
function webAddress(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (!url) throw new DomainError('invalid', 'This is not a web address. It looks like https://example.com/feed.')
  if (!/^https?:$/.test(url.protocol)) throw refused('Only addresses that start with http:// or https:// are fetched.')
  if (url.username || url.password) throw refused('An address with a name or password in it is not fetched.')
  if (url.href.length > 2048) throw refused('This address is too long.')
  return url
}

const portOf = ({ port, protocol }: URL) => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port))

const refused = (sentence: string) => new DomainError('address_refused', sentence)
const tooSlow = (timeout_ms: number, cause: unknown) =>
  new DomainError('feed_timeout', `The site did not answer within ${timeout_ms / 1000} seconds. Try again later.`, {
    cause,
  })

function unreachable(cause: unknown): DomainError {
  const code = String((cause as { code?: unknown } | undefined)?.code ?? '')
  const sentence = /CERT|SSL|TLS|SELF_SIGNED|LEAF_SIGNATURE/.test(code)
    ? 'The site can not prove that it is the one it claims to be: its certificate is not valid.'
    : 'The site could not be reached, or broke off in the middle. Try again later.'
  return new DomainError('feed_failed', sentence, { cause })
}
