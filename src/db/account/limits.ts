/**
 * Limits how often something is done in a time: tries to sign in and to register, tests of notifications, new mailboxes. The database
 * counts, so the limits apply across processes.
 */
import type { Queryable } from '../postgres/client.ts'

export type Limits = ReturnType<typeof limitsIn>

/** The most uses of each subject in one window. A subject says what is done, and who does it or to whom. */
export type Uses = Record<string, number>

export const limitsIn = (sql: Queryable) => ({
  /** Counts a use before it happens, so that parallel ones are counted as well. `wait_s`: seconds until the window of the subject ends. */
  async use(uses: Uses, window_s: number): Promise<'allowed' | { wait_s: number }> {
    const within = sql`known.started_at > now() - ${window_s} * interval '1 second'`
    const counted = await sql<{ subject: string; used: number; wait_s: number }[]>`
      insert into sign_in_failures as known (subject, failures, started_at)
      select   subject, 1, now()
      from     unnest(${Object.keys(uses)}::text[]) as subject
      order by subject
      on conflict (subject) do update
      set    failures   = case when ${within} then known.failures + 1 else 1 end,
             started_at = case when ${within} then known.started_at else now() end
      returning subject, failures as used,
                greatest(1, ceil(extract(epoch from started_at - now()) + ${window_s}))::int as wait_s`
    const over = counted.filter(({ subject, used }) => used > (uses[subject] ?? 0))
    return over.length === 0 ? 'allowed' : { wait_s: Math.max(...over.map(({ wait_s }) => wait_s)) }
  },

  /** Takes back the count of a use that did no harm. */
  async giveBack(uses: Uses): Promise<void> {
    await sql`update sign_in_failures set failures = greatest(0, failures - 1) where subject = any(${Object.keys(uses)})`
  },

  async forget(subject: string): Promise<void> {
    await sql`delete from sign_in_failures where subject = ${subject}`
  },
})

/** Tries to sign in to an account. */
export const triesOf = (username: string): string => `account:${username.toLowerCase()}`
