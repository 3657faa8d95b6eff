/**
 * Records the sound that is cut out of films for podcasts: which film has one, its bytes, and why a film has none. The domain cuts it
 * (`cut-sound.ts`). A row is about one file of its video, and says nothing about a later one.
 */
import type { UserId } from '../../schema/values/user.ts'
import { eachValue, firstRow, firstValue, hasAny, type Queryable, type Sql } from '../postgres/client.ts'
import { addSounds } from '../queue/jobs.ts'
import { filmSize, isOfFilm, isStale, isWanted, soundSize } from '../rows/sound-rows.ts'
import { bytesUsedIn, quotaIn } from './space.ts'

/** A film on disk. `version`: the time of its completion, as text because a Date has no microseconds. */
export type Film = { video_id: string; download_path: string; version: string; film_size: number }

/** `size`: the bytes of the sound; null: the video has none. `fault`: why not, in words. */
export type SoundOfVideo = { download_path: string; film_size: number; size: number | null; fault: string | null }

type Kept = 'kept' | 'over_quota' | 'gone'

export function soundsOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`

  /** The rows of the video while they have this file, locked in the order of moves.ts. */
  const lockFilm = (tx: Queryable, { video_id, download_path, version }: Film) =>
    eachValue<number>(tx`
      select   id
      from     video_entries
      where    ${mine} and video_id = ${video_id} and standing = 'done'
      and      download_path = ${download_path} and download_completed_at = ${version}::text::timestamptz
      order by video_id, id
      for update`)

  const changeSize = (tx: Queryable, ids: number[], bytes: number) => tx`
    update video_entries
    set    file_size = file_size + ${bytes}::bigint
    where  ${mine} and id = any(${ids})`

  /** The bytes that were counted for a sound of this film. */
  const forgetIn = async (tx: Queryable, { video_id, download_path, version }: Film): Promise<number> => {
    const bytes = await firstValue<number | null>(tx`
      delete from sounds
      where  ${mine} and video_id = ${video_id}
      returning case when (download_path, completed_at) = (${download_path}, ${version}::text::timestamptz) then size end as bytes`)
    return bytes ?? 0
  }

  return {
    /** The sounds of these videos, by video. Only of videos on disk. */
    async of(video_ids: string[]): Promise<Map<string, SoundOfVideo>> {
      const rows = await sql<(SoundOfVideo & { video_id: string })[]>`
        select   distinct on (entry.video_id)
                 entry.video_id, entry.download_path, ${filmSize(sql)} as film_size, ${soundSize(sql)} as size, sound.fault
        from     video_entries entry
        left join sounds sound on sound.user_id = entry.user_id and ${isOfFilm(sql)}
        where    entry.user_id = ${user_id} and entry.video_id = any(${video_ids}) and entry.standing = 'done'
        order by entry.video_id, entry.id`
      return new Map(rows.map(({ video_id, ...sound }) => [video_id, sound]))
    },

    /** Queues the cutting of the sounds that these videos miss. A film whose sound cannot be cut is not tried again. */
    want: (video_ids: string[]): Promise<void> => wantSounds(sql, user_id, video_ids),

    /** The film of this video, if its sound must be cut. */
    wanted: (video_id: string): Promise<Film | undefined> =>
      firstRow(sql<Film[]>`
        select   entry.video_id, entry.download_path, entry.download_completed_at::text as version, entry.file_size as film_size
        from     video_entries entry
        where    entry.user_id = ${user_id} and entry.video_id = ${video_id} and ${isWanted(sql)}
        order by entry.id
        limit    1`),

    /**
     * Records the sound of this film, if the person still has the film and room for the sound. `put` moves the sound to its place as the
     * last step, while the rows of the film are locked. `quota_bytes`: what the service gives everyone.
     */
    keep: (film: Film, size: number, quota_bytes: number, put: () => Promise<unknown>): Promise<Kept> =>
      sql.begin(async (tx): Promise<Kept> => {
        const ids = await lockFilm(tx, film)
        if (ids.length === 0) return 'gone'
        const quota = await quotaIn(tx, user_id, quota_bytes)
        if (quota > 0 && (await bytesUsedIn(tx, user_id, film.video_id)) + film.film_size + size > quota)
          return 'over_quota'
        const counted = await forgetIn(tx, film)
        await tx`
          insert into sounds (user_id, video_id, download_path, completed_at, size)
          values (${user_id}, ${film.video_id}, ${film.download_path}, ${film.version}::text::timestamptz, ${size})`
        await changeSize(tx, ids, size - counted)
        await put()
        return 'kept'
      }),

    /** Records why the film has no sound. `retry_s`: seconds until it may be tried again; null: never. */
    refuse: (film: Film, fault: string, retry_s: number | null): Promise<void> =>
      sql.begin(async tx => {
        const ids = await lockFilm(tx, film)
        if (ids.length === 0) return
        await changeSize(tx, ids, -(await forgetIn(tx, film)))
        await tx`
          insert into sounds (user_id, video_id, download_path, completed_at, fault, retry_at)
          values (${user_id}, ${film.video_id}, ${film.download_path}, ${film.version}::text::timestamptz, ${fault},
                  now() + ${retry_s}::int * interval '1 second')`
      }),

    /** Forgets a sound whose file is missing, and queues its cutting again. */
    lose: (video_id: string): Promise<void> =>
      sql.begin(async tx => {
        const [film] = await tx<Film[]>`
          select   video_id, download_path, completed_at::text as version, 0 as film_size
          from     sounds
          where    ${mine} and video_id = ${video_id} and size is not null`
        if (!film) return
        const ids = await lockFilm(tx, film)
        await changeSize(tx, ids, -(await forgetIn(tx, film)))
        await wantSounds(tx, user_id, [video_id])
      }),

    /** Forgets sounds whose film is gone. `remove` deletes the file while the video is locked, so that no later film gets a sound there. */
    forgetStale: (video_id: string, remove: (download_path: string) => Promise<unknown>): Promise<void> =>
      sql.begin(async tx => {
        await tx`select from video_entries where ${mine} and video_id = ${video_id} order by video_id, id for update`
        const stale = await eachValue<string>(tx`
          delete from sounds sound
          where  sound.user_id = ${user_id} and sound.video_id = ${video_id} and ${isStale(tx)}
          returning download_path`)
        for (const download_path of stale) await remove(download_path)
      }),
  }
}

/** In the transaction of the caller. */
async function wantSounds(sql: Queryable, user_id: UserId, video_ids: string[]): Promise<void> {
  const wanted = await eachValue<string>(sql`
    select distinct entry.video_id
    from   video_entries entry
    where  entry.user_id = ${user_id} and entry.video_id = any(${video_ids}) and ${isWanted(sql)}`)
  if (wanted.length > 0) await addSounds(sql, user_id, wanted)
}

/** For a film that was just stored: queues the cutting, if a podcast of sound has the video. */
export async function wantSoundOfPodcast(tx: Queryable, user_id: UserId, video_id: string): Promise<void> {
  const is_listed = await hasAny(tx`
    select from video_entries entry
    join   podcast_feeds feed on feed.user_id = entry.user_id and feed.kind = 'audio'
    where  entry.user_id = ${user_id} and entry.video_id = ${video_id}
    and    (feed.list in ('all', 'new')
            or feed.channel_id = (
                 select channel.id from channels channel
                 where  channel.user_id = entry.user_id and channel.channel_id = entry.channel_id)
            or exists (
                 select from channel_groups member
                 where  member.user_id = entry.user_id and member.group_id = feed.group_id
                 and    member.channel_id = entry.channel_id)
            or exists (
                 select from playlist_videos member
                 where  member.user_id = entry.user_id and member.playlist_id = feed.playlist_id
                 and    member.video_id = entry.video_id and member.removed_at is null)
            or feed.list = 'later' and exists (
                 select from viewings viewing
                 where  viewing.user_id = entry.user_id and viewing.video_id = entry.video_id and viewing.later_at is not null))
    limit  1`)
  if (is_listed) await wantSounds(tx, user_id, [video_id])
}
