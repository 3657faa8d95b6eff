/** Links to choose a new password, at most one for each person. Stores no link, only hashes. */
import { type User, UserId } from '../../schema/values/user.ts'
import type { Queryable } from '../postgres/client.ts'

export type PasswordResets = ReturnType<typeof passwordResetsIn>

export const passwordResetsIn = (sql: Queryable) => ({
  /** Replaces an earlier link of the same person. `undefined`: there is no such account. */
  async make(username: string, hash: string, lasts_s: number): Promise<{ user: User; expires_at: Date } | undefined> {
    const [made] = await sql<(User & { expires_at: Date })[]>`
      with person as (
        select id, username, role
        from   users
        where  lower(username) = lower(${username})
      ),
      made as (
        insert into password_resets (user_id, hash, expires_at)
        select id, ${hash}, now() + ${lasts_s} * interval '1 second'
        from   person
        on conflict (user_id) do update
        set    hash = excluded.hash, expires_at = excluded.expires_at
        returning user_id, expires_at
      )
      select user_id, username, role, expires_at
      from   made
      join   person on person.id = made.user_id`
    if (!made) return undefined
    const { user_id, expires_at, ...user } = made
    return { user: { ...user, user_id: UserId.parse(user_id) }, expires_at }
  },

  /** The user that a link is for. `undefined`: it is wrong, used, replaced or too old. */
  async find(hash: string): Promise<User | undefined> {
    const [user] = await sql<User[]>`
      select user_id, username, role
      from   password_resets
      join   users on users.id = user_id
      where  hash = ${hash} and expires_at > now()`
    return user && { ...user, user_id: UserId.parse(user.user_id) }
  },

  /** Sets the password, deletes the link, and forgets failed tries to sign in. `undefined` as for `find`. */
  async use(hash: string, password_hash: string): Promise<User | undefined> {
    const [user] = await sql<User[]>`
      with used as (
        delete from password_resets
        where  hash = ${hash} and expires_at > now()
        returning user_id
      ),
      changed as (
        update users
        set    password_hash = ${password_hash}
        from   used
        where  users.id = used.user_id
        returning users.id as user_id, username, role
      ),
      forgiven as (
        delete from sign_in_failures
        where  subject in (select 'account:' || lower(username) from changed)
      )
      select user_id, username, role
      from   changed`
    return user && { ...user, user_id: UserId.parse(user.user_id) }
  },
})
