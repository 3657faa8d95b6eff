/** The feed's own name for an entry, for entries whose address does not identify the video. Pure. */
import { hash } from 'node:crypto'
import type { FeedEntry } from '../../schema/sources/feed.ts'
import { clean } from '../markup/text.ts'
import { canonicalUrl, fragmentOf, webUrlOf } from '../markup/web-url.ts'

/**
 * At most 200 characters, and in one spelling if it is an address; undefined when the feed gives none.
 * The fragment of an address counts only if the entry's page has the same one. Otherwise it may be a version: the BBC's changes
 * with every correction.
 */
export function guidOf(given: string | undefined, page?: string): string | undefined {
  const text = given === undefined ? undefined : clean(given).trim()
  if (!text) return undefined
  const url = /^https?:/i.test(text) ? webUrlOf(text) : undefined
  if (url === undefined) return short(text)
  const isPage = page !== undefined && canonicalUrl(page) === canonicalUrl(url) && fragmentOf(page) === fragmentOf(url)
  return short(isPage ? placeOf(url) : canonicalUrl(url))
}

/** Distinguishes entries of one document that have the same address: the guid as written, else the place on the page. */
export function nameOf(guid: string | undefined, page: string | undefined): string {
  const text = guid === undefined ? '' : clean(guid).trim()
  const url = /^https?:/i.test(text) ? webUrlOf(text) : undefined
  if (url !== undefined) return placeOf(url)
  return text || (page === undefined ? '' : placeOf(page))
}

const placeOf = (url: string) => canonicalUrl(url) + fragmentOf(url)

const short = (guid: string) => (guid.length > 200 ? hash('sha256', guid) : guid)

/** A guid that several entries share identifies none of them, so it is removed. */
export function withOwnGuids(entries: FeedEntry[]): FeedEntry[] {
  const seen = new Map<string, number>()
  for (const { guid } of entries) if (guid !== undefined) seen.set(guid, (seen.get(guid) ?? 0) + 1)
  return entries.map(({ guid, ...entry }) => (guid !== undefined && seen.get(guid) === 1 ? { ...entry, guid } : entry))
}
