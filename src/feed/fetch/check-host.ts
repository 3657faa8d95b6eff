/** Requests the root of a host, to see whether the host itself asks us to slow down. */
import { siteOf } from '../../schema/address.ts'
import { asksToWait } from './answer.ts'
import { type FetchOptions, fetchRefusal } from './fetch.ts'

/** `retry_after_s`: `Retry-After`. `reason`: a sentence for people. */
export type HostRefusal = { retry_after_s?: number | undefined; reason: string }

/** `host`: as in a pause; for feeds with the port, for downloads without port and `www.`. */
export type HostChecker = (host: string, signal?: AbortSignal) => Promise<HostRefusal | undefined>

const limits = { timeout_ms: 10_000, max_redirects: 3 }

/**
 * Never requests an address that a person chose, because a site can have a path that always answers 429. The answer of another
 * host, behind a redirect, does not count. Returns undefined when nothing answers.
 */
export function createHostChecker(options: FetchOptions, rootsOf = rootsAt): HostChecker {
  return async (host, signal) => {
    for (const root of rootsOf(host)) {
      try {
        const refusal = await fetchRefusal(root, { ...options, limits, signal })
        const is_its_own = refusal && isOf(host, refusal.host)
        if (!refusal || !is_its_own || !asksToWait(refusal)) return undefined
        return { retry_after_s: refusal.retry_after_s, reason: refusal.message }
      } catch {
        signal?.throwIfAborted()
      }
    }
    return undefined
  }
}

/** Some sites have no HTTPS. */
const rootsAt = (host: string) => [`https://${host}/`, `http://${host}/`]

const isOf = (host: string, answered: string) => host === answered || host === siteOf(`http://${answered}/`)
