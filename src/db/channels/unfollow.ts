/** Unfollows one channel of a person: deletes its videos, except those that the person added by their address. */
import type { Download } from '../../schema/downloads/download.ts'
import type { UserId } from '../../schema/values/user.ts'
import { hasAny, type Queryable, type Sql } from '../postgres/client.ts'
import { removeBackfill } from '../queue/jobs.ts'
import { removeDownloads } from '../queue/queue.ts'
import { binChannel, binFiles, oneAtATime } from '../rows/bin-rows.ts'
import { isFollowed, without_feed } from '../rows/channel-columns.ts'

/** A deleted video and its file. `is_requested`: its download ran or waited, so it may have left a partial file. */
export type DeletedVideo = Pick<Download, 'video_id' | 'download_path'> & { is_requested: boolean }

/**
 * Returns the deleted videos that no other channel has; `undefined`: the person does not follow such a channel. `is_kept`: the channel
 * and the files of these videos are in the bin from now on. The caller moves the files.
 */
export const unfollow = (
  sql: Sql,
  user_id: UserId,
  channel_id: string,
  is_kept: boolean,
): Promise<DeletedVideo[] | undefined> =>
  sql.begin(async tx => {
    const mine = tx`user_id = ${user_id}`
    if (is_kept) await oneAtATime(tx, user_id)
    // Locks the channel before its videos, as every save does. Not `for update`: a request that has locked a video checks the foreign key
    // of its channel, so each would wait for the other.
    const is_followed = await hasAny(tx`
      select from channels
      where  ${mine} and channel_id = ${channel_id} and ${isFollowed(tx)}
      for no key update`)
    if (!is_followed) return undefined
    await tx`
      select   id
      from     video_entries
      where    ${mine} and channel_id = ${channel_id}
      order by video_id, id
      for update`
    const is_orphan = tx`
      channel_id = ${channel_id} and source <> 'address'
      and not exists (
            select from video_entries twin
            where  twin.user_id = ${user_id} and twin.video_id = entry.video_id and twin.channel_id <> entry.channel_id)`
    const orphans = await tx<DeletedVideo[]>`
      select video_id, download_path, standing in ('running', 'waiting') is true as is_requested
      from   video_entries entry
      where  ${mine} and ${is_orphan}`
    if (is_kept) {
      await binChannel(tx, user_id, channel_id, { entries: tx`source <> 'address'`, is_followed: true })
      await binFiles(tx, user_id, is_orphan, { with_channel: true })
    }
    await deleteChannel(tx, user_id, channel_id)
    const gone = orphans.map(({ video_id }) => video_id)
    await tx`delete from viewings where ${mine} and video_id = any(${gone})`
    await removeDownloads(tx, user_id, gone)
    return [...orphans]
  })

/**
 * Deletes the channel with its videos. If a person added some of them by their address, these stay, in a channel that is not followed:
 * without a feed, without what is remembered of its fetches, without a rule or groups, and its older videos are loaded no further.
 */
async function deleteChannel(tx: Queryable, user_id: UserId, channel_id: string): Promise<void> {
  const mine = tx`user_id = ${user_id}`
  const stays = await hasAny(tx`
    update channels
    set    ${tx(without_feed)},
           -- The page is where the channel can be followed again. The address of the feed leads there too.
           page_url = coalesce(page_url, rss_url)
    where  ${mine} and channel_id = ${channel_id}
    and    exists (
             select from video_entries
             where  ${mine} and channel_id = ${channel_id} and source = 'address')`)
  if (!stays) {
    await tx`delete from channels where ${mine} and channel_id = ${channel_id}`
    return
  }
  for (const table of ['channel_groups', 'channel_rules', 'backfills'])
    await tx`delete from ${tx(table)} where ${mine} and channel_id = ${channel_id}`
  await removeBackfill(tx, { user_id, channel_id })
  await tx`delete from video_entries where ${mine} and channel_id = ${channel_id} and source <> 'address'`
}
