/** The accounts, and how often somebody tried to sign in to one in vain. Knows no password, only hashes. */
import { type StoredUser, type User, UserId } from '../../schema/user.ts'
import type { Sql } from '../postgres/client.ts'
import { forgetJobs } from '../queue/queue.ts'

/** How often a subject was tried in the current window, and the seconds until that window ends. */
export type Tries = { subject: string; failures: number; wait_s: number }

export interface Accounts {
  /** Without regard to case. */
  find(username: string): Promise<StoredUser | undefined>
  /** `undefined`: somebody has that name; `not_first`: somebody has an account, where `only_first` may have one. */
  create(
    username: string,
    password_hash: string,
    options?: { only_first?: boolean },
  ): Promise<User | 'not_first' | undefined>
  any(): Promise<boolean>
  /** A link for a forgotten password ends with it. `false`: the account is gone, or has another password than `user`. */
  changePassword(user: StoredUser, password_hash: string): Promise<boolean>
  /** With all that is theirs: what runs is stopped by the loss of its claim, what waits in the queue goes. */
  remove(user: User): Promise<void>
  /** Counts one more try for each subject, before it is known whether it fails: so tries side by side count too. */
  countTry(subjects: string[], window_s: number): Promise<Tries[]>
  /** A try that did not fail is taken back. */
  forgiveTry(subjects: string[]): Promise<void>
}

export function accountsIn(sql: Sql): Accounts {
  const within = (window_s: number) => sql`known.started_at > now() - ${window_s} * interval '1 second'`
  return {
    async find(username) {
      const [account] = await sql<StoredUser[]>`
      select id as user_id, username, password_hash
      from   users
      where  lower(username) = lower(${username})`
      return account
    },

    create: (username, password_hash, { only_first = false } = {}) =>
      sql.begin(async tx => {
        if (only_first) {
          // Two who come at the same moment would both find nobody.
          await tx`select pg_advisory_xact_lock(hashtextextended('backlot first account', 0))`
          const [other] = await tx`select from users limit 1`
          if (other) return 'not_first'
        }
        const [user] = await tx<User[]>`
          insert into users (username, password_hash)
          values (${username}, ${password_hash})
          on conflict (lower(username)) do nothing
          returning id as user_id, username`
        return user && { ...user, user_id: UserId.parse(user.user_id) }
      }),

    async any() {
      const [found] = await sql`select from users limit 1`
      return found !== undefined
    },

    async changePassword(user, password_hash) {
      const { count } = await sql`
        with changed as (
          update users
          set    password_hash = ${password_hash}
          where  id = ${user.user_id} and password_hash = ${user.password_hash}
          returning id
        ),
        spent as (
          delete from password_resets
          where  user_id in (select id from changed)
        )
        select from changed`
      return count > 0
    },

    async remove({ user_id, username }) {
      await sql.begin(async tx => {
        await tx`delete from users where id = ${user_id}`
        // After that, because nobody can add one any longer.
        await forgetJobs(tx, user_id)
        await tx`delete from sign_in_failures where subject = ${`account:${username.toLowerCase()}`}`
      })
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
