/** Finds what the secret of a link opens. Nothing is cached, so a revoked link opens nothing from then on, in every process. */
import type { LinkKind } from '../../schema/links/link.ts'
import { UserId } from '../../schema/values/user.ts'
import { eachValue, type Sql } from '../postgres/client.ts'

/** Exactly one of `video_id` and `feed_id` is not null: `feed_id` where the kind is `feed`. */
export type OpenedLink = {
  link_id: string
  kind: LinkKind
  /** The person whose video or podcast it opens. */
  user_id: UserId
  video_id: string | null
  feed_id: string | null
}

export type LinkOwners = ReturnType<typeof linkOwnersIn>

export const linkOwnersIn = (sql: Sql) => ({
  /** Also notes the use. `undefined`: there is no such link of these kinds, it has expired, or its owner is locked. */
  async find(hash: string, kinds: LinkKind[]): Promise<OpenedLink | undefined> {
    const [link] = await sql<OpenedLink[]>`
      with found as (
        select link_id, kind, user_id, video_id, feed_id, last_used_at
        from   links
        join   users on users.id = user_id
        where  hash = ${hash} and kind = any(${kinds})
        and    (expires_at is null or expires_at > now())
        and    locked_at is null
      ),
      noted as (
        update links
        set    last_used_at = now()
        from   found
        where  links.link_id = found.link_id
        and    (found.last_used_at is null or found.last_used_at < now() - interval '1 minute')
      )
      select link_id, kind, user_id, video_id, feed_id
      from   found`
    return link && { ...link, user_id: UserId.parse(link.user_id) }
  },

  /** Returns those of these links that are still valid. */
  async stillValid(link_ids: string[]): Promise<Set<string>> {
    const valid = await eachValue<string>(sql`
      select link_id
      from   links
      join   users on users.id = user_id
      where  link_id = any(${link_ids}::uuid[])
      and    (expires_at is null or expires_at > now())
      and    locked_at is null`)
    return new Set(valid)
  },
})
