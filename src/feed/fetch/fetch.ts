/**
 * Fetches one document from the web, within limits of destination, time and size. Reading the document is up to `parse`.
 */
import type { IncomingMessage } from 'node:http'
import { DomainError } from '../../errors.ts'
import type { AddressPolicy } from '../../net/addresses.ts'
import { type Known, nothing_known } from '../../schema/sources/feed.ts'
import type { FetchedDocument } from '../document.ts'
import { type Answer, readAnswer, refusalOf, type SiteRefusal } from './answer.ts'
import { conditionsOf } from './caching.ts'
import type { Share } from './memory.ts'
import { inTime, portOf, redirectOf, sendRequest, webAddress } from './request.ts'

export type FetchLimits = {
  /** For everything but waiting for memory: name resolution, redirects, headers, body. */
  timeout_ms: number
  /** Of the decompressed body. */
  max_bytes: number
  max_redirects: number
}
export const default_limits: FetchLimits = { timeout_ms: 20_000, max_bytes: 5 * 1024 * 1024, max_redirects: 5 }

export type FetchOptions = {
  policy: AddressPolicy
  signal?: AbortSignal | undefined
  limits?: Partial<FetchLimits>
  /** The types of documents that are read; absent: feeds and pages. */
  accept?: string
}

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
  { policy, signal, limits, accept }: FetchOptions,
  known: Validators,
  share: Share,
): Promise<Answer> {
  const bounds = { ...default_limits, ...limits }
  const conditions = conditionsOf(known)
  const conditional = Object.keys(conditions).length > 0
  const more = { ...conditions, ...(accept !== undefined && { accept }) }
  const { max_bytes } = bounds
  return inTime(signal, bounds.timeout_ms, (stop, uncounted) => {
    const patient: Share = { grow: bytes => uncounted(share.grow(bytes)) }
    const end: End<Answer> = (response, at) => readAnswer(response, at, { conditional, max_bytes, share: patient })
    return follow(url, more, policy, stop, bounds, end)
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
  more: Record<string, string>,
  policy: AddressPolicy,
  signal: AbortSignal,
  { max_redirects }: FetchLimits,
  end: End<T>,
): Promise<T> {
  let url = webAddress(first)
  for (let hops = 0; hops <= max_redirects; hops++) {
    const addresses = await policy.resolve(url.hostname, portOf(url))
    signal.throwIfAborted()
    const response = await sendRequest(url, addresses, { headers: { ...headers, ...more } }, signal)
    const next = redirectOf(response, url)
    if (!next) return await end(response, url)
    response.destroy()
    url = next
  }
  throw new DomainError('feed_failed', 'This link redirects too many times.')
}

const headers = {
  accept:
    'application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, text/html;q=0.8, */*;q=0.5',
  'accept-encoding': 'gzip, deflate, br',
}
