/**
 * One user's downloads, shelf by shelf, each in the order in which a person looks for them; how many are on each shelf; their states; and
 * the sites that keep them waiting.
 */
import type { OnEveryPage } from '../../schema/account/account.ts'
import { type Download, type Sort, Standing, type Tally } from '../../schema/downloads/download.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Page, Video } from '../../schema/videos/video.ts'
import type { SiteNotice } from '../../schema/videos/video-api.ts'
import { eachValue, firstRow, onlyRow, onlyValue, type Queryable, type Sql } from '../postgres/client.ts'
import { pausedUntil } from '../queue/host-pauses.ts'
import { isPaused, turnOf } from '../queue/paused.ts'
import { type Unplaced, withPlaces } from '../queue/places.ts'
import { downloadKey } from '../queue/queue.ts'
import { isFollowed } from '../rows/channel-columns.ts'
import { type PageWanted, pageOf, paging, rowsFor, type SortKey } from '../rows/cursor.ts'
import { downloadColumns, downloadHash, once, videoColumns, withViewing } from '../rows/video-columns.ts'

export type ShelfPage = PageWanted & { standing: Standing; sort: Sort }

export function shelvesOf(sql: Queryable, user_id: UserId) {
  const mine = sql`entry.user_id = ${user_id}`
  // Every page shows it, so only an index is read.
  const active = sql`
    (select count(distinct video_id)
     from   video_entries
     where  user_id = ${user_id} and standing in ('running', 'waiting'))`

  return {
    /** One page of a shelf. Throws `invalid` on a cursor that did not come from here. */
    async shelf({ standing, sort, limit, cursor }: ShelfPage): Promise<Page<Video>> {
      const { keys, direction } = orderOf(sql, standing, sort)
      const { place, after, order } = paging(sql, keys, direction, cursor)
      const rows = await sql<(Unplaced<Video> & { place: string })[]>`
        select    ${videoColumns(sql)}, ${place} as place
        from      video_entries entry
        join      channels channel using (user_id, channel_id)
        ${withViewing(sql)}
        left join graphile_worker.jobs job
        on        ${standing === 'waiting'} and job.key = ${downloadKey({ user_id, video_id: '' })} || entry.video_id
        where     ${mine} and entry.standing = ${standing} and ${once(sql)}
        and       ${after}
        order by  ${order}
        limit     ${rowsFor(sql, limit)}`
      const { rows: videos, next_cursor } = pageOf(rows, limit)
      return { entries: await withPlaces(sql, user_id, videos), next_cursor }
    },

    /** All videos on one shelf, those whose download ended last first; at most `limit`. */
    idsOnShelf: (standing: Standing, limit: number): Promise<string[]> =>
      eachValue<string>(sql`
        select   video_id
        from     video_entries entry
        where    ${mine} and entry.standing = ${standing}
        group by video_id
        order by max(download_completed_at) desc nulls last
        limit    ${limit}`),

    tally: (): Promise<Tally> =>
      onlyRow(sql<Tally[]>`
        select count(*) filter (where entry.standing = 'running') as running,
               count(*) filter (where entry.standing = 'waiting') as waiting,
               count(*) filter (where entry.standing = 'failed')  as failed,
               count(*) filter (where entry.standing = 'done')    as done,
               coalesce(sum(file_size), 0)::bigint                as on_disk_bytes
        from   video_entries entry
        where  ${mine} and entry.standing in ${sql(Standing.options)} and ${once(sql)}`),

    /** How many downloads run or wait. */
    active: (): Promise<number> => onlyValue<number>(sql`select ${active} as active`),

    /** What every page shows, in one query. */
    async onEveryPage(): Promise<OnEveryPage> {
      const [shown] = await sql<OnEveryPage[]>`
        select ${active} as active_downloads, keyboard_shortcuts,
               -- For \`exists\`, Postgres may read channels of all people. It finds the least id by the index.
               (select min(channel_id)
                from   channels
                where  user_id = ${user_id} and ${isFollowed(sql)}) is not null as follows_any
        from   users
        where  id = ${user_id}`
      if (!shown) throw new Error('the account of this user is gone')
      return shown
    },
  }
}

