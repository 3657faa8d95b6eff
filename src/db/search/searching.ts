/** Asking the database for what somebody searches for: in the way that is quick for it, and for no longer than others can wait. */
import { DomainError } from '../../errors.ts'
import type { Queryable, Sql } from '../postgres/client.ts'

/** What a feed brings decides how long a search takes; nobody waits for more, and nobody's search holds up others for long. */
export const usual_longest_ms = 8000

type How = { by: 'words' | 'letters'; longest_ms?: number }

/**
 * Postgres thinks little of how far away the words of a row are kept, and must be kept from reading all of them.
 * Throws `unavailable` when one question takes longer than `longest_ms`.
 */
export const searching = <T>(
  sql: Sql,
  { by, longest_ms = usual_longest_ms }: How,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> =>
  sql
    .begin('read only', async tx => {
      await tx`
        select set_config('enable_seqscan', ${by === 'letters' ? 'on' : 'off'}, true),
               set_config('random_page_cost', '1.1', true),
               set_config('statement_timeout', ${String(longest_ms)}, true)`
      return { done: await work(tx).catch(tooLong) }
    })
    .then(({ done }) => done)

function tooLong(fault: unknown): never {
  // Cancelled, in Postgres' words.
  if (!(fault instanceof Error && 'code' in fault && fault.code === '57014')) throw fault
  throw new DomainError('unavailable', 'This search takes too long. Use more of the word, or fewer words.', {
    cause: fault,
    retry_after_s: 5,
  })
}
