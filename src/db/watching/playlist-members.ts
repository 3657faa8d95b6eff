/**
 * The videos of one user's playlists, in their order. A video in the bin, or one that was taken out in the last day, keeps its places, and
 * is not in the list until it returns.
 */
import { DomainError } from '../../errors.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Page, Video } from '../../schema/videos/video.ts'
import { max_playlist_videos, type Step } from '../../schema/watching/playlist.ts'
import { countOf, eachValue, exactTime, hasAny, onlyValue, type Queryable, type Sql } from '../postgres/client.ts'
import { type Unplaced, withPlaces } from '../queue/places.ts'
import { type PageWanted, pageOf, paging, rowsFor } from '../rows/cursor.ts'
import { once, videoColumns, withViewingOfEach } from '../rows/video-columns.ts'

/** Whether the row `member` is a video that is in the playlist and in the library. */
export const isListed = (sql: Queryable, user_id: UserId, also = sql``) => sql`
  member.removed_at is null
  and exists (
    select from video_entries entry
    where  entry.user_id = ${user_id} and entry.video_id = member.video_id ${also})`

/** `is_listed`: it is neither in the bin nor taken out. */
type Member = { video_id: string; is_listed: boolean; is_removed: boolean }

/**
 * All videos of a playlist, in their order, which no one else changes until the transaction ends. `here`: the videos to add that are in the
 * library. They stay there until then. `at`: the time of this change, as text with microseconds, which no other change of the playlist has.
 */
type Locked = { members: Member[]; here: Set<string>; at: string }

