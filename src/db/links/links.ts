/** The addresses that carry their right, of one person. Stores no secret, only hashes. */
import { type Link, type LinkRequest, max_links } from '../../schema/links/link.ts'
import type { UserId } from '../../schema/values/user.ts'
import type { Sql } from '../postgres/client.ts'

export type Links = ReturnType<typeof linksOf>

export function linksOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`
  const to_video = sql`video_id is not null and expires_at > now()`

  return {
    /** The links to videos that are still valid, the newest first. */
    list: (): Promise<Link[]> => sql<Link[]>`
      select   link_id, kind, video_id, created_at, last_used_at, expires_at,
               (select title
                from   video_entries entry
                where  entry.user_id = links.user_id and entry.video_id = links.video_id
                limit  1) as title
      from     links
      where    ${mine} and ${to_video}
      order by created_at desc, link_id`,

    /** Forgets links that have expired. `undefined`: this person has the most links allowed. */
    add: ({ kind, video_id, hours, hash }: LinkRequest & { hash: string }) =>
      sql.begin(async tx => {
        // Without the lock, two at the same moment would not count each other.
        await tx`select from users where id = ${user_id} for update`
        await tx`delete from links where ${mine} and expires_at < now()`
        const [link] = await tx<Pick<Link, 'link_id' | 'expires_at'>[]>`
          insert into links (user_id, hash, kind, video_id, expires_at)
          select ${user_id}, ${hash}, ${kind}, ${video_id}, now() + ${hours} * interval '1 hour'
          where  (select count(*) from links where ${mine} and ${to_video}) < ${max_links}
          returning link_id, expires_at`
        return link
      }),

    /** `false`: there is no such link. */
    async revoke(link_id: string): Promise<boolean> {
      const { count } = await sql`
        delete from links
        where  ${mine} and link_id::text = ${link_id}`
      return count > 0
    },
  }
}
