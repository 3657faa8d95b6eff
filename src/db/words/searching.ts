/** Runs the queries of a search: with planner settings that suit it, and with a time limit. */
import { DomainError } from '../../errors.ts'
import type { Queryable, Sql } from '../postgres/client.ts'

/** Feeds decide how long a search takes, so it is limited: one person's search must not delay others for long. */
export const usual_longest_ms = 8000

type SearchRun = { by: 'words' | 'letters'; longest_ms?: number }

/**
 * The planner ignores the cost of reading out-of-line (TOAST) `words`, so sequential scans are turned off for searches by words.
 * With less memory, Postgres notes only the pages of common words, and then reads the `words` of every row on these pages.
 * Throws `unavailable` when one query takes longer than `longest_ms`.
 */
export const searching = <T>(
  sql: Sql,
  { by, longest_ms = usual_longest_ms }: SearchRun,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> =>
  sql.begin('read only', async tx => {
    await tx`
        select set_config('enable_seqscan', ${by === 'letters' ? 'on' : 'off'}, true),
               set_config('random_page_cost', '1.1', true),
               set_config('work_mem', '64MB', true),
               set_config('statement_timeout', ${String(longest_ms)}, true)`
    return work(tx).catch(tooLong)
  }) as Promise<T>

function tooLong(fault: unknown): never {
  // Postgres: query_canceled.
  if (!(fault instanceof Error && 'code' in fault && fault.code === '57014')) throw fault
  throw new DomainError('unavailable', 'This search takes too long. Use more of the word, or fewer words.', {
    cause: fault,
    retry_after_s: 5,
  })
}
