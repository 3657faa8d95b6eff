/** Merges a playlist of an archive into those of one person. */
import type { GivenPlaylist } from '../../schema/imports/archive.ts'
import type { UserId } from '../../schema/values/user.ts'
import { max_playlists } from '../../schema/watching/playlist.ts'
import { firstValue, onlyValue, type Piece, type Queryable } from '../postgres/client.ts'
import { appendToPlaylist } from '../watching/playlist-members.ts'

type MergedPlaylist = { playlists: number; playlists_left_out: number; playlist_videos_left_out: number }

/** The videos that a playlist of this name lacks go to its end, in their order. */
export async function mergePlaylist(
  tx: Queryable,
  user_id: UserId,
  { name, video_ids }: GivenPlaylist,
): Promise<MergedPlaylist> {
  // The number of playlists is counted here, as when a person creates one.
  await tx`select from users where id = ${user_id} for no key update`
  const known = await onlyValue<string | null>(tx`select ${playlistCalled(tx, user_id, tx`${name}::text`)}`)
  const playlist_id = known ?? (await created(tx, user_id, name))
  if (playlist_id === undefined) return { playlists: 0, playlists_left_out: 1, playlist_videos_left_out: 0 }
  const { added, left_out } = await appendToPlaylist(tx, user_id, playlist_id, video_ids)
  const is_changed = known === null || added > 0
  return { playlists: is_changed ? 1 : 0, playlists_left_out: 0, playlist_videos_left_out: left_out }
}

/** The id of the person's playlist with this name; null: there is none. */
export const playlistCalled = (tx: Queryable, user_id: UserId, name: Piece): Piece => tx`
  (select playlist_id from playlists where user_id = ${user_id} and deleted_at is null and lower(playlists.name) = lower(${name}))`

/** `undefined`: the person has as many as there can be. */
const created = (tx: Queryable, user_id: UserId, name: string): Promise<string | undefined> =>
  firstValue<string>(tx`
    insert into playlists (user_id, name)
    select ${user_id}, ${name}
    where  (select count(*) from playlists where user_id = ${user_id} and deleted_at is null) < ${max_playlists}
    returning playlist_id`)
