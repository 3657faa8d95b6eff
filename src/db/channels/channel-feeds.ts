/** Saves the feeds of one user's channels through `saving.ts`, within the limit of channels that one person may follow. */
import { DomainError } from '../../errors.ts'
import type { Channel } from '../../schema/channels/channel.ts'
import type { Source } from '../../schema/sources/facts.ts'
import type { Feed, FeedEntry } from '../../schema/sources/feed.ts'
import type { PlatformChannel } from '../../schema/sources/listing.ts'
import { type UserId, user_limits } from '../../schema/values/user.ts'
import { type CompletedWithFile, completeWithFile, type FileInHand } from '../downloads/completed-with-file.ts'
import { hasAny, hasBroken, oneByOne, type Queryable, type Sql } from '../postgres/client.ts'
import { recordFeeds } from '../queue/known-feeds.ts'
import { type FeedFaults, findChannel, findChannels } from '../rows/channel-columns.ts'
import {
  addUnfollowed,
  feedRowOf,
  fillChannels,
  followChannels,
  recordNoRoom,
  updateFollowed,
} from '../saving/channel-writes.ts'
import { type EntryToSave, type SaveResult, saveFeeds, type ToSave, type Within } from '../saving/saving.ts'

type ChannelText = Pick<Feed, 'title'> & { image_url?: string | undefined; page_url?: string | undefined }

type FeedToFollow = {
  channel: { channel_id: string; rss_url: string } & ChannelText & FeedFaults
  entries: FeedEntry[]
}

export type FollowedFeed = Pick<SaveResult, 'saved' | 'created' | 'renamed' | 'has_rule'> & { channel: Channel }

/** What a listing says of a channel and its videos. `source`: how new videos are marked. */
type ChannelListing = { entries: EntryToSave[]; source: Source } & Partial<
  Pick<PlatformChannel, 'image_url' | 'page_url'>
>

/** A channel that a person need not follow. */
type ChannelOfVideo = { channel_id: string; title: string } & Partial<Pick<PlatformChannel, 'image_url' | 'page_url'>>

type AddedByAddress = {
  video_id: string
  created: boolean
  has_rule: boolean
  completed?: CompletedWithFile | undefined
}

