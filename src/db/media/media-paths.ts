/**
 * The paths of one person's videos in MEDIA_DIR, by the template of the tree. A path that is in use is a row of `media_paths`, so no two
 * videos have one, and it stays until the template changes.
 */
import { jsonText } from '../../runtime/json.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Video } from '../../schema/videos/video.ts'
import { eachValue, hasAny, type Piece, type Queryable, type Sql } from '../postgres/client.ts'

export type NamedVideo = Pick<Video, 'video_id' | 'title' | 'published_at' | 'first_seen_at'> & {
  season: number
  episode: number
  /** The folder of the channel by the usual template. */
  folder: string
  /** Empty: the channel is in no group. */
  group_name: string
}

/** Null: it has no file yet, which is what gives a number and a folder. */
export type ExampleVideo = Pick<NamedVideo, 'video_id' | 'title' | 'published_at' | 'first_seen_at' | 'group_name'> & {
  channel_title: string
} & { [name in 'season' | 'episode' | 'folder']: NamedVideo[name] | null }

/** `folders`: the folders below that of the person, with a `/` between; empty: none. */
export type VideoPath = { folders: string; name: string; path_key: string }

/** `kept_name`: an earlier version named the video by the usual template, and it keeps this name; null: it gets a name. */
export type UnnamedVideo = NamedVideo & { kept_name: string | null }

/** The folders of a row `written` of a channel `show`. */
export const foldersIn = (sql: Queryable): Piece => sql`coalesce(written.folders, ${usualFolders(sql)})`
export const usualFolders = (sql: Queryable): Piece => sql`show.folder || '/Season ' || written.season`

export function mediaPathsOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`
  /** The first group of a channel that has this table or alias. */
  const groupOf = (channel: Piece) => sql`
    coalesce((
      select   name
      from     channel_groups
      join     groups using (user_id, group_id)
      where    user_id = ${user_id} and channel_id = ${channel}.channel_id and deleted_at is null
      order by lower(name), name
      limit    1), '')`

  const examplesAmong = (which: Piece): Promise<ExampleVideo[]> => sql`
    select   entry.video_id, entry.title, published_at, first_seen_at, channel.title as channel_title,
             season, episode, folder, coalesce(group_name, ${groupOf(sql`entry`)}) as group_name
    from     video_entries entry
    join     channels channel using (user_id, channel_id)
    left join media_channels using (user_id, channel_id)
    left join media_episodes written using (user_id, channel_id, video_id)
    where    user_id = ${user_id} and ${which}
    order by sort_at desc, entry.id
    limit    3`

  return {
    /** From now on the tree has this template: every video gets a new name once its files are removed. Null: the usual one. */
    startNames: (names: string | null): Promise<void> =>
      sql.begin(async tx => {
        await tx`update media_trees set names = ${names} where ${mine}`
        await tx`update media_channels set group_name = null where ${mine}`
        await tx`update media_episodes set needs_name = true where ${mine} and state <> 'absent'`
        await tx`
          delete from media_paths
          where  ${mine}
          and    video_id in (select video_id from media_episodes where ${mine} and state = 'absent')`
      }),

    /**
     * Names some videos that have no name and no files in the tree, and stores the first path of `pathOf` that no other video has, which it
     * calls with 0, 1 and so on. Returns how many it named: none if the tree has another template by now.
     */
    giveNames: (
      names: string | null,
      limit: number,
      pathOf: (video: UnnamedVideo, nth: number) => VideoPath,
    ): Promise<number> =>
      sql.begin(async tx => {
        const is_current = await hasAny(tx`
          select from media_trees where ${mine} and names is not distinct from ${names}::text for update`)
        if (!is_current) return 0
        await tx`
          update media_channels show
          set    group_name = ${groupOf(tx`show`)}
          where  ${mine} and group_name is null`
        const is_usual = names === null
        const unnamed = await tx<UnnamedVideo[]>`
          select   written.video_id, season, episode, folder, group_name, coalesce(title, '') as title, published_at,
                   coalesce(first_seen_at, now()) as first_seen_at,
                   case when written.folders is null and ${is_usual} then written.name end as kept_name
          from     media_episodes written
          join     media_channels using (user_id, channel_id)
          left join lateral (
            select   title, published_at, first_seen_at
            from     video_entries entry
            where    entry.user_id = ${user_id} and entry.video_id = written.video_id and standing = 'done'
            order by entry.channel_id <> written.channel_id, entry.id
            limit    1
          ) entry on true
          where    user_id = ${user_id} and written.video_id not in (select video_id from media_paths where ${mine})
          and      (written.folders is null and ${is_usual} or state = 'absent' and title is not null)
          order by season, episode, written.video_id
          limit    ${limit}`
        for (let nth = 0, left = [...unnamed]; left.length > 0; nth++) {
          const tried = left.map(video => ({ ...pathOf(video, nth), video_id: video.video_id }))
          const named = new Set(
            await eachValue<string>(tx`
              with tried as (
                select *
                from   json_to_recordset(${jsonText(tried)}::text::json)
                       as tried (video_id text, folders text, name text, path_key text)
              ), given as (
                insert into media_paths (user_id, path_key, video_id)
                select ${user_id}, path_key, video_id
                from   tried
                on conflict on constraint media_paths_pkey do nothing
                returning video_id
              )
              update media_episodes known
              set    folders = tried.folders, name = tried.name
              from   tried
              join   given using (video_id)
              where  ${mine} and known.video_id = tried.video_id
              returning known.video_id`),
          )
          left = left.filter(({ video_id }) => !named.has(video_id))
        }
        return unnamed.length
      }),

    /** Up to three videos with which a template is shown: the newest that are downloaded, else the newest. */
    async examples(): Promise<ExampleVideo[]> {
      const downloaded = await examplesAmong(sql`standing = 'done'`)
      return downloaded.length > 0 ? downloaded : examplesAmong(sql`true`)
    },

    /** Whether a worker has MEDIA_DIR. */
    isKept: (): Promise<boolean> =>
      hasAny(sql`select from media_service where seen_at > now() - interval '10 minutes'`),
  }
}