/** The videos of one playlist. Changes of one playlist wait for each other. */
export function membersOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`

  /** Calls `work` in a transaction. `adding`: the videos to add. `undefined`: there is no such playlist. */
  const changing = <T>(
    playlist_id: string,
    adding: string[],
    work: (tx: Queryable, playlist: Locked) => Promise<T>,
  ): Promise<T | undefined> =>
    sql.begin(async tx => {
      const playlist = await locked(tx, user_id, playlist_id, adding)
      return playlist && work(tx, playlist)
    }) as Promise<T | undefined>

  return {
    ...membersShown(sql, user_id),

    /** It has these videos from now on. `false`: a video is missing, and nothing changes. `undefined`: there is no such playlist. */
    setVideos: (playlist_id: string, video_ids: string[]): Promise<boolean | undefined> =>
      changing(playlist_id, video_ids, async (tx, { members, here, at }) => {
        if (here.size < video_ids.length) return false
        const hidden = members.filter(({ video_id, is_listed }) => !is_listed && !here.has(video_id))
        const kept = [...video_ids, ...hidden.map(({ video_id }) => video_id)]
        await tx`
          delete from playlist_videos
          where  ${mine} and playlist_id = ${playlist_id} and video_id <> all(${kept})`
        requireRoom(kept.length - removedOf(hidden))
        await store(tx, user_id, playlist_id, kept, at)
        return true
      }),

    /**
     * Adds those that are in the library, at the end. `found`: how many these are; `added`: how many were not in it; `added_at`: by which
     * `takeBack` finds them. `undefined`: there is no such playlist.
     */
    addVideos: (
      playlist_id: string,
      video_ids: string[],
    ): Promise<{ found: number; added: number; added_at: string } | undefined> =>
      changing(playlist_id, video_ids, async (tx, { members, here, at }) => {
        const known = members.map(({ video_id }) => video_id)
        const all = [...new Set([...known, ...video_ids.filter(video_id => here.has(video_id))])]
        requireRoom(all.length - removedOf(members))
        await store(tx, user_id, playlist_id, all, at)
        return { found: here.size, added: all.length - known.length, added_at: at }
      }),

    /** Takes out the videos that were added at this time. Returns how many; `undefined`: there is no such playlist. */
    takeBack: (playlist_id: string, added_at: string): Promise<number | undefined> =>
      changing(playlist_id, [], tx =>
        countOf(tx`
          delete from playlist_videos
          where  ${mine} and playlist_id = ${playlist_id} and added_at = ${added_at}::text::timestamptz`),
      ),

    /**
     * Moves the video to this place, 1 the first, or adds it there; or moves it by a step. `false`: the video is not in the library, or has
     * no place to step from. `undefined`: there is no such playlist.
     */
    put(playlist_id: string, video_id: string, to: number | Step): Promise<boolean | undefined> {
      const adding = typeof to === 'string' ? [] : [video_id]
      return changing(playlist_id, adding, async (tx, { members, here, at }) => {
        const shown = members.filter(({ is_listed }) => is_listed)
        const nth = shown.findIndex(other => other.video_id === video_id)
        if (nth < 0 && !here.has(video_id)) return false
        const all = withAt(members, video_id, placeAfter(to, nth + 1, shown.length))
        requireRoom(all.length - removedOf(members))
        await store(tx, user_id, playlist_id, all, at)
        return true
      })
    },

    /**
     * Takes these videos out. `removed`: how many were in it; `removed_at`: by which `putBack` finds them, for a day. `undefined`: there is
     * no such playlist.
     */
    takeOut: (playlist_id: string, video_ids: string[]): Promise<{ removed: number; removed_at: string } | undefined> =>
      changing(playlist_id, [], async (tx, { at }) => {
        const removed = await countOf(tx`
          update playlist_videos
          set    removed_at = ${at}::text::timestamptz
          where  ${mine} and playlist_id = ${playlist_id} and video_id = any(${video_ids}) and removed_at is null`)
        return { removed, removed_at: at }
      }),

    /** Puts what was taken out at this time back to its places. Returns how many; `undefined`: there is no such playlist. */
    putBack: (playlist_id: string, removed_at: string): Promise<number | undefined> =>
      changing(playlist_id, [], async (tx, { members }) => {
        const put_back = await countOf(tx`
          update playlist_videos
          set    removed_at = null
          where  ${mine} and playlist_id = ${playlist_id} and removed_at = ${removed_at}::text::timestamptz`)
        requireRoom(members.length - removedOf(members) + put_back)
        return put_back
      }),
  }
}

/** What is in one playlist. */
function membersShown(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`
  return {
    /** A page of its videos; `first`: the place of the first of them. Throws `invalid` on a cursor that did not come from here. */
    async videos(playlist_id: string, { limit, cursor }: PageWanted): Promise<Page<Video> & { first: number }> {
      const { place, after, order } = paging(sql, [{ by: sql`listed.place`, type: 'integer' }], 'asc', cursor)
      const read = await sql<(Unplaced<Video> & { nth: number; place: string })[]>`
        with listed as materialized (
          select video_id, place, row_number() over (order by place, video_id) as nth
          from   playlist_videos member
          where  ${mine} and playlist_id::text = ${playlist_id} and ${isListed(sql, user_id)}
        )
        select   ${videoColumns(sql)}, nth, ${place} as place
        from     listed
        join     video_entries entry using (video_id)
        join     channels channel using (user_id, channel_id)
        ${withViewingOfEach(sql)}
        where    entry.user_id = ${user_id} and ${once(sql)}
        and      ${after}
        order by ${order}
        limit    ${rowsFor(sql, limit)}`
      const { rows, next_cursor } = pageOf(read, limit)
      const first = rows[0]?.nth ?? 1
      const videos = rows.map(({ nth, ...video }) => video)
      return { entries: await withPlaces(sql, user_id, videos), next_cursor, first }
    },

    /** All of its videos, or those on disk, in their order. */
    videoIds: (playlist_id: string, { on_disk = false }: { on_disk?: boolean } = {}): Promise<string[]> =>
      eachValue<string>(sql`
        select   video_id
        from     playlist_videos member
        where    ${mine} and playlist_id::text = ${playlist_id}
        and      ${isListed(sql, user_id, on_disk ? sql`and entry.standing is not distinct from 'done'` : sql``)}
        order by place, video_id`),
  }
}

/**
 * Adds those that are in the library, at the end, as many as fit. Returns how many were not in the playlist, and how many are left out.
 */