/** If not all new videos fit the limit, the channel's `fetch_error` says so. */
export function channelFeedsOf(sql: Sql, user_id: UserId) {
  const targets = (channel_ids: string[]) => channel_ids.map((channel_id, feed) => ({ user_id, channel_id, feed }))

  const saveAll = async (feeds: FeedToFollow[]) => {
    const channel_ids = feeds.map(({ channel }) => channel.channel_id)
    const to_save = {
      feeds: feeds.map(({ channel, entries }) => ({
        row: { ...feedRowOf(channel), rss_url: channel.rss_url },
        entries,
      })),
      targets: targets(channel_ids),
      channels: followChannels(sql),
    }
    const results = await saveFeeds(sql, to_save, saving => withinLimit(sql, { user_id, channel_ids }, saving)).catch(
      orAccountGone,
    )
    await recordFeeds(
      sql,
      feeds.map(({ channel, entries }) => ({ rss_url: channel.rss_url, feed: { ...channel, entries } })),
      { on_schedule: false },
    )
    await recordNoRoom(sql, results)
    const channels = await findChannels(sql, user_id, channel_ids)
    return channel_ids.map(channel_id => {
      const result = results.find(result => result.channel_id === channel_id)
      const channel = channels.find(channel => channel.channel_id === channel_id)
      if (!result || !channel) return undefined
      const { saved, created, renamed, has_rule } = result
      return { channel, saved, created, renamed, has_rule }
    })
  }

  return {
    /**
     * Saves several channels and their entries, all or none. The results are in the order of the channels. `undefined`: the channel was
     * unfollowed at the same moment. Throws if a channel is given twice.
     */
    saveAll,

    /**
     * Saves the channel and its entries in one statement; known ones are updated. Throws `conflict` if it is unfollowed at the
     * same moment, `invalid` if it would be one channel too many.
     */
    async save(channel: FeedToFollow['channel'], entries: FeedEntry[]): Promise<FollowedFeed> {
      const [saved] = await saveAll([{ channel, entries }])
      return saved ?? unfollowedMeanwhile()
    },

    /** Saves the new state of a followed channel's feed after a refresh by hand; `undefined` if the channel is no longer followed. */
    async update(
      channel_id: string,
      { entries, ...feed }: { entries: FeedEntry[] } & ChannelText & FeedFaults,
    ): Promise<Pick<FollowedFeed, 'channel' | 'saved' | 'has_rule'> | undefined> {
      const [result] = await saveFeeds(sql, {
        feeds: [{ row: feedRowOf(feed), entries }],
        targets: targets([channel_id]),
        channels: updateFollowed(sql),
      })
      if (result) await recordNoRoom(sql, [result])
      const channel = await findChannel(sql, user_id, channel_id)
      return result && channel && { channel, saved: result.saved, has_rule: result.has_rule }
    },

    /**
     * Saves what a listing found. Known videos keep their texts and get what is missing. `left_out`: how many new videos exceeded the
     * limit. `undefined`: the person no longer has the channel.
     */
    async saveListed(channel_id: string, { entries, source, ...channel }: ChannelListing, within?: Within) {
      const to_save: ToSave = {
        feeds: [{ row: { ...feedRowOf({ title: '' }), ...channel }, entries }],
        targets: targets([channel_id]),
        channels: fillChannels(sql),
        source,
        merge: 'fill',
      }
      const [result] = await saveFeeds(sql, to_save, within)
      return result
    },

    /**
     * Saves a video that the person added by its address, in a channel that need not be followed. Known texts stay. Returns the id
     * under which the video is stored; `created`: it is new. Throws `invalid` if it would be one video too many. With `file`, the video
     * is saved together with a file that the person had already, so that no rule downloads it; `completed` says how that ended,
     * and is absent if the video is stored under another id, because the file was prepared for the given id.
     */
    async addVideo(
      { channel_id, title, ...channel }: ChannelOfVideo,
      entry: EntryToSave,
      file?: FileInHand,
    ): Promise<AddedByAddress> {
      const to_save = {
        feeds: [{ row: { ...feedRowOf({ title }), ...channel }, entries: [entry] }],
        targets: targets([channel_id]),
        channels: addUnfollowed(sql),
        source: 'address' as const,
        merge: 'fill' as const,
      }
      let completed: CompletedWithFile | undefined
      const [result] = await saveFeeds(sql, to_save, saving =>
        // A channel that was added for a video without room must not stay.
        sql.begin(async tx => {
          const results = await saving(tx)
          if (results.some(({ left_out }) => left_out > 0)) throw tooManyVideos()
          const is_renamed = results.some(({ renamed }) => renamed[entry.video_id] !== undefined)
          if (file && !is_renamed) completed = await completeWithFile(tx, user_id, entry.video_id, file)
          return results
        }),
      ).catch(orAccountGone)
      if (!result) return unfollowedMeanwhile()
      const { saved, renamed, has_rule } = result
      return { video_id: renamed[entry.video_id] ?? entry.video_id, created: saved.inserted > 0, has_rule, completed }
    },
  }
}

export const tooManyVideos = () =>
  new DomainError(
    'invalid',
    `You have ${user_limits.videos} videos, the most that one person may have here. Unfollow a channel, then try again.`,
  )

export function unfollowedMeanwhile(): never {
  throw new DomainError('conflict', 'This channel was unfollowed at the same moment. Try again.')
}

/** When a person deletes their account during a save, the foreign key fails. */
const orAccountGone = (fault: unknown): never => {
  throw hasBroken(fault, 'channels_user_fkey')
    ? new DomainError('conflict', 'This account is gone.', { cause: fault })
    : fault
}

/** More channels than all processes together could add to one person at the same moment. */
const max_channels_added_at_once = 500

/** The channels that a person is about to follow, each once. */
type AddedChannels = { user_id: UserId; channel_ids: string[] }

/** Runs `work`, which saves these channels. Throws `invalid` if too many of them are new, also when others are added at the same moment. */
export async function withinLimit<T>(
  sql: Sql,
  { user_id, channel_ids }: AddedChannels,
  work: (on: Queryable) => Promise<T>,
): Promise<T> {
  const is_near = await hasAny(sql`
    select from channels
    where  user_id = ${user_id} and rss_url is not null
    having count(*) >= ${user_limits.channels - max_channels_added_at_once}`)
  // Far from the limit the saves of one person need not wait for each other: an import saves several channels at once.
  if (!is_near) return work(sql)
  return oneByOne(sql, user_id, async tx => {
    const is_full = await hasAny(tx`
      select from (
        select count(*)                                                 as followed,
               count(*) filter (where channel_id = any(${channel_ids})) as known
        from   channels
        where  user_id = ${user_id} and rss_url is not null
      ) counted
      where  known < ${channel_ids.length} and followed + ${channel_ids.length} - known > ${user_limits.channels}`)
    if (is_full) throw tooMany()
    return work(tx)
  })
}

const tooMany = () =>
  new DomainError(
    'invalid',
    `You follow ${user_limits.channels} channels, the most that one person may follow here. Unfollow some, then try again.`,
  )
