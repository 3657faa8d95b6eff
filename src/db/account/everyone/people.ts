/** All accounts as operators see them. */
import type { Everyone } from '../../everyone.ts'

type PersonSummary = {
  username: string
  created_at: Date
  channels: number
  /** Bytes of all files. */
  on_disk_bytes: number
  /** Sessions that have not ended. */
  sessions: number
  api_tokens: number
  /** When a session that has not ended, or a token, was last used, to the minute; null: never. */
  last_seen_at: Date | null
}

export const listPeople = (sql: Everyone): Promise<PersonSummary[]> => sql<PersonSummary[]>`
  select   username,
           users.created_at,
           (select count(*) from channels where user_id = users.id) as channels,
           (select coalesce(sum(file_size), 0)::bigint
            from   (select distinct on (video_id) file_size
                    from   video_entries
                    where  user_id = users.id and standing = 'done') files) as on_disk_bytes,
           (select count(*) from sessions where user_id = users.id and expires_at > now()) as sessions,
           (select count(*) from api_tokens where user_id = users.id) as api_tokens,
           greatest((select max(used_at) from sessions where user_id = users.id),
                    (select max(last_used_at) from api_tokens where user_id = users.id)) as last_seen_at
  from     users
  order by lower(username)`

/** Revokes all tokens of a person. Returns how many there were. */
export async function revokeTokens(sql: Everyone, username: string): Promise<number> {
  const { count } = await sql`
    delete from api_tokens
    using  users
    where  users.id = user_id and lower(username) = lower(${username})`
  return count
}

/** Deletes the links that can no longer be used. */
export async function forgetOldResets(sql: Everyone): Promise<void> {
  await sql`delete from password_resets where expires_at < now()`
}

/** Deletes the attempts to sign in that were not finished in time. */
export async function forgetOldAttempts(sql: Everyone): Promise<void> {
  await sql`delete from sign_in_attempts where expires_at < now()`
}
