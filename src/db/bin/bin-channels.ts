/** Brings the unfollowed channels and removed videos of one user back from the bin, or forgets them. */
import type { BinLimits } from '../../schema/bin/bin.ts'
import { type UserId, user_limits } from '../../schema/values/user.ts'
import { tooManyVideos, withinLimit } from '../channels/channel-feeds.ts'
import { countOf, eachValue, hasAny, onlyValue, type Queryable, type Sql } from '../postgres/client.ts'
import { queueAll } from '../queue/queue.ts'
import { oneAtATime } from '../rows/bin-rows.ts'
import { without_feed } from '../rows/channel-columns.ts'
import {
  type BinnedChannel,
  copyFromTwins,
  followAgain,
  insertChannel,
  interrupted,
  keepQuality,
  mergeEntries,
  type RestoredEntry,
  type RestoredFiles,
  restoreEntries,
  restoreFiles,
  restoreGroups,
  restoreLooks,
  restorePart,
  restorePodcasts,
  restoreViewings,
} from './bin-restore.ts'

export function binChannelsOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`

  const restoreIn = async (
    tx: Queryable,
    channel_id: string,
    limits: BinLimits,
  ): Promise<RestoredFiles | undefined> => {
    const kept: BinnedChannel = { user_id, channel_id }
    await oneAtATime(tx, user_id)
    // First, as every save does.
    await tx`select from channels where ${mine} and channel_id = ${channel_id} for no key update`
    const is_kept = await hasAny(tx`
      select from deleted_channels
      where  ${mine} and channel_id = ${channel_id} and is_followed
      and    deleted_at > now() - ${limits.hours} * interval '1 hour'
      for update`)
    if (!is_kept) return undefined
    const due_now = tx`jsonb_build_object('next_fetch_at', now())`
    const is_new = (await insertChannel(tx, kept, due_now)) || (await followAgain(tx, kept, due_now))
    // Following gave the channel the default rule.
    if (is_new) await tx`delete from channel_rules where ${mine} and channel_id = ${channel_id}`
    else await keepQuality(tx, kept)
    const stored = await eachValue<string>(tx`
      select video_id from deleted_videos where ${mine} and channel_id = ${channel_id}`)
    const entries = await restoreEntries(tx, kept)
    await requireRoom(tx, user_id, entries.length)
    const restored = entries.map(({ video_id }) => video_id)
    const twins = await copyFromTwins(tx, kept, restored)
    const known = new Set(stored).difference(new Set(restored))
    await mergeEntries(tx, kept, [...known])
    await restoreLooks(tx, kept, restored)
    await restoreViewings(tx, kept)
    await restoreGroups(tx, kept)
    await restorePodcasts(tx, kept)
    await restorePart(tx, kept, 'rule')
    await restorePart(tx, kept, 'backfill', await interrupted(tx, kept))
    await requeue(tx, user_id, entries, twins)
    const files = await restoreFiles(tx, kept, limits)
    await tx`delete from deleted_channels where ${mine} and channel_id = ${channel_id}`
    return files
  }

  return {
    /**
     * Follows the channel again, with its videos, viewings and rule as they were. What was saved in the meantime stays. The files are
     * recorded as complete, and the caller brings them back. `undefined`: the bin does not have the channel. Throws `invalid` if it
     * would be one channel, or some videos, too many.
     */
    restoreChannel: (channel_id: string, limits: BinLimits): Promise<RestoredFiles | undefined> =>
      withinLimit(sql, { user_id, channel_ids: [channel_id] }, on =>
        'begin' in on ? on.begin(tx => restoreIn(tx, channel_id, limits)) : restoreIn(on, channel_id, limits),
      ),

    /**
     * Brings back a video that was removed or deleted with its channel, as a video that was added by its address. Throws `invalid` like
     * that.
     */
    restoreVideo: (video_id: string, hours: number): Promise<boolean> =>
      sql.begin(async tx => {
        await oneAtATime(tx, user_id)
        const channels = await tx<{ channel_id: string; is_followed: boolean }[]>`
          select   channel_id, is_followed
          from     deleted_videos
          join     deleted_channels channel using (user_id, channel_id)
          where    ${mine} and video_id = ${video_id} and deleted_at > now() - ${hours} * interval '1 hour'
          order by channel_id
          for update of channel`
        const all = channels.map(channel => ({ user_id, ...channel }))
        for (const kept of all) {
          const is_new = await insertChannel(tx, kept, unfollowed(tx))
          // Those of a channel that was followed come back when it is followed again.
          if (!is_new || kept.is_followed) continue
          await restoreGroups(tx, kept)
          await restorePodcasts(tx, kept)
        }
        // All of them before the first video, as every save does.
        await tx`
          select   from channels
          where    ${mine} and channel_id = any(${all.map(({ channel_id }) => channel_id)})
          order by channel_id
          for no key update`
        for (const kept of all) {
          const entries = await restoreEntries(tx, kept, { video_ids: [video_id], changes: { source: 'address' } })
          await requireRoom(tx, user_id, entries.length)
          await requeue(tx, user_id, entries, await copyFromTwins(tx, kept, [video_id]))
          await restoreViewings(tx, kept, [video_id])
        }
        await tx`delete from deleted_videos where ${mine} and video_id = ${video_id}`
        await tx`
          delete from deleted_channels channel
          where  ${mine} and not is_followed
          and    not exists (
                   select from deleted_videos kept
                   where  kept.user_id = ${user_id} and kept.channel_id = channel.channel_id)`
        return channels.length > 0
      }),

    /** This channel, or all of them, cannot be restored any more, unless the bin has files of them. Returns how many. */
    forgetChannels: (channel_id?: string): Promise<number> =>
      sql.begin(async tx => {
        await oneAtATime(tx, user_id)
        return countOf(tx`
        delete from deleted_channels channel
        where  ${mine} ${channel_id === undefined ? sql`` : sql`and channel_id = ${channel_id} and is_followed`}
        and    not exists (
                 select from deleted_files file
                 where  file.user_id = ${user_id} and file.channel_id = channel.channel_id
                 and    (with_channel or not is_followed))`)
      }),
  }
}

/** Throws `invalid` when the person has too many videos now. */
async function requireRoom(tx: Queryable, user_id: UserId, restored: number): Promise<void> {
  if (restored === 0) return
  const videos = await onlyValue<number>(tx`
    select coalesce(sum(entry_count), 0) as videos from channels where user_id = ${user_id}`)
  if (videos > user_limits.videos) throw tooManyVideos()
}

/** Queues the downloads that waited; not those of `twins`, which wait in another channel. */
const requeue = (tx: Queryable, user_id: UserId, entries: RestoredEntry[], twins: Set<string>) =>
  queueAll(
    tx,
    user_id,
    entries.filter(({ is_waiting, video_id }) => is_waiting && !twins.has(video_id)),
  )

/** Changes to the stored row of a channel, so that it is not followed. */
const unfollowed = (tx: Queryable) => tx`
  ${tx.json(without_feed)}::jsonb || jsonb_build_object('page_url', coalesce(channel->>'page_url', channel->>'rss_url'))`
