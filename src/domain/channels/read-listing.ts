/** Reads a channel's listing in place of its feed, once for all followers, and saves the videos that are missing. */
import { type DueListing, describeChannel, postponeListing, takeListing } from '../../db/channels/everyone/listings.ts'
import { requestHostCheck } from '../../db/queue/host-checks.ts'
import { recordListed } from '../../db/queue/known-feeds.ts'
import { storeFacts } from '../../db/videos/everyone/facts.ts'
import { oneAddressOf } from '../../feed/platforms/by-address.ts'
import { batch_size, type ListedEntry } from '../../schema/sources/listing.ts'
import type { Failure } from '../../ytdlp/failures/failure.ts'
import { feedEntriesOf } from '../listings/listed-entries.ts'
import { firstListOf, isPlaylist } from '../listings/lists-of-channel.ts'
import { type Refused, saveListingForEveryone } from '../saving/save-feed.ts'
import { isOurs, isRefusal, type LookOutcome, type LookParts } from '../videos/look-at-host.ts'
import { foundOnPage } from '../videos/look-results.ts'
import { lengthened, listing_waits, max_listed_entries, newsIn } from './listing-needs.ts'

/** `undefined`: no listing is due at this host. `refused`: the followers whose save the database refused. */
export async function readDueListing(
  parts: LookParts,
  host: string,
): Promise<(LookOutcome & { refused: Refused[] }) | undefined> {
  const { everyone } = parts
  const due = await takeListing(everyone, host, isPlaylist)
  if (!due) return undefined
  const { rss_url, page_url } = due
  const list_url = firstListOf(rss_url, page_url)
  if (list_url === undefined) {
    await postponeListing(everyone, rss_url, null)
    return { did: 'listed', changed: [], refused: [] }
  }
  const { listed, channel, failure } = await read(parts, host, due)
  if (failure && isRefusal(failure)) return waitAfter(parts, host, due, failure)
  // A listing that ended early is saved as far as it was read, and read again later.
  const refused = await save(parts, due, listed, failure)
  const found = foundOnPage(list_url, listed, [], parts.moment())
  const changed = await storeFacts(everyone, { rss_url, found: found.slice(0, max_facts), oneAddressOf })
  if (channel) await describeChannel(everyone, rss_url, channel)
  return { did: 'listed', changed, refused }
}

/** The facts of the newest videos. The others were stored when they were new. */
const max_facts = 5 * batch_size

async function read({ listings, signal }: LookParts, host: string, { rss_url, page_url, known }: DueListing) {
  const listed: ListedEntry[] = []
  const is_playlist = isPlaylist(rss_url)
  const { channel, ...ended } = await listings.listChannel({
    rss_url,
    page_url,
    signal,
    whose: host,
    newest: is_playlist ? max_listed_entries.playlist : max_listed_entries.channel,
    // What is appended to a playlist comes after everything that is known.
    until_known: is_playlist ? undefined : known,
    onEntries: async entries => void listed.push(...entries),
  })
  return { listed, channel, failure: ended.end === 'incomplete' ? ended.failure : undefined }
}

async function save(parts: LookParts, due: DueListing, listed: ListedEntry[], failure: Failure | undefined) {
  const { rss_url, followers, is_for_all, is_failing, since } = due
  const all = feedEntriesOf(listed)
  const { entries, source } = newsIn(all, due)
  const listing = {
    rss_url,
    followers,
    entries,
    source,
    ...nextListing(due, failure !== undefined, parts.moment()),
    list_since: is_failing || failure ? since : null,
  }
  const refused = await saveListingForEveryone(parts.everyone, listing)
  const video_ids = all.map(({ video_id }) => video_id)
  if (!failure && is_for_all) await recordListed(parts.everyone, rss_url, video_ids)
  return refused
}

/** While the feed fails, the listing is read again and again; a playlist's is read daily; any other only once. */
function nextListing(
  { rss_url, is_failing }: DueListing,
  has_failed: boolean,
  { now, random }: ReturnType<LookParts['moment']>,
) {
  const wait_s = is_failing || has_failed ? listing_waits.again : isPlaylist(rss_url) ? listing_waits.daily : undefined
  return {
    list_at: wait_s === undefined ? null : new Date(now.getTime() + lengthened(wait_s, random) * 1000),
    is_read: !has_failed,
  }
}

/** Words alone say that the site refused, so this list waits, and the check of the host decides about all others. */
async function waitAfter(
  { everyone, moment }: LookParts,
  host: string,
  { rss_url, followers }: DueListing,
  failure: Failure,
) {
  const [first] = followers
  if (first && !isOurs(failure)) await requestHostCheck(everyone, host, { user_id: first.user_id })
  await postponeListing(everyone, rss_url, lengthened(listing_waits.refused, moment().random))
  return { did: 'paused' as const, changed: [], refused: [] }
}
