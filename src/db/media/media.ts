/** Keeps for one person's tree in MEDIA_DIR what it should contain and what was written. Numbers and folders never change once given. */
import type { UserId } from '../../schema/values/user.ts'
import type { Sql } from '../postgres/client.ts'
import { fileHash, mediaChangesOf } from './media-changes.ts'
import { mediaNumbersOf } from './media-numbers.ts'

/** `stamp`: the marker file of the tree that was written last has the same; null: nothing was ever written. */
export type Begun = { stamp: string | null; is_due: boolean }

export type PresentEpisode = {
  video_id: string
  folder: string
  season: number
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

    /** `undefined`: the account is deleted. Makes the row of the tree. `is_new`: nothing was ever written to the tree. */
    async begin(): Promise<(Begun & { username: string; is_new: boolean }) | undefined> {
      await sql`
        insert into media_trees (user_id)
        select id
        from   users
        where  id = ${user_id}
        on conflict do nothing`
      const [person] = await sql<(Begun & { username: string; is_new: boolean })[]>`
        select username, stamp, checked_at is null or checked_at < now() - ${check_minutes} * interval '1 minute' as is_due,
               not exists (select from media_channels where ${mine}) as is_new
        from   media_trees
        join   users on users.id = user_id
        where  ${mine}`
      return person
    },

    /** Forgets what was written, so that all of it is written again, to the tree with this stamp. Returns how many videos were in the tree. */
    forgetWritten: (stamp: string): Promise<number> =>
      sql.begin(async tx => {
        // First: a run that this one has overtaken notes no more videos as present.
        await tx`update media_trees set stamp = ${stamp} where ${mine}`
        await tx`update media_channels set words_hash = null, picture_id = null where ${mine}`
        const { count } = await tx`
          update media_episodes
          set    state = 'unsure', words_hash = null, picture_id = null
          where  ${mine} and state <> 'absent'`
        return count
      }),

    /** Gives the tree a new stamp, before links are written to it. `false`: another run has given it one, because it found another tree. */
    async renewStamp(before: string, after: string): Promise<boolean> {
      const { count } = await sql`update media_trees set stamp = ${after} where ${mine} and stamp = ${before}`
      return count > 0
    },

    /** The videos in the tree with this stamp whose file has not changed since. None: it is not the tree that was written last. */
    present: async (stamp: string): Promise<PresentEpisode[]> => [
      ...(await sql<PresentEpisode[]>`
        select distinct on (video_id)
               video_id, folder, season, name, extension, written.subtitles, written.picture_id is not null as has_picture,
               download_path, file_hash
        from   media_episodes written
        join   media_channels channel using (user_id, channel_id)
        join   video_entries entry using (user_id, video_id)
        where  user_id = ${user_id} and state = 'present' and file_hash = ${fileHash(sql)}
        and    exists (select from media_trees where ${mine} and stamp = ${stamp})
        order by video_id`),
    ],

    /** Writes again what is missing in the tree. */
    async writeAgain(what: 'file' | 'nfo' | 'picture', video_ids: string[]): Promise<void> {
      const column = { file: sql`file_hash`, nfo: sql`words_hash`, picture: sql`picture_id` }[what]
      await sql`update media_episodes set ${column} = null where ${mine} and video_id = any(${video_ids})`
    },

    async noteChecked(): Promise<void> {
      await sql`update media_trees set checked_at = now() where ${mine}`
    },
  }
}
