/** The playlists of one person in MEDIA_DIR: what their files should say, and the record of what was written. */
import type { UserId } from '../../schema/values/user.ts'
import type { Sql } from '../postgres/client.ts'
import { foldersIn } from './media-paths.ts'

export type MediaPlaylist = {
  playlist_id: string
  /** Null: it is deleted, or none of its videos is in the tree. */
  title: string | null
  /** The digest of what its file should say. */
  content_hash: string | null
  /** The name of its file without the extension; null: it has none yet. */
  name: string | null
  written_hash: string | null
}

export type PlaylistEntry = {
  /** Below the folder of the person, with a `/` between; empty: none. */
  folders: string
  name: string
  extension: string
  title: string
  duration_seconds: number | null
}

export function mediaPlaylistsOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`

  /** The videos in the tree that playlists have. */
  const entries = sql`
    from     playlists playlist
    join     playlist_videos member using (user_id, playlist_id)
    join     media_episodes written using (user_id, video_id)
    join     media_channels show using (user_id, channel_id)
    cross join lateral (
      select   title, duration_seconds
      from     video_entries entry
      where    entry.user_id = ${user_id} and entry.video_id = member.video_id
      order by entry.channel_id <> written.channel_id, entry.id
      limit    1
    ) entry
    where    user_id = ${user_id} and deleted_at is null and removed_at is null and state = 'present'`
  const entry_columns = sql`written.name, extension, entry.title, duration_seconds`

  return {
    /** Those that should have a file, and those that have one. */
    playlists: (): Promise<MediaPlaylist[]> => sql<MediaPlaylist[]>`
      with wanted as (
        select   playlist_id, playlist.name as title,
                 md5(playlist.name || string_agg(
                   hash_record_extended(row(${foldersIn(sql)}, ${entry_columns}), 0)::text, ' ' order by place, video_id))::uuid as content_hash
        ${entries}
        group by playlist_id, playlist.name
      )
      select   playlist_id, title, wanted.content_hash, known.name, known.content_hash as written_hash
      from     wanted
      full join (select * from media_playlists where ${mine}) known using (playlist_id)
      order by playlist_id`,

    /** In the order of the playlist. */
    playlistEntries: (playlist_id: string): Promise<PlaylistEntry[]> => sql<PlaylistEntry[]>`
      select   ${foldersIn(sql)} as folders, ${entry_columns}
      ${entries}
      and      playlist_id = ${playlist_id}
      order by place, video_id`,

    /** Before the file is written under this name, so that no other playlist gets the name. */
    async nameOfPlaylist(playlist_id: string, { name, name_key }: { name: string; name_key: string }): Promise<void> {
      await sql`
        insert into media_playlists (user_id, playlist_id, name, name_key)
        values (${user_id}, ${playlist_id}, ${name}, ${name_key})
        on conflict on constraint media_playlists_pkey do update
        set    name = excluded.name, name_key = excluded.name_key, content_hash = null`
    },

    async recordPlaylist(playlist_id: string, content_hash: string | null): Promise<void> {
      await sql`update media_playlists set content_hash = ${content_hash} where ${mine} and playlist_id = ${playlist_id}`
    },

    /** The playlist has no file any more. */
    async forgetPlaylist(playlist_id: string): Promise<void> {
      await sql`delete from media_playlists where ${mine} and playlist_id = ${playlist_id}`
    },
  }
}
