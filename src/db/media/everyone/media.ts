/** The trees of all people in MEDIA_DIR: which are due, and whose account is deleted. */
import type { ExchangeJob } from '../../../schema/service/jobs.ts'
import type { UserId } from '../../../schema/values/user.ts'
import type { Everyone } from '../../everyone.ts'
import { eachValue, hasAny } from '../../postgres/client.ts'
import { addExchange, addMediaUpdate, hasNoJob } from '../../queue/jobs.ts'
import { check_minutes } from '../media.ts'

/** Trees that one minute queues. More of them wait for the next minute. */
const max_trees_at_once = 500

/**
 * Records that this worker has MEDIA_DIR, which makes the database add a job for every change of a file. If no worker had it for a while,
 * changes were missed, so the trees of all people with files are due.
 */
export async function recordMediaService(sql: Everyone): Promise<void> {
  await sql.begin(async tx => {
    const [before] = await tx`select from media_service where seen_at > now() - interval '8 minutes'`
    await tx`
      insert into media_service (seen_at)
      values (now())
      on conflict (is_only) do update set seen_at = now()`
    if (before) return
    await tx`
      insert into media_trees (user_id)
      select distinct user_id
      from   video_entries
      where  standing = 'done'
      order by user_id
      on conflict (user_id) do update set checked_at = null`
  })
}

/** Adds a job for each tree that was not checked for some minutes. Returns how many. */
export async function queueMediaChecks(sql: Everyone): Promise<number> {
  const due = await sql<{ user_id: UserId }[]>`
    select   user_id
    from     media_trees
    where    checked_at is null or checked_at < now() - ${check_minutes} * interval '1 minute'
    order by checked_at nulls first
    limit    ${max_trees_at_once}`
  for (const person of due) await addMediaUpdate(sql, person)
  return due.length
}

/** Adds a job for each media server whose exchange is due, unless its person is locked or has nothing in MEDIA_DIR. Returns how many. */
export async function queueExchanges(sql: Everyone): Promise<number> {
  const due = await sql<ExchangeJob[]>`
    select   user_id, server_id
    from     media_servers server
    where    exchange_at <= now()
    and      (read_due_at is not null
              or exists (select from media_episodes where media_episodes.user_id = server.user_id and state = 'present'))
    and      ${hasNoJob(sql, sql`'media-server:' || server_id`)}
    order by exchange_at
    limit    ${max_trees_at_once}`
  for (const server of due) await addExchange(sql, server)
  return due.length
}

/** Returns the names that no account has. The case counts: another person may have the name of a deleted account in another case. */
export const strangersAmong = (sql: Everyone, names: string[]): Promise<string[]> =>
  eachValue<string>(sql`
    select name
    from   unnest(${names}::text[]) as name
    where  not exists (select from users where lower(username) = lower(name) and username = name)`)

export const hasAccount = (sql: Everyone, user_id: string): Promise<boolean> =>
  hasAny(sql`select from users where id = ${user_id}`)

/** Records that many links of a tree were missing at once, so that no file was deleted. The health page says so for a day. */
export async function recordGuarded(sql: Everyone, links: number): Promise<void> {
  await sql`update media_service set guarded_at = now(), guarded_links = ${links}`
}
