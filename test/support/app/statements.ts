/** In this process, in the database: which statements are sent. */
import type { Sql } from '../../../src/db/postgres/client.ts'

/** The statements that the connections of `sql` send during `work`, in order. */
export async function statementsOf(sql: Sql, work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = []
  // The driver reads this option with every statement.
  const options = sql.options as { debug?: unknown }
  options.debug = (_: number, text: string) => sent.push(text.replace(/\s+/g, ' ').trim())
  try {
    await work()
  } finally {
    delete options.debug
  }
  return sent
}
