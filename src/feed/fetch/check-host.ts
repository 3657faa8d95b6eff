/** One small request of our own to the root of a host: does the host itself say that it is asked too often? */
import { siteOf } from '../../schema/address.ts'
import { asksToWait } from './answer.ts'
import { type FetchOptions, fetchRefusal } from './fetch.ts'

/** `asked_s`: `Retry-After`. `reason`: for people. */
export type HostRefusal = { asked_s?: number | undefined; reason: string }

/** `host` as a pause names it: with its port for feeds; without, and without `www.`, for downloads. */
export type HostChecker = (host: string, signal?: AbortSignal) => Promise<HostRefusal | undefined>

const limits = { timeout_ms: 10_000, max_redirects: 3 }

/**
 * Never at an address of a person's choosing: many a site has a path that always answers 429. What another host answers,
 * behind a redirect, says nothing about this one. Returns undefined where nothing answers.
 */
export function createHostChecker(options: FetchOptions, rootsOf = rootsAt): HostChecker {
  return async (host, signal) => {
    for (const root of rootsOf(host)) {
      try {
        const refusal = await fetchRefusal(root, { ...options, limits, signal })
        const is_its_own = refusal && isOf(host, refusal.host)
        if (!refusal || !is_its_own || !asksToWait(refusal)) return undefined
        return { asked_s: refusal.retry_after_s, reason: refusal.message }
      } catch {
        signal?.throwIfAborted()
      }
    }
    return undefined
  }
}

/** Some sites have no https. */
const rootsAt = (host: string) => [`https://${host}/`, `http://${host}/`]

const isOf = (host: string, answered: string) => host === answered || host === siteOf(`http://${answered}/`)