/** Waiting downloads in the order of the queue, planned attempts after the others; the other shelves newest or largest first. */
function orderOf(sql: Queryable, standing: Standing, sort: Sort): { keys: SortKey[]; direction: 'asc' | 'desc' } {
  const id: SortKey = { by: sql`entry.id`, type: 'integer' }
  // For the moment, a waiting download can be without a job (see `forgottenDownloads`): it is shown first.
  if (standing === 'waiting')
    return {
      keys: [
        // Paused downloads come last.
        {
          by: sql`case when ${isPaused(sql)} then 2 else coalesce(job.run_at > now(), false)::int end`,
          type: 'integer',
        },
        { by: sql`coalesce(job.priority, 0)`, type: 'integer' },
        {
          by: sql`coalesce(job.run_at, case when ${isPaused(sql)} then ${turnOf(sql, 'entry')} end, 'epoch')`,
          type: 'time',
        },
        { by: sql`coalesce(job.id, 0)`, type: 'integer' },
        id,
      ],
      direction: 'asc',
    }
  if (standing === 'done' && sort === 'size')
    return { keys: [{ by: sql`coalesce(entry.file_size, 0)`, type: 'integer' }, id], direction: 'desc' }
  const at = standing === 'running' ? sql`entry.download_started_at` : sql`entry.download_completed_at`
  return { keys: [{ by: sql`coalesce(${at}, 'epoch')`, type: 'time' }, id], direction: 'desc' }
}

/**
 * While the version is the same, the downloads are the same. `version` is null if no download exists, or if one of them waits, because its
 * place depends on the downloads of other people.
 */
type StatusChanges = { version: string; downloads: null } | { version: string | null; downloads: Download[] }

/** The states of one user's downloads, as pages and programs poll them. */
export function statusesOf(sql: Sql, user_id: UserId) {
  return {
    /** Pages and programs poll this most. It is a plainer statement than `statuses` of one. */
    async status(video_id: string): Promise<Download | undefined> {
      const rows = await sql<Unplaced<Download>[]>`
        select   ${downloadColumns(sql)}
        from     video_entries entry
        where    entry.user_id = ${user_id} and entry.video_id = ${video_id}
        order by entry.id
        limit    1`
      return firstRow(withPlaces(sql, user_id, rows))
    },

    /** The downloads that exist, in the order of `video_ids`. */
    async statuses(video_ids: string[]): Promise<Download[]> {
      const rows = await sql<Unplaced<Download>[]>`
        select   *
        from     (select distinct on (entry.video_id) ${downloadColumns(sql)}
                  from     video_entries entry
                  where    entry.user_id = ${user_id} and entry.video_id = any(${video_ids})
                  order by entry.video_id, entry.id) known
        order by array_position(${video_ids}::text[], video_id)`
      return withPlaces(sql, user_id, rows)
    },

    /**
     * Downloads with their version. One statement reads both: with two, a change between them could give new downloads an old version.
     * `downloads` is null if their version is in `known`; then Postgres returns one row without their columns, in half of the time.
     */
    async changed(video_ids: string[], known: string[]): Promise<StatusChanges> {
      const rows = await sql<({ version: string | null } & (Unplaced<Download> | { video_id: null }))[]>`
        select     version, download.*
        -- Named, so that the driver sends this list once.
        from       (select ${video_ids}::text[] as video_ids) wanted
        cross join lateral (
                     select case when not bool_or(entry.standing is not distinct from 'waiting')
                                 then sum(${downloadHash(sql)})::text end as version
                     from   video_entries entry
                     where  entry.user_id = ${user_id} and entry.video_id = any(wanted.video_ids)) state
        -- Postgres does not run this part when the version is known.
        left join  lateral (
                     select   distinct on (entry.video_id) ${downloadColumns(sql)}
                     from     video_entries entry
                     where    entry.user_id = ${user_id} and entry.video_id = any(wanted.video_ids)
                     and      (state.version = any(${known})) is not true
                     order by entry.video_id, entry.id) download on true
        order by   array_position(wanted.video_ids, video_id)`
      const version = rows[0]?.version ?? null
      if (version !== null && known.includes(version)) return { version, downloads: null }
      const found = rows.flatMap(({ version: _, ...row }) => (row.video_id === null ? [] : [row]))
      return { version, downloads: await withPlaces(sql, user_id, found) }
    },
  }
}

/** The sites that keep a user's downloads waiting, each once: paused by the site, by failures of a rule, or by the user. */
export const siteNoticesOf = (sql: Queryable, user_id: UserId) => ({
  /** The pause of all downloads first, then the sites with most that waits. */
  siteNotices: (): Promise<SiteNotice[]> => sql<SiteNotice[]>`
    select   *
    from     (
      select coalesce(site.host, pause.host) as host,
             coalesce(waiting, 0)::int as waiting,
             paused_at,
             ${pausedUntil(sql, sql`site.host`, user_id)} as rests_until,
             (select hold.next_probe_at
              from   rule_holds hold
              where  hold.user_id = ${user_id} and hold.host = site.host and hold.next_probe_at > now()) as held_until
      from   (select   video_host as host, count(distinct video_id) as waiting
              from     video_entries entry
              where    entry.user_id = ${user_id} and standing = 'waiting' and video_host is not null
              group by video_host) site
      full join (select host, paused_at from download_pauses where user_id = ${user_id}) pause on pause.host = site.host
    ) notice
    where    paused_at is not null or rests_until is not null or held_until is not null
    order by host <> '', waiting desc, host
    limit    20`,
})
