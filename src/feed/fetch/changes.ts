/** Fetches a followed feed again, asking its host for news only: whether it changed, and when the host wants the next request. */
import { hash } from 'node:crypto'
import { type Feed, type Known, nothing_known } from '../../schema/sources/feed.ts'
import type { FetchedDocument } from '../document.ts'
import type { Caching } from './caching.ts'
import { type FetchOptions, fetchIfChanged } from './fetch.ts'
import { withMemory } from './memory.ts'
import { parseApart } from './parse-apart.ts'
import { withSecondAddress } from './second-address.ts'

export type Changes = {
  /** Absent: the feed has not changed. */
  feed?: Feed
  known: Known
  /** For so many seconds the feed or its host wants no further request; `null`: neither says. */
  min_wait_s: number | null
}

/** Rejects with a sentence for people, like a `FeedReader`; when `signal` is aborted, with its reason. */
export type ChangeFetcher = (address: string, known: Known, signal?: AbortSignal) => Promise<Changes>

export function createChangeFetcher(options: FetchOptions): ChangeFetcher {
  return (rss_url, known, signal) =>
    withSecondAddress(rss_url, (address, second) =>
      withMemory(undefined, async share => {
        const before = second ? nothing_known : known
        const { document, caching } = await fetchIfChanged(address, { ...options, signal }, before, share)
        if (!document) return unchanged(known, known.body_hash, caching)
        const body_hash = hashOf(document)
        if (!second && body_hash === known.body_hash) return unchanged(known, body_hash, caching)

        const feed = await parseApart(document, rss_url, { signal })
        const every_minutes = feed.every_minutes ?? null
        const min_wait_s = minWaitOf(every_minutes, caching)
        // The validators of the second address mean nothing at the followed one.
        if (second) return { feed: second.keep(feed), known: { ...nothing_known, every_minutes }, min_wait_s }
        const { etag, last_modified } = caching
        return { feed, known: { etag, last_modified, body_hash, every_minutes }, min_wait_s }
      }),
    )
}

/** An answer without news does not have to repeat the validators. */
const unchanged = (known: Known, body_hash: string | null, caching: Caching): Changes => ({
  known: {
    etag: caching.etag ?? known.etag,
    last_modified: caching.last_modified ?? known.last_modified,
    body_hash,
    every_minutes: known.every_minutes,
  },
  min_wait_s: minWaitOf(known.every_minutes, caching),
})

const hashOf = ({ body }: FetchedDocument): string => hash('sha256', body, 'base64url')

/** The longer wish of the feed and its host. */
const minWaitOf = (every_minutes: number | null, { fresh_s }: Caching): number | null =>
  every_minutes === null && fresh_s === null ? null : Math.max((every_minutes ?? 0) * 60, fresh_s ?? 0)
