/** The sites that keep a user's downloads waiting, each once: paused by the site, by failures of a rule, or by the user. */
import type { UserId } from '../../schema/values/user.ts'
import type { SiteNotice } from '../../schema/videos/shelves.ts'
import type { Queryable } from '../postgres/client.ts'
import { pausedUntil } from '../queue/host-pauses.ts'

export interface SiteNotices {
  /** The pause of all downloads first, then the sites with most that waits. */
  siteNotices(): Promise<SiteNotice[]>
}

export const siteNoticesOf = (sql: Queryable, user_id: UserId): SiteNotices => ({
  siteNotices: () => sql<SiteNotice[]>`
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
