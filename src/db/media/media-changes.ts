/** How one person's tree in MEDIA_DIR differs from what should be in it, and the record of what was written. */
import type { UserId } from '../../schema/values/user.ts'
import type { Piece, Queryable, Sql } from '../postgres/client.ts'
import { sourceHash } from '../postgres/stored-pictures.ts'
import { filmSize } from '../rows/sound-rows.ts'
import { foldersIn, usualFolders } from './media-paths.ts'

export type ChangedEpisode = Place & {
  video_id: string
  /** Null: the person has no such file any more. */
  file: MediaFile | null
  /** The file is not linked yet, or another one is. */
  needs_link: boolean
  /** It was recorded that its files were written with this name. */
  was_written: boolean
}
/** `folders`: below the folder of the person, with a `/` between; empty: none. */
type Place = { channel_id: string; folders: string; season: number; episode: number; name: string }

export type MediaFile = {
  download_path: string
  subtitles: string[]
  channel_title: string
  title: string
  description: string | null
  video_url: string
  video_host: string | null
  published_at: Date | null
  duration_seconds: number | null
  download_completed_at: Date | null
  file_hash: string
  words_hash: string
}

export type WrittenEpisode = {
  video_id: string
  file_hash: string
  words_hash: string
  extension: string
  subtitles: string[]
}

/** `show_folder`: null, the show has no files. */
export type NewPicture = Pick<Place, 'folders' | 'name'> & {
  video_id: string
  picture_id: string
  show_folder: string | null
}

export type MediaShow = {
  channel_id: string
  /** Its folder by the usual template. */
  folder: string
  group_name: string
  /** The folder in which its files were written; null: they are not written. */
  show_folder: string | null
  /** Videos in the tree, of which a run may be writing or removing some. */
  episodes: number
  /** Null: the channel is not in the library. */
  title: string | null
  page_url: string | null
  rss_url: string | null
  /** The digest of what `tvshow.nfo` should say. */
  words_hash: string
  /** The stored picture; null: none. */
  picture_id: string | null
  written_words_hash: string | null
  written_picture_id: string | null
}

