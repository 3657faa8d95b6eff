/** Reads a channel's listing in place of its feed, once for all followers, and saves the videos that are missing. */
import type { DueListing } from '../../db/across/second-source.ts'
import { batch_size, type ListedEntry } from '../../schema/listing.ts'
import type { Failure } from '../../ytdlp/run/failure.ts'
import { feedEntriesOf } from '../backfills/listed-entries.ts'
import { type Refused, type SavesListings, saveListingForEveryone } from '../channels/save-feed.ts'
import { isForAll, type Looked, type LookParts } from './look-at-host.ts'
import { foundOnPage } from './look-results.ts'
import { isPlaylist, most_read, newsIn, pace, spread } from './second-source.ts'

/** The queries across people that this needs. Only a job has them. */
export type ListingStore = SavesListings & {
  take(host: string): Promise<DueListing | undefined>
  postpone(rss_url: string, after_s: number): Promise<void>
}

export type ListingParts = LookParts & { listing_store: ListingStore }

/** `undefined`: no listing is due at this host. `refused`: the followers whose save the database refused. */
export async function readDueListing(
  parts: ListingParts,
  host: string,
): Promise<(Looked & { refused: Refused[] }) | undefined> {
  const { listing_store, store } = parts
  const due = await listing_store.take(host)
  if (!due) return undefined
  const { listed, channel, failure } = await read(parts, host, due)
  if (failure && isForAll(failure)) return pauseFor(parts, host, due, failure)
  const { rss_url } = due
  // A listing that ended early is saved as far as it was read, and read again later.
  const refused = await save(parts, due, listed, failure)
  const found = foundOnPage(listed, [], parts.moment())
  const changed = await store.store({ host, rss_url, found: found.slice(0, most_facts) })
  if (channel) await store.describe(rss_url, channel)
  if (!failure) await store.forgetRefusals(host)
  return { did: 'listed', changed, refused }
}

/** The facts of the newest videos. The others were stored when they were new. */
const most_facts = 5 * batch_size

async function read({ listings, signal }: ListingParts, host: string, { rss_url, page_url, known }: DueListing) {
  const listed: ListedEntry[] = []
  const is_playlist = isPlaylist(rss_url)
  const { channel, ...ended } = await listings.listChannel({
    ...{ rss_url, page_url, signal, whose: host },
    newest: is_playlist ? most_read.playlist : most_read.channel,
    // What is appended to a playlist comes after everything that is known.
    until_known: is_playlist ? undefined : known,
    onEntries: async entries => void listed.push(...entries),
  })
  return { listed, channel, failure: ended.end === 'incomplete' ? ended.failure : undefined }
}

async function save(parts: ListingParts, due: DueListing, listed: ListedEntry[], failure: Failure | undefined) {
  const { rss_url, followers, is_failing, since } = due
  const { entries, source } = newsIn(feedEntriesOf(listed), due)
  const { refused } = await saveListingForEveryone(parts.listing_store, {
    ...{ rss_url, followers, entries, source },
    ...nextListing(due, failure !== undefined, parts.moment()),
    list_since: is_failing || failure ? since : null,
  })
  return refused
}

/** While the feed fails, the listing is read again and again; a playlist's is read daily; any other only once. */
function nextListing(
  { rss_url, is_failing }: DueListing,
  has_failed: boolean,
  { now, random }: ReturnType<LookParts['moment']>,
) {
  const wait_s = is_failing || has_failed ? pace.again : isPlaylist(rss_url) ? pace.daily : undefined
  return {
    list_at: wait_s === undefined ? null : new Date(now.getTime() + spread(wait_s, random) * 1000),
    is_read: !has_failed,
  }
}

async function pauseFor(parts: ListingParts, host: string, { rss_url, followers }: DueListing, failure: Failure) {
  const is_ours = failure.reason === 'tools'
  const refused = is_ours ? undefined : followers[0]?.user_id
  await parts.store.pause(host, { reason: failure.sentence, refused, max_s: is_ours ? without_tools_s : undefined })
  await parts.listing_store.postpone(rss_url, 0)
  return { did: 'paused' as const, changed: [], refused: [] }
}
const without_tools_s = 300
