/** The accounts, and how often somebody tried to sign in to one in vain. Knows no password, only hashes. */
import { type User, UserId } from '../schema/user.ts'
import type { Sql } from './client.ts'

export type Account = User & { password_hash: string }

/** How often a subject was tried in the current window, and the seconds until that window ends. */
export type Tries = { subject: string; failures: number; wait_s: number }

export interface Accounts {
  /** Without regard to case. */
  find(username: string): Promise<Account | undefined>
  /** `undefined`: somebody has that name. */
  create(username: string, password_hash: string): Promise<User | undefined>
  any(): Promise<boolean>
  /** Counts one more try for each subject, before it is known whether it fails: so tries side by side count too. */
  countTry(subjects: string[], window_s: number): Promise<Tries[]>
  /** A try that did not fail is taken back. */
  forgiveTry(subjects: string[]): Promise<void>
}

export function accountsIn(sql: Sql): Accounts {
  const within = (window_s: number) => sql`known.started_at > now() - ${window_s} * interval '1 second'`
  return {
    async find(username) {
      const [account] = await sql<Account[]>`
      select id as user_id, username, password_hash
      from   users
      where  lower(username) = lower(${username})`
      return account
    },

    async create(username, password_hash) {
      const [user] = await sql<User[]>`
      insert into users (username, password_hash)
      values (${username}, ${password_hash})
      on conflict (lower(username)) do nothing
      returning id as user_id, username`
      return user && { ...user, user_id: UserId.parse(user.user_id) }
    },

    async any() {
      const [found] = await sql`select from users limit 1`
      return found !== undefined
    },

    countTry: (subjects, window_s) => sql<Tries[]>`
    insert into sign_in_failures as known (subject, failures, started_at)
    select   subject, 1, now()
    from     unnest(${subjects}::text[]) as subject
    order by subject
    on conflict (subject) do update
    set    failures   = case when ${within(window_s)} then known.failures + 1 else 1 end,
           started_at = case when ${within(window_s)} then known.started_at else now() end
    returning subject, failures, greatest(1, ceil(extract(epoch from started_at - now()) + ${window_s}))::int as wait_s`,

    async forgiveTry(subjects) {
      await sql`update sign_in_failures set failures = greatest(0, failures - 1) where subject = any(${subjects})`
    },
  }
}
