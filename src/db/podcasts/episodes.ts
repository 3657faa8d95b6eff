/**
 * What a podcast of one person lists: the newest videos on disk of its subject, at most `newest`. An address of the podcast opens these
 * videos and nothing else, so one condition decides what is listed and what is opened.
 */
import type { EpisodeFile, Podcast, StoredEpisode } from '../../schema/podcasts/podcast.ts'
import type { UserId } from '../../schema/values/user.ts'
import { eachValue, firstRow, firstValue, type Piece, type Queryable, type Sql } from '../postgres/client.ts'
import { pictureId } from '../postgres/stored-pictures.ts'
import { filmSize, soundSize } from '../rows/sound-rows.ts'
import { withViewing, withViewingOfEach } from '../rows/video-columns.ts'
import { anyOfGroup } from '../videos/video-filter.ts'

type Listing = Pick<Podcast, 'of' | 'kind' | 'newest'>

export function episodesOf(sql: Sql, user_id: UserId) {
  return {
    /** In the order of the podcast. */
    episodes: (podcast: Listing): Promise<StoredEpisode[]> => sql<StoredEpisode[]>`
      ${listed(sql, user_id, podcast)}
      select   entry.video_id, entry.title, channel.title as channel_title,
               ${described(sql)},
               entry.video_url, coalesce(entry.published_at, entry.first_seen_at) as published_at,
               entry.download_completed_at as completed_at,
               entry.availability is not distinct from 'age_restricted' as is_explicit,
               ${extension(sql, podcast)} as extension, ${podcast.kind === 'audio' ? soundSize(sql) : filmSize(sql)} as file_size,
               entry.subtitles,
               jsonb_array_length(coalesce(entry.chapters, '[]')) > 0 as has_chapters,
               ${pictureId(sql, 'video', sql`entry.thumbnail_url`)} as picture_id,
               entry.site_facts->>'language' as language
      from     listed
      join     video_entries entry using (id)
      join     channels channel using (user_id, channel_id)
      ${withViewingOfEach(sql)}
      where    entry.user_id = ${user_id}
      order by listed.place`,

    /** `undefined`: the podcast does not list this video. */
    episodeFile: (podcast: Listing, video_id: string): Promise<EpisodeFile | undefined> =>
      firstRow(sql<EpisodeFile[]>`
        ${listed(sql, user_id, podcast)}
        select entry.video_id, ${extension(sql, podcast)} as extension, entry.download_completed_at as completed_at,
               entry.subtitles, entry.chapters, entry.site_facts->>'language' as language, ${described(sql)},
               ${pictureId(sql, 'video', sql`entry.thumbnail_url`)} as picture_id
        from   listed
        join   video_entries entry using (id)
        ${withViewing(sql)}
        where  entry.user_id = ${user_id} and entry.video_id = ${video_id}`),

    /** The videos that the podcast would list if all of them had a sound. */
    videoIds: ({ of, newest }: Listing): Promise<string[]> =>
      eachValue<string>(sql`
        ${listed(sql, user_id, { of, newest, kind: 'video' })}
        select entry.video_id
        from   listed
        join   video_entries entry using (id)
        where  entry.user_id = ${user_id}`),

    /** The id of the picture of the first episode that has one. */
    episodePicture: (podcast: Listing): Promise<string | undefined> =>
      firstValue<string>(sql`
        ${listed(sql, user_id, podcast)}
        select   pictured.picture_id
        from     listed
        join     video_entries entry using (id)
        cross join lateral (select ${pictureId(sql, 'video', sql`entry.thumbnail_url`)} as picture_id) pictured
        where    entry.user_id = ${user_id} and pictured.picture_id is not null
        order by listed.place
        limit    1`),
  }
}

/** What chapters are read from. A feed has fewer characters of a description. */
const described = (sql: Queryable) => sql`
  left(entry.description, 5000) as description,
  coalesce(viewing.duration_seconds, entry.duration_seconds) as duration_seconds`

/** The extension of the file that the podcast names. The sound that is cut out of a film is an M4A. */
const extension = (sql: Queryable, { kind }: Listing) => sql`
  case when entry.download_path like '%.mp3' then 'mp3'
       when entry.download_path like '%.m4a' then 'm4a'
       else ${kind === 'audio' ? sql`'m4a'` : sql`'mp4'`} end`

/** The rows that a podcast lists, with their places. A podcast of sound lists the videos whose sound is there. */
function listed(sql: Queryable, user_id: UserId, { of, kind, newest }: Listing): Piece {
  const { of_rows, of_videos, order } = subjectOf(sql, user_id, of)
  return sql`
    with done as (
      -- Every row of a video on disk says that it is there, so no other row has to be read.
      select   distinct on (video_id)
               id, user_id, video_id, sort_at, source, download_path, download_completed_at, file_size
      from     video_entries entry
      where    user_id = ${user_id} and standing = 'done' ${of_rows}
      order by video_id, id
    ),
    listed as materialized (
      select   entry.id, row_number() over (order by ${order}) as place
      from     done entry
      ${withViewing(sql)}
      ${of_videos}
      ${kind === 'audio' ? sql`and ${soundSize(sql)} is not null` : sql``}
      order by place
      limit    ${newest}
    )`
}

/**
 * Channels, groups and other lists are ordered by the date of the video; playlists and Watch later by when a video was added. Videos that
 * the person hid as not for them are left out, as on the pages.
 */
function subjectOf(sql: Queryable, user_id: UserId, of: Podcast['of']) {
  if ('playlist_id' in of)
    return {
      of_rows: sql`and video_id in (
        select video_id from playlist_videos where user_id = ${user_id} and playlist_id = ${of.playlist_id})`,
      of_videos: sql`
        join  playlist_videos member
        on    member.user_id = entry.user_id and member.video_id = entry.video_id and member.playlist_id = ${of.playlist_id}
        where member.user_id = ${user_id} and member.removed_at is null`,
      order: sql`member.added_at desc, member.place`,
    }
  const shown = sql`where viewing.not_for_me_at is null`
  const by_date = { of_rows: sql``, of_videos: shown, order: sql`entry.sort_at desc, entry.id desc` }
  if ('channel_id' in of) return { ...by_date, of_rows: sql`and channel_id = ${of.channel_id}` }
  if ('group_id' in of) return { ...by_date, of_rows: sql`and channel_id = ${anyOfGroup(sql, user_id, of.group_id)}` }
  if (of.list === 'later')
    return {
      of_rows: sql``,
      of_videos: sql`${shown} and viewing.later_at is not null`,
      order: sql`viewing.later_at desc, entry.id desc`,
    }
  return of.list === 'new' ? { ...by_date, of_videos: sql`${shown} and entry.source <> 'listing'` } : by_date
}
