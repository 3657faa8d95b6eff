/**
 * Reads everything that one person has, page by page, as JSON that the database has written: times keep their microseconds, and a
 * library of any size takes the memory of one page. No connection is held between two pages, because a client may read slowly.
 */
import type { UserId } from '../../schema/values/user.ts'
import type { Piece, Sql } from '../postgres/client.ts'
import { channel_fields, fieldsOf, video_fields, viewing_fields } from '../rows/archive-fields.ts'
import { settingColumns } from '../rows/settings-columns.ts'
import { storedValues } from '../rules/rule-columns.ts'
import { isListed } from '../watching/playlist-members.ts'

/** `after`: where the next page begins; null: this is the last one. */
export type ArchivePage = { items: string[]; after: string[] | null }

export const archive_lists = ['channels', 'videos', 'playlists', 'viewings'] as const
export type ArchiveList = (typeof archive_lists)[number]

/** A description has up to 50,000 characters and a playlist up to 5,000 videos, so a page has few of them. */
const page_size: Record<ArchiveList, number> = { channels: 200, videos: 200, playlists: 20, viewings: 2000 }

type Row = { item: string; place: string[] }

export function archivePagesOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`
  const read: Record<ArchiveList, (after: string[]) => Promise<Row[]>> = {
    channels: ([channel_id = '']) => sql<Row[]>`
      select   ${channel(sql, user_id)}::text as item, array[channel_id] as place
      from     channels
      left join channel_rules rule using (user_id, channel_id)
      where    user_id = ${user_id} and channel_id > ${channel_id}
      order by channel_id
      limit    ${page_size.channels}`,

    videos: ([video_id = '', channel_id = '']) => sql<Row[]>`
      select   ${video(sql)}::text as item, array[video_id, channel_id] as place
      from     video_entries
      where    user_id = ${user_id} and (video_id, channel_id) > (${video_id}, ${channel_id})
      order by video_id, channel_id
      limit    ${page_size.videos}`,

    playlists: ([name = '']) => sql<Row[]>`
      select   ${playlist(sql, user_id)}::text as item, array[lower(name)] as place
      from     playlists
      where    user_id = ${user_id} and deleted_at is null and lower(name) > ${name}
      order by lower(name)
      limit    ${page_size.playlists}`,

    viewings: ([video_id = '']) => sql<Row[]>`
      select   ${viewing(sql)}::text as item, array[video_id] as place
      from     viewings
      where    user_id = ${user_id} and video_id > ${video_id}
      order by video_id
      limit    ${page_size.viewings}`,
  }
  return {
    /** The settings, as JSON. */
    async settings(): Promise<string> {
      const [owner] = await sql<{ settings: string }[]>`
        select (select row_to_json(fields) from (
                  select ${settingColumns(sql)},
                         default_rule - 'playlist_id' as default_rule,
                         ${playlistName(sql, user_id, sql`default_rule ->> 'playlist_id'`)} as default_rule_playlist,
                         array(select   name
                               from     groups
                               where    ${mine} and deleted_at is null
                               order by lower(name), name) as groups,
                         array(select   name
                               from     groups
                               where    ${mine} and deleted_at is null and bell
                               order by lower(name), name) as group_bells,
                         array(select   json_build_object('name', name, 'q', q, 'sort', sort)
                               from     saved_searches
                               where    ${mine} and deleted_at is null
                               order by lower(name), name) as searches) fields)::text as settings
        from   users
        where  id = ${user_id}`
      if (!owner) throw new Error('the account of this user is gone')
      return owner.settings
    },

    /** The next items after `after`; `[]`: the first ones. In a fixed order, whatever changes between two pages. */
    async page(list: ArchiveList, after: string[]): Promise<ArchivePage> {
      const rows = await read[list](after)
      const is_full = rows.length === page_size[list]
      return { items: rows.map(({ item }) => item), after: is_full ? (rows.at(-1)?.place ?? null) : null }
    },
  }
}

/** The name of the person's playlist with this id. */
const playlistName = (sql: Sql, user_id: UserId, playlist_id: Piece): Piece => sql`
  (select name from playlists where user_id = ${user_id} and playlists.playlist_id::text = ${playlist_id} and deleted_at is null)`

const channel = (sql: Sql, user_id: UserId): Piece => sql`
  (select row_to_json(fields) from (
     select ${fieldsOf(sql, channel_fields, {
       plays_whole: sql`plays_whole is true`,
       followed_at: sql`channels.created_at`,
     })},
            array(select   name
                  from     channel_groups member
                  join     groups owned using (user_id, group_id)
                  where    member.user_id = channels.user_id and member.channel_id = channels.channel_id and deleted_at is null
                  order by lower(name), name) as groups,
            case when rule.user_id is not null then (
              select row_to_json(of_rule) from (
                select on_since is not null as auto_download, ${storedValues(sql)}) of_rule) end as rule,
            ${playlistName(sql, user_id, sql`rule.playlist_id::text`)} as rule_playlist) fields)`

const video = (sql: Sql): Piece => sql`
  (select row_to_json(fields) from (
     select ${fieldsOf(sql, video_fields, {
       requested_by: sql`download_asked_by`,
       downloaded: sql`standing in ('done', 'waiting', 'running') is true`,
     })}) fields)`

/** Without the videos in the bin, which the archive does not have, and those that were taken out. */
const playlist = (sql: Sql, user_id: UserId): Piece => sql`
  json_build_object(
    'name', name,
    'video_ids', array(select   video_id
                       from     playlist_videos member
                       where    member.user_id = ${user_id} and member.playlist_id = playlists.playlist_id
                       and      ${isListed(sql, user_id)}
                       order by place, video_id))`

const viewing = (sql: Sql): Piece => sql`
  (select row_to_json(fields) from (select ${fieldsOf(sql, viewing_fields)}) fields)`
