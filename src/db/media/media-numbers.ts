/** Gives the folders of one person's channels and the numbers of their episodes. They are stored before a file is written. */
import type { UserId } from '../../schema/values/user.ts'
import type { Sql } from '../postgres/client.ts'

export type Unnumbered = {
  video_id: string
  channel_id: string
  channel_title: string
  title: string
  published_at: Date | null
  first_seen_at: Date
  /** Its place among all videos of the same day (of UTC) in its channel, from 1. */
  nth_of_day: number
}

export type Taken = {
  /** The folder of each channel that has one. */
  folders: Map<string, string>
  /** All folders of the person, as `folder_key`. */
  folder_keys: Set<string>
  numbers: { channel_id: string; season: number; episode: number }[]
  /** Returns those of the videos that still have no number. */
  videos: Unnumbered[]
}

export type Given = {
  channels: { channel_id: string; folder: string; folder_key: string }[]
  episodes: { video_id: string; channel_id: string; season: number; episode: number; name: string }[]
}

export function mediaNumbersOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`

  return {
    /** Downloaded videos without a number, the oldest first. */
    unnumbered: async (limit: number): Promise<Unnumbered[]> => [
      ...(await sql<Unnumbered[]>`
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
        limit    ${limit}`),
    ],

    /**
     * Calls `number` with what is taken in each channel and season of these videos, while no other run can give numbers to this person, and
     * stores what it returns. A video that has a number keeps it.
     */
    giveNumbers: (videos: Unnumbered[], number: (taken: Taken) => Given): Promise<void> =>
      sql.begin(async tx => {
        await tx`select from media_trees where ${mine} for update`
        const video_ids = videos.map(({ video_id }) => video_id)
        const channel_ids = [...new Set(videos.map(({ channel_id }) => channel_id))]
        const given = await tx<{ video_id: string }[]>`
          select video_id from media_episodes where ${mine} and video_id = any(${video_ids})`
        const channels = await tx<{ channel_id: string; folder: string; folder_key: string }[]>`
          select channel_id, folder, folder_key from media_channels where ${mine}`
        const numbers = await tx<Taken['numbers']>`
          select channel_id, season, episode from media_episodes where ${mine} and channel_id = any(${channel_ids})`
        const has_number = new Set(given.map(({ video_id }) => video_id))
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
