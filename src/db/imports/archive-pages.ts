/**
 * Reads everything that one person has, page by page, as JSON that the database has written: times keep their microseconds, and a
 * library of any size takes the memory of one page. No connection is held between two pages, because a client may read slowly.
 */
import type { UserId } from '../../schema/values/user.ts'
import type { Piece, Sql } from '../postgres/client.ts'
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
        select json_build_object(
                 'quality', quality, 'keyboard_shortcuts', keyboard_shortcuts, 'skip_categories', skip_categories,
                 'captions_of_all', captions_of_all, 'subtitle_languages', subtitle_languages,
                 'quiet_from', to_char(quiet_from, 'HH24:MI'), 'quiet_to', to_char(quiet_to, 'HH24:MI'),
                 'time_zone', time_zone, 'messages_a_day', messages_a_day, 'default_rule', default_rule - 'playlist_id',
                 'default_rule_playlist', ${playlistName(sql, user_id, sql`default_rule ->> 'playlist_id'`)},
                 'groups', array(select   name
                                 from     groups
                                 where    ${mine} and deleted_at is null
                                 order by lower(name), name),
                 'group_bells', array(select   name
                                      from     groups
                                      where    ${mine} and deleted_at is null and bell
                                      order by lower(name), name),
                 'searches', array(select   json_build_object('name', name, 'q', q, 'sort', sort)
                                   from     saved_searches
                                   where    ${mine} and deleted_at is null
                                   order by lower(name), name))::text as settings
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
  json_build_object(
    'channel_id', channel_id, 'title', title, 'rss_url', rss_url, 'page_url', page_url, 'image_url', image_url,
    'quality', quality, 'plays_whole', plays_whole is true, 'bell', bell, 'followed_at', channels.created_at,
    'groups', array(select   name
                    from     channel_groups member
                    join     groups owned using (user_id, group_id)
                    where    member.user_id = channels.user_id and member.channel_id = channels.channel_id and deleted_at is null
                    order by lower(name), name),
    'rule', case when rule.user_id is not null then json_build_object(
      'auto_download', on_since is not null, 'title_words', title_words, 'without_words', without_words,
      'title_pattern', title_pattern, 'skip_shorts', skip_shorts, 'min_seconds', min_seconds, 'max_seconds', max_seconds,
      'live', live, 'also_days', also_days, 'include_older', include_older, 'most_per_day', most_per_day,
      'keep_newest', keep_newest, 'keep_days', keep_days, 'delete_watched_days', delete_watched_days,
      'keep_newest_watched', keep_newest_watched) end,
    'rule_playlist', ${playlistName(sql, user_id, sql`rule.playlist_id::text`)})`

const video = (sql: Sql): Piece => sql`
  json_build_object(
    'channel_id', channel_id, 'video_id', video_id, 'video_url', video_url, 'title', title, 'description', description,
    'thumbnail_url', thumbnail_url, 'published_at', published_at, 'published_precision', published_precision,
    'sort_at', sort_at, 'first_seen_at', first_seen_at, 'source', source, 'duration_seconds', duration_seconds,
    'live_status', live_status, 'availability', availability, 'guid', guid, 'moved_id', moved_id, 'pinned', pinned, 'chapters', chapters,
    'requested_by', download_asked_by, 'downloaded', download_status = 'COMPLETED')`

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
  json_build_object(
    'video_id', video_id, 'seen_at', seen_at, 'position_seconds', position_seconds, 'duration_seconds', duration_seconds,
    'watched_at', watched_at, 'dismissed_at', dismissed_at, 'later_at', later_at, 'not_for_me_at', not_for_me_at,
    'forgotten_at', forgotten_at)`
