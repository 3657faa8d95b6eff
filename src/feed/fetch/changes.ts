/** Looks at a followed feed again: whether it has changed since, what it says now, and when its host wants to be asked next. */
import { createHash } from 'node:crypto'
import { type Feed, type Known, nothing_known } from '../../schema/feed.ts'
import type { FetchedDocument } from '../document.ts'
import type { Caching } from './caching.ts'
import { type FetchOptions, fetchNews } from './fetch.ts'
import { parseApart } from './parse-apart.ts'
import { withTwin } from './youtube-twin.ts'

export type Checked = {
  /** Absent: it is as it was. */
  feed?: Feed
  known: Known
  /** Seconds for which the host wishes to be left alone; `null`: it did not say. */
  wish_s: number | null
}

/** Rejects with what a person can be told, like a `FeedReader`; an abort of `signal` is passed on as its reason. */
export type ChangeFetcher = (address: string, known: Known, signal?: AbortSignal) => Promise<Checked>

export function createChangeFetcher(options: FetchOptions): ChangeFetcher {
  return (address, known, signal) =>
    withTwin(address, async (asked, twin) => {
      const { document, caching } = await fetchNews(asked, { ...options, signal }, twin ? nothing_known : known)
      if (!document) return unchanged(known, known.body_hash, caching)
      const body_hash = hashOf(document)
      if (!twin && body_hash === known.body_hash) return unchanged(known, body_hash, caching)

      const feed = await parseApart(document, address, { signal })
      const every_minutes = feed.every_minutes ?? null
      const wish_s = wishOf(every_minutes, caching)
      // What the twin said of itself is not true of the address that is followed.
      if (twin) return { feed: twin.only?.(feed) ?? feed, known: { ...nothing_known, every_minutes }, wish_s }
      const { etag, last_modified } = caching
      return { feed, known: { etag, last_modified, body_hash, every_minutes }, wish_s }
    })
}

/** An answer without news need not repeat what it said of itself before. */
const unchanged = (known: Known, body_hash: string | null, caching: Caching): Checked => ({
  known: {
    etag: caching.etag ?? known.etag,
    last_modified: caching.last_modified ?? known.last_modified,
    body_hash,
    every_minutes: known.every_minutes,
  },
  wish_s: wishOf(known.every_minutes, caching),
})

const hashOf = ({ body }: FetchedDocument): string => createHash('sha256').update(body).digest('base64url')

/** The longer of what the feed and its host say. */
const wishOf = (every_minutes: number | null, { fresh_s }: Caching): number | null =>
  every_minutes === null && fresh_s === null ? null : Math.max((every_minutes ?? 0) * 60, fresh_s ?? 0)
