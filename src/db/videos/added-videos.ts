/** The videos that one user added by their address: mark them, forget them. `channel-feeds.ts` saves new ones. */
import type { Download } from '../../schema/downloads/download.ts'
import type { UserId } from '../../schema/values/user.ts'
import { movesOf } from '../downloads/moves.ts'
import { hasAny, onlyValue, type Sql } from '../postgres/client.ts'
import { removeDownloads } from '../queue/queue.ts'
import { binChannel, binFiles, oneAtATime } from '../rows/bin-rows.ts'
import { isFollowed } from '../rows/channel-columns.ts'

export function addedVideosOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`

  const { inOrder } = movesOf(sql, user_id)
  const channelsOf = (video_id: string) => sql`
    channel_id in (select channel_id from video_entries where ${mine} and video_id = ${video_id})`

  return {
    /** Marks a video of the library as added, so that it stays when its channel is unfollowed. `false`: there is no such video. */
    mark: (video_id: string): Promise<boolean> =>
      hasAny(sql`
        update video_entries
        set    source = 'address'
        where  ${mine} and ${inOrder([video_id])}`),

    /** Whether `forget` would delete the video: none of its channels is followed. */
    canForget: (video_id: string): Promise<boolean> =>
      onlyValue<boolean>(sql`
        select coalesce(bool_and(not ${isFollowed(sql)}), false) as can
        from   channels
        where  ${mine} and ${channelsOf(video_id)}`),

    /**
     * Deletes a video with its viewing and its waiting download, and a channel of which it is the last video. Returns the path of its
     * file. `followed`: one of its channels is followed, so nothing is deleted. `undefined`: there is no such video. `is_kept`: the video
     * and its file are in the bin from now on. The caller moves the file.
     */
    forget: (
      video_id: string,
      is_kept: boolean = false,
    ): Promise<Pick<Download, 'download_path'> | 'followed' | undefined> =>
      sql.begin(async tx => {
        if (is_kept) await oneAtATime(tx, user_id)
        // The channels first, as in every save. So none of them is followed before the end, and none gets another video. See
        // `unfollow.ts` for the kind of lock.
        const channels = await tx<{ channel_id: string; followed: boolean }[]>`
          select   channel_id, ${isFollowed(tx)} as followed
          from     channels
          where    ${mine} and ${channelsOf(video_id)}
          order by channel_id
          for no key update`
        if (channels.length === 0) return undefined
        if (channels.some(({ followed }) => followed)) return 'followed'
        const channel_ids = channels.map(({ channel_id }) => channel_id)
        await tx`
          select   id
          from     video_entries
          where    ${mine} and video_id = ${video_id} and channel_id = any(${channel_ids})
          order by video_id, id
          for update`
        if (is_kept) {
          const this_one = tx`entry.video_id = ${video_id}`
          for (const channel_id of channel_ids)
            await binChannel(tx, user_id, channel_id, { entries: this_one, is_followed: false })
          await binFiles(tx, user_id, this_one)
        }
        const [deleted] = await tx<Pick<Download, 'download_path'>[]>`
          delete from video_entries
          where  ${mine} and video_id = ${video_id} and channel_id = any(${channel_ids})
          returning download_path`
        await tx`
          delete from channels
          where  ${mine} and channel_id = any(${channel_ids}) and entry_count = 0`
        // A feed that was saved at this moment has the video too, and keeps its download.
        const has_other = await hasAny(tx`select from video_entries where ${mine} and video_id = ${video_id} limit 1`)
        if (!deleted || has_other) {
          await tx`delete from deleted_files where ${mine} and video_id = ${video_id}`
          return deleted && { download_path: null }
        }
        await tx`delete from viewings where ${mine} and video_id = ${video_id}`
        await removeDownloads(tx, user_id, [video_id])
        return deleted
      }),
  }
}
