/**
 * Fetches one document from the web, within limits of destination, time and size; or asks only whether a host itself refuses. Reading the
 * document is up to `parse`.
 */
import type { IncomingMessage } from 'node:http'
import { DomainError } from '../../errors.ts'
import type { AddressPolicy } from '../../net/addresses.ts'
import { portOf } from '../../net/judged.ts'
import { ProxyFault } from '../../net/proxy-fault.ts'
import { never_fetched, type Validators } from '../../schema/sources/feed.ts'
import { siteOf } from '../../schema/values/address.ts'
import type { FetchedDocument } from '../formats/parse.ts'
import { type Answer, asksToWait, conditionsOf, readAnswer, refusalOf, type SiteRefusal } from './answer.ts'
import { createJar } from './cookie-jar.ts'
import type { Share } from './memory.ts'
import { inTime, isForGood, redirectOf, sendRequest, webAddress } from './request.ts'

export type FetchLimits = {
  /** The time for name resolution, redirects, headers and body, but not for waiting for memory. */
  timeout_ms: number
  /** The limit of the decompressed body. */
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

/**
 * Throws `address_refused`, `feed_timeout` or `feed_failed`. Never quotes the site's own text, which the reader may not be
 * allowed to see. When `signal` is aborted, throws its reason. `share`: until the document has been read.
 */
export async function fetchDocument(url: string, options: FetchOptions, share: Share): Promise<FetchedDocument> {
  const { document } = await fetchIfChanged(url, options, never_fetched, share)
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
    const end: End<Answer> = async (response, at, has_moved) => ({
      ...(await readAnswer(response, at, { conditional, max_bytes, share: patient })),
      moved_to: has_moved ? at.href : undefined,
    })
    return follow(url, more, policy, stop, bounds, end)
  })
}

/** Like `fetchDocument`, but without reading the document. Returns the site's refusal; `undefined`: it answered 200. */
async function fetchRefusal(url: string, options: FetchOptions): Promise<SiteRefusal | undefined> {
  const { policy, signal, limits } = options
  const bounds = { ...default_limits, ...limits }
  const end: End<SiteRefusal | undefined> = async (response, at) => {
    response.destroy()
    return response.statusCode === 200 ? undefined : refusalOf(response, at)
  }
  return inTime(signal, bounds.timeout_ms, stop => follow(url, {}, policy, stop, bounds, end))
}

/** `has_moved`: there were redirects, and all of them for good. */
type End<T> = (response: IncomingMessage, url: URL, has_moved: boolean) => Promise<T>

async function follow<T>(
  first: string,
  more: Record<string, string>,
  policy: AddressPolicy,
  signal: AbortSignal,
  { max_redirects }: FetchLimits,
  end: End<T>,
): Promise<T> {
  let url = webAddress(first)
  const jar = createJar()
  let is_for_good = true
  for (let hops = 0; hops <= max_redirects; hops++) {
    const addresses = await policy.resolve(url.hostname, portOf(url))
    signal.throwIfAborted()
    const response = await sendRequest(url, addresses, { ...headers, ...more, ...jar.headersFor(url) }, signal)
    const next = redirectOf(response, url)
    if (!next) return await end(response, url, is_for_good && hops > 0)
    is_for_good &&= isForGood(response, url, next)
    response.destroy()
    jar.keep(response, url)
    url = next
  }
  throw new DomainError('feed_failed', 'This link redirects too many times.')
}

const headers = {
  accept:
    'application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, text/html;q=0.8, */*;q=0.5',
  'accept-encoding': 'gzip, deflate, br',
}

/** `retry_after_s`: `Retry-After`. `reason`: a sentence for people. */
export type HostRefusal = { retry_after_s?: number | undefined; reason: string }

/**
 * `host`: as in a pause; for feeds and pictures with the port, for downloads without port and `www.`. `or_trouble`: a host that does not
 * answer, or with 5xx, counts too.
 */
export type HostChecker = (
  host: string,
  signal?: AbortSignal,
  or_trouble?: 'or_trouble',
) => Promise<HostRefusal | undefined>

const host_limits = { timeout_ms: 10_000, max_redirects: 3 }

/**
 * Requests the root of a host, to see whether the host itself asks us to slow down, or is in trouble. Never requests an address that a
 * person chose, because a site can have a path that always answers 429. The answer of another host, behind a redirect, does not count.
 */
export function createHostChecker(options: FetchOptions, rootsOf = rootsAt): HostChecker {
  return async (host, signal, or_trouble) => {
    for (const root of rootsOf(host)) {
      try {
        const refusal = await fetchRefusal(root, { ...options, limits: host_limits, signal })
        if (!refusal || !isOf(host, refusal.host)) return undefined
        if (!asksToWait(refusal) && !(or_trouble && refusal.answered >= 500)) return undefined
        return { retry_after_s: refusal.retry_after_s, reason: refusal.message }
      } catch (cause) {
        signal?.throwIfAborted()
        // The host has not been asked.
        if (cause instanceof ProxyFault) return undefined
      }
    }
    return or_trouble && { reason: `${host} does not answer.` }
  }
}

/** Some sites have no HTTPS. */
const rootsAt = (host: string) => [`https://${host}/`, `http://${host}/`]

const isOf = (host: string, answered: string) => host === answered || host === siteOf(`http://${answered}/`)
