/** The links of one person. Stores no secret, only hashes. */
import { type Link, type LinkRequest, max_links } from '../../schema/links/link.ts'
import type { UserId } from '../../schema/values/user.ts'
import { firstRow, hasAny, type Sql } from '../postgres/client.ts'

export function linksOf(sql: Sql, user_id: UserId) {
  const mine = sql`user_id = ${user_id}`
  const to_video = sql`video_id is not null and expires_at > now()`

  return {
    /** The links to videos that are still valid, the newest first. */
    async list(): Promise<Link[]> {
      const links = await sql<Omit<Link, 'title'>[]>`
        select   link_id, kind, video_id, created_at, last_used_at, expires_at
        from     links
        where    ${mine} and ${to_video}
        order by created_at desc, link_id`
      const videos = await sql<{ video_id: string; title: string }[]>`
        select distinct on (video_id) video_id, title
        from   video_entries
        where  ${mine} and video_id = any(${links.map(({ video_id }) => video_id)})
        order by video_id, id`
      const titles = new Map(videos.map(({ video_id, title }) => [video_id, title]))
      return links.map(link => ({ ...link, title: titles.get(link.video_id) ?? null }))
    },

    /** Also deletes expired links. `undefined`: the person has the most links allowed. */
    add: ({ kind, video_id, hours, hash }: LinkRequest & { hash: string }) =>
      sql.begin(async tx => {
        // Without the lock, two concurrent requests would not count each other.
        await tx`select from users where id = ${user_id} for update`
        await tx`delete from links where ${mine} and expires_at < now()`
        return firstRow(tx<Pick<Link, 'link_id' | 'expires_at'>[]>`
          insert into links (user_id, hash, kind, video_id, expires_at)
          select ${user_id}, ${hash}, ${kind}, ${video_id}, now() + ${hours} * interval '1 hour'
          where  (select count(*) from links where ${mine} and ${to_video}) < ${max_links}
          returning link_id, expires_at`)
      }),

    /** `false`: there is no such link. */
    revoke: (link_id: string): Promise<boolean> =>
      hasAny(sql`
        delete from links
        where  ${mine} and link_id::text = ${link_id}`),
  }
}
