/** The cookies that a person stores for sites, encrypted. Their content and the key are left to `domain/downloads/site-cookies.ts`. */
import { max_cookie_hosts, type SiteCookies } from '../../schema/downloads/site-cookies.ts'
import type { UserId } from '../../schema/values/user.ts'
import { firstRow, hasAny, oneByOne, type Sql } from '../postgres/client.ts'

type StoredCookies = Omit<SiteCookies, 'expires_at'>
export type SealedCookies = StoredCookies & { sealed: Uint8Array }

export function siteCookiesOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`
  const columns = sql`host, sealed, stored_at, worked_at, refused_at`

  return {
    /** By the names of the hosts. */
    list: (): Promise<SealedCookies[]> => sql<SealedCookies[]>`
      select ${columns} from site_cookies where ${mine} order by host`,

    /** Those of the first of `hosts` that has some. A locked person's are not used. */
    find: (hosts: string[]): Promise<SealedCookies | undefined> =>
      firstRow(sql<SealedCookies[]>`
        select   ${columns}
        from     site_cookies
        where    ${mine} and host = any(${hosts})
        and      not exists (select from users where id = ${user_id} and locked_at is not null)
        order by array_position(${hosts}::text[], host)
        limit    1`),

    /** Replaces those of the same host. `undefined`: there are too many hosts already. */
    store: (host: string, sealed: Uint8Array): Promise<StoredCookies | undefined> =>
      oneByOne(sql, user_id, tx =>
        firstRow(tx<StoredCookies[]>`
          insert into site_cookies as known (user_id, host, sealed)
          select ${user_id}, ${host}, ${sealed}
          where  (select count(*) from site_cookies where ${mine} and host <> ${host}) < ${max_cookie_hosts}
          on conflict on constraint site_cookies_pkey do update
          set    sealed = excluded.sealed, stored_at = now(), worked_at = null, refused_at = null
          returning host, stored_at, worked_at, refused_at`),
      ),

    forget: (host: string): Promise<boolean> =>
      hasAny(sql`delete from site_cookies where ${mine} and host = ${host} returning host`),

    /** Records how a download ended that had the cookies of this time. Newer cookies have not been tried. */
    async recordUse({ host, stored_at }: Pick<SiteCookies, 'host' | 'stored_at'>, has_worked: boolean): Promise<void> {
      await sql`
        update site_cookies
        set    ${has_worked ? sql`worked_at = now(), refused_at = null` : sql`refused_at = now()`}
        where  ${mine} and host = ${host} and date_trunc('milliseconds', stored_at) = ${stored_at}`
    },
  }
}
