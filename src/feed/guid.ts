/** The name by which a feed itself calls an entry, for those whose address is no sure sign of which video it is. Pure. */
import { createHash } from 'node:crypto'
import type { FeedEntry } from '../schema/feed.ts'
import { clean } from './text.ts'
import { canonicalUrl, webUrlOf } from './web-url.ts'

/** In one spelling, where it is an address; undefined where there is none. At most 200 characters. */
export function guidOf(given: string | undefined): string | undefined {
  const text = given === undefined ? undefined : clean(given).trim()
  if (!text) return undefined
  const url = /^https?:/i.test(text) ? webUrlOf(text) : undefined
  const guid = url === undefined ? text : canonicalUrl(url)
  return guid.length > 200 ? createHash('sha256').update(guid).digest('hex') : guid
}

/** A name that several entries have is nobody's. */
export function withOwnGuids(entries: FeedEntry[]): FeedEntry[] {
  const seen = new Map<string, number>()
  for (const { guid } of entries) if (guid !== undefined) seen.set(guid, (seen.get(guid) ?? 0) + 1)
  return entries.map(({ guid, ...entry }) => (guid !== undefined && seen.get(guid) === 1 ? { ...entry, guid } : entry))
}