export function mediaChangesOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`
  /** Of a row `written`, with its row `path` if it has one. */
  const is_named = sql`(path.video_id is not null and not needs_name)`

  return {
    /**
     * Videos whose files in the tree are missing, outdated, or no longer wanted; after the video `after`, in the order of their ids. The
     * files of a video that needs a name are not wanted.
     */
    async changed(after: string, limit: number): Promise<ChangedEpisode[]> {
      const rows = await sql<(Omit<ChangedEpisode, 'file'> & MediaFile & { is_named: boolean })[]>`
        select   written.video_id, written.channel_id, ${foldersIn(sql)} as folders, season, episode, name, ${is_named} as is_named,
                 coalesce(channel.title, show.folder) as channel_title, file.*,
                 state <> 'present' or written.file_hash is distinct from file.file_hash as needs_link,
                 extension is not null as was_written
        from     media_episodes written
        join     media_channels show using (user_id, channel_id)
        left join media_paths path using (user_id, video_id)
        left join channels channel using (user_id, channel_id)
        left join lateral (
          select   download_path, entry.subtitles, entry.title, description, video_url, video_host, published_at,
                   duration_seconds, download_completed_at,
                   ${fileHash(sql)} as file_hash,
                   ${digest(
                     sql,
                     sql`entry.title, description, video_url, video_host, published_at, duration_seconds, download_completed_at,
                         channel.title`,
                   )} as words_hash
          from     video_entries entry
          where    entry.user_id = written.user_id and entry.video_id = written.video_id and standing = 'done'
          order by entry.channel_id <> written.channel_id, entry.id
          limit    1
        ) file on true
        where    written.user_id = ${user_id} and written.video_id > ${after}
        and      case when file.file_hash is null or not ${is_named} then state <> 'absent'
                      else state <> 'present' or written.file_hash is distinct from file.file_hash
                           or written.words_hash is distinct from file.words_hash end
        order by written.video_id
        limit    ${limit}`
      return rows.map(({ is_named, ...row }) => ({ ...row, file: is_named && row.file_hash !== null ? row : null }))
    },

    /** Before the files of these videos are written or removed: a run that dies now leaves work for the next one. */
    async recordUnsure(video_ids: string[]): Promise<void> {
      await sql`update media_episodes set state = 'unsure' where ${mine} and video_id = any(${video_ids})`
    },

    /** Does nothing unless the tree still has this stamp. */
    async recordPresent(written: WrittenEpisode[], stamp: string): Promise<void> {
      await sql`
        with tree as (select user_id from media_trees where ${mine} and stamp = ${stamp} for share)
        update media_episodes known
        set    state = 'present', file_hash = now_written.file_hash, words_hash = now_written.words_hash,
               extension = now_written.extension, subtitles = array(select json_array_elements_text(now_written.subtitles))
        from   tree,
               json_to_recordset(${JSON.stringify(written)}::text::json) as now_written (
                 video_id text, file_hash uuid, words_hash uuid, extension text, subtitles json)
        where  known.user_id = tree.user_id and known.video_id = now_written.video_id`
    },

    /** Those that need a name have no path from now on. */
    async recordAbsent(video_ids: string[]): Promise<void> {
      await sql`
        with unnamed as (
          delete from media_paths
          where  ${mine}
          and    video_id in (select video_id from media_episodes where ${mine} and video_id = any(${video_ids}) and needs_name)
        )
        update media_episodes
        set    state = 'absent', needs_name = false, file_hash = null, words_hash = null, picture_id = null, extension = null,
               subtitles = '{}'
        where  ${mine} and video_id = any(${video_ids})`
    },

    /** Stored pictures of videos in the tree that were not written yet. */
    newPictures: (limit: number): Promise<NewPicture[]> => sql<NewPicture[]>`
      select distinct on (written.video_id)
               written.video_id, ${foldersIn(sql)} as folders, name, picture.picture_id, ${showFolder(sql)} as show_folder
      from     media_episodes written
      join     media_channels show using (user_id, channel_id)
      join     video_entries entry on entry.user_id = written.user_id and entry.video_id = written.video_id
      join     pictures picture
      on       picture.kind = 'video' and picture.source_hash = ${sourceHash(sql, sql`entry.thumbnail_url`)}
      and      picture.stored_at is not null and picture.picture_id is distinct from written.picture_id
      where    written.user_id = ${user_id} and written.state = 'present'
      order by written.video_id, entry.channel_id <> written.channel_id, entry.id
      limit    ${limit}`,

    async recordPicture(video_id: string, picture_id: string): Promise<void> {
      await sql`
        update media_episodes
        set    picture_id = ${picture_id}
        where  ${mine} and video_id = ${video_id} and state = 'present'`
    },
  }
}

export function mediaShowsOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`

  return {
    /** Every channel of which a video is or was in the tree. */
    shows: (): Promise<MediaShow[]> => sql<MediaShow[]>`
      select   show.channel_id, folder, coalesce(group_name, '') as group_name, ${showFolder(sql)} as show_folder, channel.title, page_url, rss_url,
               (select count(*) from media_episodes
                where  user_id = show.user_id and channel_id = show.channel_id and state <> 'absent') as episodes,
               ${digest(sql, sql`channel.title, page_url, rss_url`)} as words_hash,
               ${channelPicture(sql)} as picture_id,
               show.words_hash as written_words_hash, show.picture_id as written_picture_id
      from     media_channels show
      left join channels channel using (user_id, channel_id)
      where    user_id = ${user_id}
      order by show.channel_id`,

    async recordShow(
      channel_id: string,
      { words_hash, picture_id, show_folder }: Pick<MediaShow, 'words_hash' | 'picture_id' | 'show_folder'>,
    ): Promise<void> {
      await sql`
        update media_channels
        set    words_hash = ${words_hash}, picture_id = ${picture_id}, show_folder = ${show_folder}
        where  ${mine} and channel_id = ${channel_id}`
    },

    /** The channel has no folder any more. */
    async forgetShow(channel_id: string): Promise<void> {
      await sql`
        update media_channels
        set    words_hash = null, picture_id = null, show_folder = null
        where  ${mine} and channel_id = ${channel_id}`
    },
  }
}

const channelPicture = (sql: Queryable) => sql`
  (select picture_id
   from   pictures
   where  kind = 'channel' and stored_at is not null and source_hash = ${sourceHash(sql, sql`channel.image_url`)})`

/** Files of a show that earlier versions wrote are in the folder of its channel. A folder is not forgotten with what was written there. */
const showFolder = (sql: Queryable) =>
  sql`coalesce(show.show_folder, case when show.words_hash is not null then show.folder end)`

/**
 * Differs when the file of a row named `entry` is another one. Null: it has no file. In other folders than the usual ones, it also differs
 * from what earlier versions compute: they would look in the usual folders, and take the file for deleted.
 */
export const fileHash = (sql: Queryable) => sql`
  case when entry.standing = 'done'
       then case when written.folders <> ${usualFolders(sql)} then md5(written.folders || ${sameFile(sql)})::uuid
                 else ${sameFile(sql)} end
  end`

const sameFile = (sql: Queryable) =>
  digest(sql, sql`entry.download_path, entry.download_completed_at, ${filmSize(sql)}, entry.subtitles`)

/** A digest of these columns. It is several times as fast as a digest of their text. */
const digest = (sql: Queryable, columns: Piece) => sql`md5(hash_record_extended(row(${columns}), 0)::text)::uuid`
