/** Following channels: follow, refresh, show a feed, unfollow, list. */
import type { Library } from '../../db/library.ts'
import { DomainError } from '../../errors.ts'
import type { FeedReader } from '../../feed/fetch/fetch-feed.ts'
import { addressOf } from '../../feed/pages/given-address.ts'
import { isYouTubeFeed } from '../../feed/platforms/youtube.ts'
import { currentTime } from '../../runtime/clock.ts'
import type { Channel, ChannelList, ChannelOrder } from '../../schema/channels/channel.ts'
import type { FeedShown, Refreshed } from '../../schema/channels/channel-api.ts'
import type { Quality } from '../../schema/downloads/quality.ts'
import type { ReadFeed } from '../../schema/sources/feed.ts'
import { countWords } from '../../schema/values/words.ts'
import type { Store } from '../../store/files.ts'
import { inParts, moveToBin } from '../downloads/deletions.ts'
import { getChannel, noSuchChannel, notFollowed, orThrow } from '../get.ts'
import { saveFeed, updateFeed } from '../saving/save-feed.ts'
import type { FeedFinder } from './discovery.ts'

type SavedChannel = Pick<Refreshed, 'channel' | 'saved'>

/** `switched`: the channel was followed already, by another of its feeds. */
export type FollowedChannel = SavedChannel & { created: boolean; switched: boolean }

/**
 * Follows the channel at an address. A channel has several feeds (everything, videos only, Shorts only) and is followed by one
 * of its feeds. The address of another feed on the same host switches to that feed. The address of a page switches nothing.
 */
export async function followChannel(
  library: Library,
  findFeed: FeedFinder,
  address: string,
  save: (found: ReadFeed) => ReturnType<typeof saveFeed> = found => saveFeed(library, found),
): Promise<FollowedChannel> {
  const found = await findFeed(address, library.user_id)
  const { channel, saved, created } = await save(found)
  const { rss_url } = found
  const known = channel.rss_url ?? rss_url
  if (known === rss_url || !isFeedAddress(address, rss_url) || hostOf(known) !== hostOf(rss_url))
    return { channel, saved, created, switched: false }
  const switched = await library.channels.switchFeed(channel.channel_id, rss_url)
  return { channel: switched ?? channel, saved, created, switched: true }
}

/** Whether a person gave the address of the feed itself, in any spelling. */
const isFeedAddress = (given: string, rss_url: string): boolean => {
  const url = addressOf(given)
  return url === rss_url || isYouTubeFeed(new URL(url))
}

const hostOf = (url: string) => new URL(url).hostname.replace(/^(www|m)\./, '')

/** The shortest time between two refreshes of one channel by hand, whether they succeed or not. */
const refresh_pause_s = 10

/** Fetches the feed at once, whatever the schedule says. Throws `too_many` within `refresh_pause_s` of the last refresh by hand. */
export async function refreshChannel(
  library: Library,
  readFeed: FeedReader,
  channel_id: string,
): Promise<SavedChannel> {
  const { rss_url } = await getChannel(library, channel_id)
  if (rss_url === null) throw notFollowed('Follow it, and new videos will appear here.')
  const wait_s = await library.channels.beginRefresh(channel_id, refresh_pause_s)
  if (wait_s) throw tooSoon(wait_s)
  const feed = await readFeed(rss_url, library.user_id).catch(async (fault: unknown) => {
    if (fault instanceof DomainError)
      await library.channels.storeFailure(channel_id, fault.message, timeIn(fault.retry_after_s))
    throw fault
  })
  // Saved under the stored `channel_id`: if the feed now has another one, it must not become a second channel.
  const updated = await updateFeed(library, channel_id, feed)
  if (!updated) throw noSuchChannel()
  return { channel: updated.channel, saved: updated.saved }
}

const timeIn = (seconds: number | undefined) =>
  seconds === undefined ? null : new Date(currentTime().getTime() + seconds * 1000)

const tooSoon = (retry_after_s: number) =>
  new DomainError(
    'too_many',
    `This channel was refreshed a moment ago. Try again in ${countWords(retry_after_s, 'second')}.`,
    { retry_after_s },
  )

