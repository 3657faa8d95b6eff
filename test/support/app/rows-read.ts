/** In the database: how many rows of a table some work reads, by Postgres' own statistics. */
import type { Queryable, Sql } from '../../../src/db/postgres/client.ts'

/**
 * The rows of `table` that `work` reads from the table itself: by reading it whole, and through an index. Rows that are read from
 * an index alone do not count. In a transaction, because only then are the numbers those of this connection.
 */
export const rowsRead = (sql: Sql, table: string, work: (tx: Queryable) => Promise<unknown>) =>
  sql.begin(async tx => {
    const readSoFar = async () => {
      const [read] = await tx<{ whole: number; by_index: number }[]>`
        select seq_tup_read as whole, coalesce(idx_tup_fetch, 0) as by_index
        from   pg_stat_xact_user_tables
        where  relid = ${table}::regclass`
      return read ?? { whole: 0, by_index: 0 }
    }
    const before = await readSoFar()
    await work(tx)
    const after = await readSoFar()
    return { whole: after.whole - before.whole, by_index: after.by_index - before.by_index }
  })
