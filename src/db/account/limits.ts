/**
 * Limits how often something is done in a time: tries to sign in and to register, tests of notifications, new mailboxes. The database
 * counts, so the limits apply across processes. The table is named after the first use, failed tries to sign in.
 */
import type { Queryable } from '../postgres/client.ts'

export type Limits = ReturnType<typeof limitsIn>

/** The most uses of each subject in one window. A subject is a text that says what is done, and by whom or to whom. */
export type MostUses = Record<string, number>

export const limitsIn = (sql: Queryable) => ({
  /** Counts a use before it happens, so that parallel ones are counted as well. `wait_s`: seconds until the window of the subject ends. */
  async use(most: MostUses, window_s: number): Promise<'allowed' | { wait_s: number }> {
    const within = sql`known.started_at > now() - ${window_s} * interval '1 second'`
    const counted = await sql<{ subject: string; used: number; wait_s: number }[]>`
      insert into sign_in_failures as known (subject, failures, started_at)
      select   subject, 1, now()
      from     unnest(${Object.keys(most)}::text[]) as subject
      order by subject
      on conflict (subject) do update
      set    failures   = case when ${within} then known.failures + 1 else 1 end,
             started_at = case when ${within} then known.started_at else now() end
      returning subject, failures as used,
                greatest(1, ceil(extract(epoch from started_at - now()) + ${window_s}))::int as wait_s`
    const over = counted.filter(({ subject, used }) => used > (most[subject] ?? 0))
    return over.length === 0 ? 'allowed' : { wait_s: Math.max(...over.map(({ wait_s }) => wait_s)) }
  },

  /** Takes back the count of a use that did no harm. */
  async giveBack(most: MostUses): Promise<void> {
    await sql`update sign_in_failures set failures = greatest(0, failures - 1) where subject = any(${Object.keys(most)})`
  },

  async forget(subject: string): Promise<void> {
    await sql`delete from sign_in_failures where subject = ${subject}`
  },
})

/** The subject of tries to sign in to an account. */
export const accountSubject = (username: string): string => `account:${username.toLowerCase()}`