/** Fetches a feed, and follows its channel if `save`. */
export async function showFeed(
  library: Library,
  findFeed: FeedFinder,
  address: string,
  save: boolean,
): Promise<FeedShown> {
  const found = await findFeed(address, library.user_id)
  const { channel_id, title, skipped } = found.feed
  const {
    channel,
    saved,
    renamed = {},
  }: Shown = save
    ? await saveFeed(library, found)
    : { channel: { channel_id, title, rss_url: found.rss_url }, saved: null }
  const stored = found.feed.entries.map(({ aliases, ...entry }) => ({
    ...entry,
    video_id: renamed[entry.video_id] ?? entry.video_id,
  }))
  const known = await library.videos.statuses(stored.map(({ video_id }) => video_id))
  const downloads = new Map(known.map(download => [download.video_id, download]))
  const entries = stored.map(entry => ({
    ...entry,
    channel_id,
    download_status: downloads.get(entry.video_id)?.download_status ?? ('pending' as const),
    file_size: downloads.get(entry.video_id)?.file_size ?? null,
  }))
  return { channel, entries, saved, skipped }
}

/** `renamed`: as saving returns it. */
type Shown = Pick<FeedShown, 'channel' | 'saved'> & { renamed?: Record<string, string> }

/**
 * Deletes the channel's videos and files, except videos that another channel has too, and videos that the person added by their address.
 * Returns whether any videos of the channel stay. Throws `conflict` if the channel is not followed. With a bin, the channel can be
 * restored.
 */
export async function unfollowChannel(library: Library, store: Store, channel_id: string): Promise<boolean> {
  const { files, bin } = store
  const is_kept = bin.hours > 0
  const orphans = await library.channels.remove(channel_id, is_kept)
  if (!orphans)
    throw (await library.channels.find(channel_id)) ? notFollowed('Remove its videos one by one.') : noSuchChannel()
  const with_file = orphans.filter(({ download_path }) => download_path !== null)
  // After the commit, because thousands of files take seconds, and the rows of the channel would be locked meanwhile.
  if (is_kept) {
    const video_ids = with_file.map(({ video_id }) => video_id)
    await moveToBin(library, store, video_ids)
  } else {
    const download_paths = with_file.map(({ download_path }) => download_path ?? '')
    for (const some of inParts(download_paths)) await files.remove(...some)
  }
  for (const { video_id, is_requested } of orphans)
    if (is_requested) await files.forgetWork({ user_id: library.user_id, video_id })
  return (await library.channels.find(channel_id)) !== undefined
}

/**
 * Takes back that a channel was followed. The channel leaves nothing behind, unless the person has watched or downloaded one of its videos
 * in the meantime: then the channel can be restored like any unfollowed channel. Returns whether videos that the person added by their
 * address stay.
 */
export async function undoFollow(library: Library, { files, bin }: Store, channel_id: string): Promise<boolean> {
  const is_used = await library.channels.isUsed(channel_id)
  return unfollowChannel(library, { files, bin: is_used ? bin : { ...bin, hours: 0 } }, channel_id)
}

/**
 * Chooses the quality of a channel's downloads. Applies to downloads that start later; files on disk stay. `null`: the person's default
 * quality.
 */
export const chooseQuality = async (library: Library, channel_id: string, quality: Quality | null): Promise<Channel> =>
  orThrow(await library.channels.setQuality(channel_id, quality), noSuchChannel)

/** With a bell, new videos are notified. Returns the title of the channel. Throws `not_found`. */
export const setChannelBell = async ({ channels }: Library, channel_id: string, bell: boolean): Promise<string> =>
  orThrow(await channels.setBell(channel_id, bell), noSuchChannel)

type ListQuery = { q: string; order: ChannelOrder; cursor: number; followed: boolean }

const page_length = 100

/**
 * One page of the channels that a person follows, or has single videos of. The titles contain `q`; the page begins at number `cursor`.
 */
export async function listChannels(
  { channels }: Library,
  { q, order, cursor, followed: is_followed }: ListQuery,
): Promise<ChannelList> {
  const [tally, found] = await Promise.all([
    channels.tally(),
    channels.page({ q, order, followed: is_followed, offset: cursor, limit: page_length + 1 }),
  ])
  return {
    channels: found.slice(0, page_length),
    ...tally,
    next_cursor: found.length > page_length ? String(cursor + page_length) : null,
    q,
    order,
    of: is_followed ? 'followed' : 'unfollowed',
  }
}
