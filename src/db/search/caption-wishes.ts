/** Of which videos captions are fetched, and how many of one person's have been asked for. When each is asked for is in `everyone/captions.ts`. */
import type { CaptionProgress } from '../../schema/sources/subtitles.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Piece, Queryable } from '../postgres/client.ts'
import { isShort } from '../videos/video-kinds.ts'

/** Of one person, the newest. Reading so many takes up to half a second; twelve an hour reach them in five weeks. */
const most_videos = 10_000

/** The newest videos of one person, which are read one by one: the limit also keeps the planner from sorting all of them. */
export const newestOf = (sql: Queryable, user_id: Piece) => sql`(
  select   *
  from     video_entries
  where    user_id = ${user_id}
  order by sort_at desc, id desc
  limit    ${most_videos})`

/**
 * Whether captions of a video are wanted if none are known, as a condition on its row: `entry`. A download that runs or waits may bring some.
 * Counts, because Postgres would make `not exists` a join of all rows.
 */
export const hasNoSubtitles = (sql: Queryable) => sql`
  (entry.standing is null or entry.standing = 'failed' or (entry.standing = 'done' and entry.subtitles = '{}'))
  and coalesce(entry.availability, 'public') in ('public', 'unlisted')
  and coalesce(entry.live_status, 'none') in ('none', 'was_live')
  and (
    select count(*)
    from   viewings viewing
    where  viewing.user_id = entry.user_id and viewing.video_id = entry.video_id and viewing.not_for_me_at is not null) = 0
  and not ${isShort(sql, sql`entry`)}`

/** Videos whose captions are known from elsewhere count as asked for. */
export async function captionProgress(sql: Queryable, user_id: UserId): Promise<CaptionProgress> {
  const [counted] = await sql<CaptionProgress[]>`
    select count(*) as videos, count(known.video_id) as asked
    from   (
      select distinct entry.video_id
      from   ${newestOf(sql, sql`${user_id}`)} entry
      where  entry.video_host is not null and ${hasNoSubtitles(sql)}
    ) wanted
    left join transcripts known
    on     known.user_id = ${user_id} and known.video_id = wanted.video_id
    and    (known.lines is null or octet_length(known.lines) > 0 or known.asks > 0)`
  return counted ?? { videos: 0, asked: 0 }
}
