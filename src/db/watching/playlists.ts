/**
 * One user's playlists: list, create, rename, delete, restore. `named-things.ts` keeps their names apart and their number limited, and
 * `playlist-members.ts` has their videos.
 */
import type { UserId } from '../../schema/values/user.ts'
import {
  type ListedPlaylist,
  max_playlists,
  type Playlist,
  type PlaylistChoice,
} from '../../schema/watching/playlist.ts'
import { firstRow, type Sql } from '../postgres/client.ts'
import { pictureUrl } from '../postgres/stored-pictures.ts'
import { namedThingsOf } from '../rows/named-things.ts'
import { isListed, membersOf } from './playlist-members.ts'

export function playlistsOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`
  const is_here = sql`deleted_at is null`
  const playlists = namedThingsOf<Pick<Playlist, 'playlist_id' | 'name'>>(sql, user_id, {
    table: 'playlists',
    id: 'playlist_id',
    columns: ['playlist_id', 'name'],
    max: max_playlists,
    max_deleted: 50,
    words: { one: 'playlist', many: 'playlists', remove: 'Delete' },
  })

  /** The listed members of the playlist that the row `playlist` names. */
  const members = sql`
    from   playlist_videos member
    where  member.user_id = ${user_id} and member.playlist_id = playlist.playlist_id and ${isListed(sql, user_id)}`

  const find = (playlist_id: string): Promise<Playlist | undefined> =>
    firstRow(sql<Playlist[]>`
      select playlist_id, name, (select count(*) ${members}) as videos
      from   playlists playlist
      where  ${mine} and ${is_here} and playlist_id::text = ${playlist_id}`)

  return {
    ...membersOf(sql, user_id),

    /** By name. */
    list: (): Promise<ListedPlaylist[]> => sql<ListedPlaylist[]>`
      select   playlist_id, name, (select count(*) ${members}) as videos,
               (select   ${pictureUrl(sql, 'video', sql`entry.thumbnail_url`)}
                from     playlist_videos first
                join     video_entries entry using (user_id, video_id)
                where    ${mine} and first.playlist_id = playlist.playlist_id and first.removed_at is null
                order by first.place, entry.id
                limit    1) as picture_url
      from     playlists playlist
      where    ${mine} and ${is_here}
      order by lower(name)`,

    /** By name, each with how many of these videos are in it. */
    choices: (video_ids: string[]): Promise<PlaylistChoice[]> => sql<PlaylistChoice[]>`
      select   playlist_id, name, (select count(*) ${members}) as videos,
               (select count(*) ${members} and member.video_id = any(${video_ids})) as has
      from     playlists playlist
      where    ${mine} and ${is_here}
      order by lower(name)`,

    find,

    /** Throws `conflict` if a playlist has this name, `invalid` if there are too many. */
    async create(name: string): Promise<Playlist> {
      return { ...(await playlists.create({ name })), videos: 0 }
    },

    /** `undefined`: there is no such playlist. Throws `conflict` if another playlist has this name. */
    async rename(playlist_id: string, name: string): Promise<Playlist | undefined> {
      const renamed = await playlists.change(playlist_id, { name })
      return renamed && find(playlist_id)
    },

    /** It can be restored for a day, unless many are deleted after it. `undefined`: there is no such playlist. */
    remove: (playlist_id: string) => playlists.remove(playlist_id),

    /** Brings a deleted playlist back with its videos. Throws `conflict` if its name is taken, `invalid` if there are too many. */
    async restore(playlist_id: string): Promise<Playlist | undefined> {
      await playlists.restore(playlist_id)
      return find(playlist_id)
    },
  }
}
