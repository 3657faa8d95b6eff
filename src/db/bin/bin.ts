/** One user's bin: deleted files, unfollowed channels and removed videos. It lists, restores and empties them. */
import type { BinItem, BinShown } from '../../schema/bin/bin.ts'
import type { UserId } from '../../schema/values/user.ts'
import { countOnlyCopies } from '../downloads/retention.ts'
import { eachValue, firstValue, onlyRow, onlyValue, type Piece, type Sql } from '../postgres/client.ts'
import { pictureUrl } from '../postgres/stored-pictures.ts'
import { type PageWanted, pageOf, paging, rowsFor } from '../rows/cursor.ts'
import { binChannelsOf } from './bin-channels.ts'
import { binFilesOf } from './bin-files.ts'

export const binOf = (sql: Sql, user_id: UserId) => ({
  ...binPagesOf(sql, user_id),
  ...binFilesOf(sql, user_id),
  ...binChannelsOf(sql, user_id),
  /** How many files of these videos are not in the bin yet, and could not be downloaded again. */
  onlyCopies: (video_ids: string[]): Promise<number> =>
    onlyValue<number>(sql`
      select (${countOnlyCopies(sql, user_id, sql`video_id = any(${video_ids})`)}) as files`),
})

/** What is in the bin, page by page, and which files a restore or emptying concerns. */
function binPagesOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`

  /** The conditions and the order of one kind of item. Items of one time are in the order of a hash. */
  const reading = (hash: Piece, hours: number, cursor: string | undefined) => {
    const keys = [
      { by: sql`deleted_at`, type: 'time' as const },
      { by: hash, type: 'integer' as const },
    ]
    const { place, after, order } = paging(sql, keys, 'desc', cursor)
    const is_fresh = sql`deleted_at > now() - ${hours} * interval '1 hour'`
    return { place: sql`${hash} as hash, ${place} as place`, where: sql`${is_fresh} and ${after}`, order }
  }

  /** The files of this person that can be restored. */
  const kept = (): Promise<{ files: number; bytes: number }> =>
    onlyRow(sql<{ files: number; bytes: number }[]>`
      select count(*)::int as files, coalesce(sum(file_size), 0)::bigint as bytes
      from   deleted_files
      where  ${mine}`)

  return {
    kept,

    /** The latest deletion first. Throws `invalid` on a cursor that did not come from here. */
    async page({ hours, limit, cursor }: PageWanted & { hours: number }): Promise<BinShown> {
      const files = reading(sql`(hashtextextended(video_id, 0) >> 4)`, hours, cursor)
      const channels = reading(sql`(hashtextextended(channel_id, 1) >> 4)`, hours, cursor)
      const most = rowsFor(sql, limit)
      const rows = await sql<(BinItem & { place: string })[]>`
        select kind, video_id, channel_id, title, videos, coalesce(files, 1) as files, coalesce(item.bytes, of_channel.bytes) as bytes,
               case kind when 'channel' then ${pictureUrl(sql, 'channel', sql`image_url`)}
                         else ${pictureUrl(sql, 'video', sql`of_video.thumbnail_url`)} end as picture_url,
               deleted_at, deleted_at + ${hours} * interval '1 hour' as restorable_until, place
        from   (
          select   *
          from     (
            (select   'file' as kind, video_id, channel_id, title, 1 as videos, file_size as bytes, null as image_url, deleted_at,
                      ${files.place}
             from     deleted_files
             where    ${mine} and not with_channel and ${files.where}
             order by ${files.order}
             limit    ${most})
            union all
            (select   'channel', null, channel_id, title, entry_count, null, channel->>'image_url', deleted_at, ${channels.place}
             from     deleted_channels
             where    ${mine} and is_followed and ${channels.where}
             order by ${channels.order}
             limit    ${most})
          ) either
          order by deleted_at desc, hash desc
          limit    ${most}
        ) item
        left join lateral (
          select count(*)::int as files, coalesce(sum(file_size), 0)::bigint as bytes
          from   deleted_files file
          where  file.user_id = ${user_id} and file.channel_id = item.channel_id and with_channel
          offset 0
        ) of_channel on kind = 'channel'
        left join lateral (
          select   thumbnail_url
          from     video_entries entry
          where    entry.user_id = ${user_id} and entry.video_id = item.video_id
          order by entry.id
          limit    1
        ) of_video on kind = 'file'
        order by deleted_at desc, hash desc`
      const { rows: entries, next_cursor } = pageOf(rows, limit)
      return { entries, next_cursor, ...(await kept()) }
    },

    /** Until when the file of this video can be restored; `undefined`: the bin does not have it. */
    restorableUntil: (video_id: string, hours: number): Promise<Date | undefined> =>
      firstValue<Date>(sql`
        select deleted_at + ${hours} * interval '1 hour' as until
        from   deleted_files
        where  ${mine} and video_id = ${video_id} and deleted_at > now() - ${hours} * interval '1 hour'`),

    /** The videos whose files were deleted at exactly this time, at most 500. */
    deletedAt: (deleted_at: Date): Promise<string[]> =>
      eachValue<string>(sql`
        select   video_id
        from     deleted_files
        where    ${mine} and deleted_at = ${deleted_at} and not with_channel
        order by video_id
        limit    500`),

    /** The videos whose files are in the bin, the oldest first, at most `limit`. `channel_id`: those deleted with this channel. */
    videoIds: ({ limit, channel_id }: { limit: number; channel_id?: string }): Promise<string[]> =>
      eachValue<string>(sql`
        select   video_id
        from     deleted_files
        where    ${mine} ${channel_id === undefined ? sql`` : sql`and channel_id = ${channel_id} and with_channel`}
        order by deleted_at, video_id
        limit    ${limit}`),

    /** The videos whose files exceed this many bytes, counted from the latest deletion. */
    beyond: (max_bytes: number): Promise<string[]> =>
      eachValue<string>(sql`
        select   video_id
        from     (select video_id, deleted_at, sum(file_size) over (order by deleted_at desc, video_id) as bytes
                  from   deleted_files
                  where  ${mine}) file
        where    bytes > ${max_bytes}
        order by deleted_at, video_id`),
  }
}
