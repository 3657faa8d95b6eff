/** Requests the root of a host, to see whether the host itself asks us to slow down, or is in trouble. */
import { siteOf } from '../../schema/values/address.ts'
import { asksToWait } from './answer.ts'
import { type FetchOptions, fetchRefusal } from './fetch.ts'

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

const limits = { timeout_ms: 10_000, max_redirects: 3 }

/**
 * Never requests an address that a person chose, because a site can have a path that always answers 429. The answer of another
 * host, behind a redirect, does not count.
 */
export function createHostChecker(options: FetchOptions, rootsOf = rootsAt): HostChecker {
  return async (host, signal, or_trouble) => {
    for (const root of rootsOf(host)) {
      try {
        const refusal = await fetchRefusal(root, { ...options, limits, signal })
        if (!refusal || !isOf(host, refusal.host)) return undefined
        if (!asksToWait(refusal) && !(or_trouble && refusal.answered >= 500)) return undefined
        return { retry_after_s: refusal.retry_after_s, reason: refusal.message }
      } catch {
        signal?.throwIfAborted()
      }
    }
    return or_trouble && { reason: `${host} does not answer.` }
  }
}

/** Some sites have no HTTPS. */
const rootsAt = (host: string) => [`https://${host}/`, `http://${host}/`]

const isOf = (host: string, answered: string) => host === answered || host === siteOf(`http://${answered}/`)
