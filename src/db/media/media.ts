/**
 * Keeps for one person's tree in MEDIA_DIR what it should contain and what was written: the folders of channels, the numbers of episodes,
 * and which links are present. Folders and numbers are stored before a file is written, and never change.
 */

import { usual_names } from '../../schema/values/media-names.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Video } from '../../schema/videos/video.ts'
import { countOf, eachValue, firstRow, hasAny, type Sql } from '../postgres/client.ts'
import { fileHash, mediaChangesOf, mediaShowsOf } from './media-changes.ts'
import { foldersIn, mediaPathsOf } from './media-paths.ts'
import { mediaPlaylistsOf } from './media-playlists.ts'

/**
 * `stamp`: the marker file of the tree that was written last has the same; null: nothing was ever written. `names`: the template by which
 * the tree is named, `wanted`: that of the person; null: the usual one.
 */
export type TreeState = { stamp: string | null; is_due: boolean; names: string | null; wanted: string | null }

export type PresentEpisode = {
  video_id: string
  /** Below the folder of the person, with a `/` between; empty: none. */
  folders: string
  name: string
  extension: string
  subtitles: string[]
  has_picture: boolean
  download_path: string
  file_hash: string
}

/** Minutes after which the folders of a tree are read again. */
export const check_minutes = 5

