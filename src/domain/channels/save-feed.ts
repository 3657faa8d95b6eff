/** Saves feeds of channels. Every save also applies the channel's rule, so this is the only file that may save them. */
import type { FeedUpdate, SavedFor } from '../../db/across/save-for-followers.ts'
import type { Library } from '../../db/library/library.ts'
import type { Feed, ReadFeed } from '../../schema/feed.ts'
import type { Follower } from '../../schema/jobs.ts'
import type { UserId } from '../../schema/user.ts'
import { applyRule } from './rules.ts'

type Channels = Library['channels']

/** Follows the channel of a feed that was found; updates a channel that is followed already. Throws like `channels.save`. */
export async function saveFeed(library: Library, { rss_url, feed }: ReadFeed): ReturnType<Channels['save']> {
  const { channel_id, title, image_url, skipped, warning, entries } = feed
  const saved = await library.channels.save({ channel_id, title, rss_url, image_url, skipped, warning }, entries)
  if (saved.has_rule) await applyRule(library, channel_id)
  return saved
}

/** Saves the new state of a followed channel's feed. `undefined`: the person has unfollowed it. */
export async function updateFeed(library: Library, channel_id: string, feed: Feed): ReturnType<Channels['update']> {
  const updated = await library.channels.update(channel_id, feed)
  if (updated?.has_rule) await applyRule(library, channel_id)
  return updated
}

/** The queries across people that a save for all followers needs. Only a job has them. */
export type SavesForFollowers = {
  saveForFollowers(update: FeedUpdate): Promise<SavedFor[]>
  libraryOf(user_id: UserId): Library
}

export type RefusedSave = Follower & { fault: unknown }

/** Saves what a scheduled fetch found. Returns the followers whose save the database refused; all others are saved. */
export async function saveForEveryone(saves: SavesForFollowers, update: FeedUpdate): Promise<RefusedSave[]> {
  const results = await saves.saveForFollowers(update)
  for (const result of results)
    if ('saved' in result && result.has_rule) await applyRule(saves.libraryOf(result.user_id), result.channel_id)
  return results.filter(result => 'fault' in result)
}
