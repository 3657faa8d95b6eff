/** Saves feeds of channels. Every save also applies the channel's rule, so this is the only file that may save them. */
import { type FollowedFeed, unfollowedMeanwhile } from '../../db/channels/channel-feeds.ts'
import type { FeedsTogether } from '../../db/channels/everyone/feeds.ts'
import {
  type FeedUpdate,
  type SavedFor,
  type SavedListing,
  saveListingForFollowers,
} from '../../db/channels/everyone/save-for-followers.ts'
import type { Everyone } from '../../db/everyone.ts'
import { type Library, libraryOf } from '../../db/library.ts'
import { isAway } from '../../db/postgres/client.ts'
import type { EntryToSave } from '../../db/saving/saving.ts'
import { platformVideoIdOf } from '../../feed/platforms/by-address.ts'
import type { Follower } from '../../schema/service/jobs.ts'
import type { Feed, FeedEntry, ReadFeed, Saved } from '../../schema/sources/feed.ts'
import { isListed, isPlaylist } from '../listings/lists-of-channel.ts'
import { applyRule } from '../rules/rules.ts'

type Channels = Library['channels']

/** Follows the channel of a feed; updates a channel that is followed already. Throws like `channels.save`. */
export async function saveFeed(library: Library, found: ReadFeed): ReturnType<Channels['save']> {
  const [saved] = await saveFeeds(library, [found])
  return savedOrThrown(saved)
}

/** `rule_fault`: the feed is saved, but the database refused its rule. `undefined`: the channel was unfollowed at the same moment. */
export type SavedFeed = (FollowedFeed & { rule_fault?: unknown }) | undefined

export function savedOrThrown(saved: SavedFeed): FollowedFeed {
  if (!saved) return unfollowedMeanwhile()
  if (saved.rule_fault !== undefined) throw saved.rule_fault
  return saved
}

/** Follows or updates the channels of several feeds, in one statement. Throws like `channels.saveAll`, and when the database is away. */
export async function saveFeeds(library: Library, found: ReadFeed[]): Promise<SavedFeed[]> {
  const ids = await library.channels.idsByFeed(found.map(({ rss_url }) => rss_url))
  const all = await library.channels.saveAll(
    found.map(({ rss_url, feed: { channel_id, title, image_url, page_url, skipped, warning, entries } }) => ({
      channel: { channel_id: ids.get(rss_url) ?? channel_id, title, rss_url, image_url, page_url, skipped, warning },
      entries: withLooks(entries),
    })),
  )
  const results: SavedFeed[] = []
  for (const saved of all) {
    // A channel that was just followed may have got its person's default rule.
    if (saved && !saved.created) await recordOverflow(library, saved)
    const rule_fault =
      saved && (saved.has_rule || saved.created)
        ? await applyRule(library, saved.channel.channel_id).then(() => {}, unlessAway)
        : undefined
    results.push(saved && { ...saved, rule_fault })
  }
  return results
}

function unlessAway(fault: unknown): unknown {
  if (isAway(fault)) throw fault
  return fault
}

/** Saves a video that a person added by its address. Throws like `channels.addVideo`. */
export async function saveAddedVideo(
  library: Library,
  ...[channel, ...video]: Parameters<Channels['addVideo']>
): ReturnType<Channels['addVideo']> {
  const added = await library.channels.addVideo(channel, ...video)
  if (added.has_rule) await applyRule(library, channel.channel_id)
  return added
}

/** Saves the new state of a followed channel's feed. `undefined`: the person has unfollowed it. */
export async function updateFeed(library: Library, channel_id: string, feed: Feed): ReturnType<Channels['update']> {
  const updated = await library.channels.update(channel_id, { ...feed, entries: withLooks(feed.entries) })
  if (updated) await recordOverflow(library, updated)
  if (updated?.has_rule) await applyRule(library, channel_id)
  return updated
}

/** A scheduled fetch plans the listing for all followers. This is for the person who fetched the feed by hand. */
async function recordOverflow(
  { channels }: Library,
  { channel: { channel_id, rss_url, page_url }, saved }: Pick<FollowedFeed, 'channel' | 'saved'>,
): Promise<void> {
  if (rss_url !== null && overflows({ rss_url, page_url }, saved)) await channels.recordOverflow(channel_id)
}

/**
 * Feeds of known platforms leave out how long their videos are, so the facts of new videos are looked up. Other sites are not asked: most
 * of their entries are files or articles.
 */
const withLooks = (entries: FeedEntry[]): EntryToSave[] =>
  entries.map(entry =>
    entry.duration_seconds == null && platformVideoIdOf(entry.video_url) === entry.video_id
      ? { ...entry, wants_look: true }
      : entry,
  )

export type Refused = Follower & { fault: unknown }

/**
 * Saves what a scheduled fetch found. `feeds` saves it together with others that are found at the same time. Returns the followers whose
 * save or rule the database refused; all others have both.
 */
export async function saveForEveryone(
  everyone: Everyone,
  feeds: Pick<FeedsTogether, 'save'>,
  update: FeedUpdate,
): Promise<Refused[]> {
  const feed = { ...update.feed, entries: withLooks(update.feed.entries) }
  return withRules(everyone, await feeds.save({ ...update, feed }))
}

/** Saves what a listing found in place of a feed, like `saveForEveryone`. */
export async function saveListingForEveryone(everyone: Everyone, listing: SavedListing): Promise<Refused[]> {
  return withRules(everyone, await saveListingForFollowers(everyone, listing))
}

async function withRules(everyone: Everyone, results: SavedFor[]): Promise<Refused[]> {
  const refused = results.filter(result => 'fault' in result)
  const ruled = results.filter(result => 'saved' in result && result.has_rule)
  return [...refused, ...(await applyRules(everyone, ruled))]
}

/** Applies the rules of these followers. Returns those whose rule the database refused. Throws when the database is away. */
export async function applyRules(everyone: Everyone, followers: Follower[]): Promise<Refused[]> {
  const refused: Refused[] = []
  for (const { user_id, channel_id } of followers)
    await applyRule(libraryOf(everyone, user_id), channel_id).catch((fault: unknown) => {
      if (isAway(fault)) throw fault
      refused.push({ user_id, channel_id, fault })
    })
  return refused
}

/** Entries in a full feed of YouTube. */
export const full_feed_length = 15

/** Whether all videos of a full feed were new to a person, so that the feed may have dropped others before. */
export const overflows = (
  { rss_url, page_url }: { rss_url: string; page_url: string | null },
  { inserted, updated, unchanged }: Saved,
): boolean =>
  inserted >= full_feed_length && updated + unchanged === 0 && isListed(rss_url, page_url) && !isPlaylist(rss_url)