export async function appendToPlaylist(
  tx: Queryable,
  user_id: UserId,
  playlist_id: string,
  video_ids: string[],
): Promise<{ added: number; left_out: number }> {
  const nothing: Locked = { members: [], here: new Set(), at: '' }
  const { members, here, at } = (await locked(tx, user_id, playlist_id, video_ids)) ?? nothing
  const known = new Set(members.map(({ video_id }) => video_id))
  const others = [...new Set(video_ids)].filter(video_id => !known.has(video_id))
  const room = Math.max(0, max_playlist_videos - known.size + removedOf(members))
  const added = others.filter(video_id => here.has(video_id)).slice(0, room)
  if (added.length > 0) await store(tx, user_id, playlist_id, [...known, ...added], at)
  return { added: added.length, left_out: others.length - added.length }
}

/** Forgets what was taken out a day ago, and that videos of `adding` were taken out. `undefined`: there is no such playlist. */
async function locked(tx: Queryable, user_id: UserId, playlist_id: string, adding: string[]) {
  const exists = await hasAny(tx`
    select from playlists
    where  user_id = ${user_id} and deleted_at is null and playlist_id::text = ${playlist_id}
    for no key update`)
  if (!exists) return undefined
  const mine = tx`user_id = ${user_id}`
  // Before the rows of the playlist, as a deletion of videos does.
  const here = await ofLibrary(tx, user_id, adding)
  await tx`
    delete from playlist_videos
    where  ${mine} and playlist_id = ${playlist_id} and removed_at is not null
    and    (removed_at < now() - interval '1 day' or video_id = any(${adding}))`
  const members = await tx<Member[]>`
    select   video_id, ${isListed(tx, user_id)} as is_listed, removed_at is not null as is_removed
    from     playlist_videos member
    where    ${mine} and playlist_id = ${playlist_id}
    order by place, video_id`
  const at = await onlyValue<string>(tx`
    select ${exactTime(tx, tx`greatest(clock_timestamp(), max(greatest(added_at, removed_at)) + interval '1 microsecond')`)} as at
    from   playlist_videos
    where  ${mine} and playlist_id = ${playlist_id}`)
  return { members: [...members], here, at } satisfies Locked
}

const removedOf = (members: Member[]): number => members.filter(({ is_removed }) => is_removed).length

/** Throws `invalid` if a playlist cannot have so many videos. */
function requireRoom(videos: number): void {
  if (videos > max_playlist_videos)
    throw new DomainError('invalid', `A playlist has at most ${max_playlist_videos} videos. Remove some first.`)
}

/** The videos in the library, which stay there until the transaction ends. */
async function ofLibrary(tx: Queryable, user_id: UserId, video_ids: string[]): Promise<Set<string>> {
  const found = await eachValue<string>(tx`
    select   video_id
    from     video_entries
    where    user_id = ${user_id} and video_id = any(${video_ids})
    order by video_id, id
    for key share`)
  return new Set(found)
}

/** New videos get the time `at`. */
const store = (tx: Queryable, user_id: UserId, playlist_id: string, video_ids: string[], at: string) => tx`
  insert into playlist_videos as known (user_id, playlist_id, video_id, place, added_at)
  select ${user_id}, ${playlist_id}, video_id, place, ${at}::text::timestamptz
  from   unnest(${video_ids}::text[]) with ordinality as given (video_id, place)
  on conflict on constraint playlist_videos_pkey do update
  set    place = excluded.place
  where  known.place <> excluded.place`

/** The place after this step. */
function placeAfter(to: number | Step, place: number, length: number): number {
  switch (to) {
    case 'top':
      return 1
    case 'up':
      return Math.max(1, place - 1)
    case 'down':
      return place + 1
    case 'bottom':
      return length
    default:
      return to
  }
}

/** The ids with the video at this place among those in the library. */
function withAt(members: Member[], video_id: string, place: number): string[] {
  const others = members.filter(other => other.video_id !== video_id)
  const next = others.filter(({ is_listed }) => is_listed)[place - 1]
  const at = next ? others.indexOf(next) : others.length
  const ids = others.map(other => other.video_id)
  return [...ids.slice(0, at), video_id, ...ids.slice(at)]
}
