/** Following channels: track, refresh, look at a feed, stop following. */
import type { Library } from '../../db/library/library.ts'
import { DomainError } from '../../errors.ts'
import type { FeedReader } from '../../feed/fetch/read.ts'
import { addressOf } from '../../feed/pages/given-address.ts'
import { isYouTubesFeed } from '../../feed/platforms/youtube-feeds.ts'
import type { Channel } from '../../schema/channel.ts'
import type { Saved } from '../../schema/feed.ts'
import type { FeedShown, Refreshed } from '../../schema/responses.ts'
import type { Files } from '../downloads/files.ts'
import { applyRule } from './rules.ts'

/** `turned`: it was followed already, by another of its feeds. */
export type TrackedChannel = SavedChannel & { created: boolean; turned: boolean }

/**
 * All of a channel, its videos alone, its shorts alone are feeds of one channel: it is followed by one of them. Whoever
 * gives the address of another of them turns to that; the address of a page is no such choice, and what another host says
 * of itself is no reason to leave the one that is followed.
 */
export async function trackChannel(library: Library, findFeed: FeedReader, address: string): Promise<TrackedChannel> {
  const { rss_url, feed } = await findFeed(address, library.user_id)
  const { channel_id, title, image_url, entries, skipped, warning } = feed
  const { renamed, ...tracked } = await library.channels.save(
    { channel_id, title, rss_url, image_url, skipped, warning },
    entries,
  )
  await applyRule(library, channel_id)
  const known = tracked.channel.rss_url
  if (known === rss_url || !isFeedsOwn(address, rss_url) || hostOf(known) !== hostOf(rss_url))
    return { ...tracked, turned: false }
  const channel = (await library.channels.switchFeed(channel_id, rss_url)) ?? tracked.channel
  return { ...tracked, channel, turned: true }
}

/** In whatever spelling. */
const isFeedsOwn = (address: string, rss_url: string): boolean => {
  const url = addressOf(address)
  return url === rss_url || isYouTubesFeed(new URL(url))
}

const hostOf = (url: string) => new URL(url).hostname.replace(/^(www|m)\./, '')

type SavedChannel = Pick<Refreshed, 'channel' | 'saved'>

/** How long a channel that was refreshed by hand, or failed to be, is left alone by further hands. */
export const refresh_pause_s = 10

/** At once, whatever the schedule says, but not twice in `refresh_pause_s`. */
export async function refreshChannel(
  library: Library,
  readFeed: FeedReader,
  channel_id: string,
): Promise<SavedChannel> {
  const { rss_url } = await getChannel(library, channel_id)
  const wait_s = await library.channels.beginRefresh(channel_id, refresh_pause_s)
  if (wait_s) throw tooSoon(wait_s)
  const { feed } = await readFeed(rss_url, library.user_id).catch(async (fault: unknown) => {
    if (fault instanceof DomainError)
      await library.channels.noteFailure(channel_id, fault.message, inSeconds(fault.retry_after_s))
    throw fault
  })
  // Under the identifier it is known by: the feed's own idea of it must not found a second channel.
  const renewed = await library.channels.renew(channel_id, feed)
  if (!renewed) throw noSuchChannel()
  await applyRule(library, channel_id)
  return renewed
}

const inSeconds = (seconds: number | undefined) =>
  seconds === undefined ? null : new Date(Date.now() + seconds * 1000)

const tooSoon = (retry_after_s: number) =>
  new DomainError(
    'too_many',
    `This channel was refreshed a moment ago. Try again in ${retry_after_s} ${retry_after_s === 1 ? 'second' : 'seconds'}.`,
    { retry_after_s },
  )

/** Fetches a feed; `save` false only shows it. */
export async function showFeed(
  library: Library,
  readFeed: FeedReader,
  address: string,
  save: boolean,
): Promise<FeedShown> {
  const { rss_url, feed } = await readFeed(address, library.user_id)
  const shown = { channel_id: feed.channel_id, title: feed.title, rss_url }
  const done: { channel: FeedShown['channel']; saved: Saved | null; renamed: Record<string, string> } = save
    ? await library.channels.save(
        { ...shown, image_url: feed.image_url, skipped: feed.skipped, warning: feed.warning },
        feed.entries,
      )
    : { channel: shown, saved: null, renamed: {} }
  if (save) await applyRule(library, feed.channel_id)
  const stored = feed.entries.map(({ aliases, ...entry }) => ({
    ...entry,
    video_id: done.renamed[entry.video_id] ?? entry.video_id,
  }))
  const known = await library.videos.statuses(stored.map(({ video_id }) => video_id))
  const standing = new Map(known.map(download => [download.video_id, download]))
  const entries = stored.map(entry => ({
    ...entry,
    channel_id: feed.channel_id,
    download_status: standing.get(entry.video_id)?.download_status ?? ('pending' as const),
    file_size: standing.get(entry.video_id)?.file_size ?? null,
  }))
  return { channel: done.channel, entries, saved: done.saved, skipped: feed.skipped }
}

/** Entries and files go too, but for files that another followed channel also has. */
export async function untrackChannel(library: Library, files: Files, channel_id: string): Promise<void> {
  const orphans = await library.channels.remove(channel_id)
  if (!orphans) throw noSuchChannel()
  for (const { video_id, download_path } of orphans) {
    if (download_path) await files.remove(download_path)
    await files.forgetWork({ user_id: library.user_id, video_id })
  }
}

export async function getChannel(library: Library, channel_id: string): Promise<Channel> {
  const channel = await library.channels.find(channel_id)
  if (!channel) throw noSuchChannel()
  return channel
}

const noSuchChannel = () => new DomainError('not_found', 'You follow no such channel.')
