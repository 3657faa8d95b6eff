/** One user's history: the videos that were played or marked as watched, the last one first. */
import type { UserId } from '../../schema/values/user.ts'
import type { Page } from '../../schema/videos/video.ts'
import type { WatchedVideo } from '../../schema/watching/watch-history.ts'
import { exactTime, onlyValue, type Queryable, type Sql } from '../postgres/client.ts'
import { type Unplaced, withPlaces } from '../queue/places.ts'
import { type PageWanted, pageOf, paging, rowsFor } from '../rows/cursor.ts'
import { once, videoColumns } from '../rows/video-columns.ts'
import { matched } from '../words/words.ts'

type HistoryOf = PageWanted & { q?: string | undefined }

export function watchedOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`
  const watched_at = watchedAt(sql)
  const is_listed = sql`${watched_at} is not null and forgotten_at is null`

  return {
    /** Throws `invalid` on a cursor that did not come from here. */
    async list({ q, limit, cursor }: HistoryOf): Promise<Page<WatchedVideo>> {
      const keys = [{ by: sql`${watched_at}`, type: 'time' } as const, { by: sql`entry.id`, type: 'integer' } as const]
      const { place, after, order } = paging(sql, keys, 'desc', cursor)
      const read = await matched(
        sql,
        user_id,
        { q },
        async (on, match) =>
          on<(Unplaced<WatchedVideo> & { place: string })[]>`
            select   ${videoColumns(sql)}, ${watched_at} as watched_at, ${place} as place
            from     viewings viewing
            join     video_entries entry using (user_id, video_id)
            join     channels channel using (user_id, channel_id)
            where    ${mine} and ${is_listed}
            and      ${once(sql)}
            and      ${match}
            and      ${after}
            order by ${order}
            limit    ${rowsFor(sql, limit)}`,
      )
      const { rows, next_cursor } = pageOf(read, limit)
      return { entries: await withPlaces(sql, user_id, rows), next_cursor }
    },

    /**
     * Removes this video, or all, from the history and from Continue watching, with the position; the mark "watched" stays. Returns the
     * time, by which `restore` finds them; `undefined`: nothing was listed. The clock is that of the database, as of all marks.
     */
    async forget(video_id?: string): Promise<string | undefined> {
      const at = await onlyValue<string | null>(sql`
        with forgotten as (
          update viewings
          set    forgotten_at = now()
          where  ${mine} and ${is_listed} ${video_id === undefined ? sql`` : sql`and video_id = ${video_id}`}
          returning forgotten_at
        )
        select ${exactTime(sql, sql`max(forgotten_at)`)} as at
        from   forgotten`)
      return at ?? undefined
    },

    /** Puts back what was removed at this time. */
    async restore(at: string): Promise<void> {
      await sql`
        update viewings
        set    forgotten_at = null
        where  ${mine} and forgotten_at = ${at}::text::timestamptz`
    },
  }
}

/** As in the index of the history. */
const watchedAt = (sql: Queryable) => sql`greatest(watched_at, seen_at)`
