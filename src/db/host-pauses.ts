/** Hosts that asked to be left alone, and until when. They belong to nobody: what one download was told holds for all. */
import type { Rest } from '../schema/import.ts'
import type { Queryable, Sql } from './client.ts'

/** Feeds rest apart from downloads: a site that is asked too often for the ones may still give the others. */
export const feedsAt = (sql: Queryable, rss_url: string | ReturnType<Sql>) =>
  sql`'feeds:' || lower(substring(${rss_url} from '^https?://(?:[^/?#]*@)?([^/?#]+)'))`

/** The longest that anybody asked for holds. */
export const restHost = (tx: Queryable, host: string | ReturnType<typeof feedsAt>, until: Date, reason: string) => tx`
  insert into host_pauses as known (host, until, reason) values (${host}, ${until}, ${reason})
  on conflict (host) do update
  set    until = excluded.until, reason = excluded.reason
  where  known.until < excluded.until`

/** The same for all feeds at the host of this one. */
export const restFeeds = (tx: Queryable, rss_url: string, until: Date, reason: string) =>
  restHost(tx, feedsAt(tx, rss_url), until, reason)

/** Hosts whose feeds rest. */
export const restingFeeds = (sql: Sql) => sql<Rest[]>`
  select substring(host from '^feeds:(.*)') as host, until, reason
  from   host_pauses
  where  host like 'feeds:%' and until > now()`

/** What is over need not be remembered. */
export async function forgetOldPauses(sql: Sql): Promise<void> {
  await sql`delete from host_pauses where until < now()`
}