export function mediaOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`

  return {
    ...mediaNumbersOf(sql, user_id),
    ...mediaChangesOf(sql, user_id),
    ...mediaShowsOf(sql, user_id),
    ...mediaPathsOf(sql, user_id),
    ...mediaPlaylistsOf(sql, user_id),

    /** `undefined`: the account is deleted. Makes the row of the tree. `is_new`: nothing was ever written to the tree. */
    async begin(): Promise<(TreeState & { username: string; is_new: boolean }) | undefined> {
      await sql`
        insert into media_trees (user_id)
        select id
        from   users
        where  id = ${user_id}
        on conflict do nothing`
      return firstRow(sql<(TreeState & { username: string; is_new: boolean })[]>`
        select username, stamp, checked_at is null or checked_at < now() - ${check_minutes} * interval '1 minute' as is_due,
               not exists (select from media_channels where ${mine}) as is_new, names,
               nullif(media_names, ${usual_names}) as wanted
        from   media_trees
        join   users on users.id = user_id
        where  ${mine}`)
    },

    /**
     * Forgets what was written, so that all of it is written again, to the tree with this stamp. Returns how many videos were in the tree.
     */
    forgetWritten: (stamp: string): Promise<number> =>
      sql.begin(async tx => {
        // First: a run that this one has overtaken records no more videos as present.
        await tx`update media_trees set stamp = ${stamp} where ${mine}`
        await tx`update media_channels set words_hash = null, picture_id = null where ${mine}`
        await tx`update media_playlists set content_hash = null where ${mine}`
        return countOf(tx`
          update media_episodes
          set    state = 'unsure', words_hash = null, picture_id = null
          where  ${mine} and state <> 'absent'`)
      }),

    /** Gives the tree a new stamp, before links are written to it. `false`: another run has given it one, because it found another tree. */
    renewStamp: (before: string, after: string): Promise<boolean> =>
      hasAny(sql`update media_trees set stamp = ${after} where ${mine} and stamp = ${before}`),

    /** The videos in the tree with this stamp whose file has not changed since. None: it is not the tree that was written last. */
    present: (stamp: string): Promise<PresentEpisode[]> => sql<PresentEpisode[]>`
      select distinct on (video_id)
             video_id, ${foldersIn(sql)} as folders, name, extension, written.subtitles, written.picture_id is not null as has_picture,
             download_path, file_hash
      from   media_episodes written
      join   media_channels show using (user_id, channel_id)
      join   video_entries entry using (user_id, video_id)
      where  user_id = ${user_id} and state = 'present' and file_hash = ${fileHash(sql)}
      and    exists (select from media_trees where ${mine} and stamp = ${stamp})
      order by video_id`,

    /** Writes again what is missing in the tree. */
    async writeAgain(what: 'file' | 'nfo' | 'picture', video_ids: string[]): Promise<void> {
      const column = { file: sql`file_hash`, nfo: sql`words_hash`, picture: sql`picture_id` }[what]
      await sql`update media_episodes set ${column} = null where ${mine} and video_id = any(${video_ids})`
    },

    async recordChecked(): Promise<void> {
      await sql`update media_trees set checked_at = now() where ${mine}`
    },
  }
}

export type UnnumberedVideo = Pick<
  Video,
  'video_id' | 'channel_id' | 'channel_title' | 'title' | 'published_at' | 'first_seen_at'
> & {
  /** Its place among all videos of the same day (of UTC) in its channel, from 1. */
  nth_of_day: number
}

export type TakenNumbers = {
  /** The folder of each channel that has one. */
  folders: Map<string, string>
  /** All folders of the person, as `folder_key`. */
  folder_keys: Set<string>
  numbers: { channel_id: string; season: number; episode: number }[]
  /** The videos that still have no number. */
  videos: UnnumberedVideo[]
}

export type NewNumbers = {
  channels: { channel_id: string; folder: string; folder_key: string }[]
  episodes: { video_id: string; channel_id: string; season: number; episode: number; name: string }[]
}

function mediaNumbersOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`

  return {
    /** Downloaded videos without a number, the oldest first. */
    unnumbered: (limit: number): Promise<UnnumberedVideo[]> => sql<UnnumberedVideo[]>`
      select   entry.*,
               (select count(*)::int + 1
                from   video_entries other
                where  other.user_id = ${user_id} and other.channel_id = entry.channel_id
                and    other.sort_at >= date_trunc('day', entry.sort_at)
                and    (other.sort_at, other.video_id) < (entry.sort_at, entry.video_id)) as nth_of_day
      from     (select distinct on (video_id)
                       video_id, channel_id, channel.title as channel_title, entry.title, published_at, first_seen_at, sort_at
                from   video_entries entry
                join   channels channel using (user_id, channel_id)
                where  entry.user_id = ${user_id} and standing = 'done'
                -- Not as a join: while the tree is built, the planner thinks that no video has a number.
                and    video_id not in (select video_id from media_episodes where ${mine})
                order by video_id, entry.id) entry
      order by sort_at, video_id
      limit    ${limit}`,

    /**
     * Calls `number` with what is taken in each channel and season of these videos, while no other run can give numbers to this person, and
     * stores what it returns. A video that has a number keeps it.
     */
    giveNumbers: (videos: UnnumberedVideo[], number: (taken: TakenNumbers) => NewNumbers): Promise<void> =>
      sql.begin(async tx => {
        await tx`select from media_trees where ${mine} for update`
        const video_ids = videos.map(({ video_id }) => video_id)
        const channel_ids = [...new Set(videos.map(({ channel_id }) => channel_id))]
        const given = await eachValue<string>(tx`
          select video_id from media_episodes where ${mine} and video_id = any(${video_ids})`)
        const channels = await tx<NewNumbers['channels']>`
          select channel_id, folder, folder_key from media_channels where ${mine}`
        const numbers = await tx<TakenNumbers['numbers']>`
          select channel_id, season, episode from media_episodes where ${mine} and channel_id = any(${channel_ids})`
        const has_number = new Set(given)
        const added = number({
          folders: new Map(channels.map(({ channel_id, folder }) => [channel_id, folder])),
          folder_keys: new Set(channels.map(({ folder_key }) => folder_key)),
          numbers: [...numbers],
          videos: videos.filter(({ video_id }) => !has_number.has(video_id)),
        })
        await tx`
          insert into media_channels (user_id, channel_id, folder, folder_key)
          select ${user_id}, channel_id, folder, folder_key
          from   json_to_recordset(${JSON.stringify(added.channels)}::text::json)
                 as added (channel_id text, folder text, folder_key text)`
        await tx`
          insert into media_episodes (user_id, video_id, channel_id, season, episode, name)
          select ${user_id}, video_id, channel_id, season, episode, name
          from   json_to_recordset(${JSON.stringify(added.episodes)}::text::json)
                 as added (video_id text, channel_id text, season int, episode int, name text)`
      }),
  }
}
