/** Fills an empty database with rows that were copied from another one, in one transaction: all of them, or none. */
import type { Counter } from '../../schema/service/backup.ts'
import type { Queryable, Sql, Transaction } from './client.ts'
import {
  countRows,
  emptyTables,
  filledTables,
  ourTables,
  setCounters,
  setTriggers,
  writeJobs,
  writeRows,
} from './our-tables.ts'

export type Filling = {
  tables: { name: string; columns: string[]; lines: number }[]
  counters: Counter[]
  /** What `COPY` wrote. */
  rows(table: string): AsyncIterable<Uint8Array>
  jobs(): AsyncIterable<Uint8Array>
}

/** Tables that a service fills before the first account exists. */
const written_by_service = ['media_service', 'picture_pass', 'tool_versions', 'workers']

/**
 * The tables are those of the same migration. Throws a sentence, and changes nothing, if a table is not empty or unknown, or if another
 * number of rows arrives than the filling says.
 */
export async function fillDatabase(sql: Sql, { tables, counters, rows, jobs }: Filling): Promise<void> {
  await sql.begin(async tx => {
    await withoutTimeouts(tx)
    const ours = await ourTables(tx)
    requireKnown(tables, ours)
    await setTriggers(tx, ours, 'off')
    await requireEmpty(tx)
    const names = ours.map(({ name }) => name)
    await emptyTables(
      tx,
      names.filter(name => written_by_service.includes(name)),
    )
    for (const name of names) {
      const table = tables.find(other => other.name === name)
      if (table) await fillTable(tx, table, rows(name))
    }
    await setCounters(tx, counters)
    await writeJobs(tx, jobs())
    await setTriggers(tx, ours, 'on')
    // Without statistics, the first pages would be planned for empty tables.
    for (const name of names) await tx`analyze ${tx(name)}`
  })
}

/** Our own limits are for requests, and an operator may have set others. A slow disk may also keep us from reading for a while. */
export const withoutTimeouts = async (tx: Transaction): Promise<void> => {
  await tx`set local statement_timeout = 0`
  await tx`set local idle_in_transaction_session_timeout = 0`
  await tx`set local tcp_user_timeout = 0`
}

function requireKnown(tables: Filling['tables'], ours: { name: string; columns: string[] }[]): void {
  for (const { name, columns } of tables) {
    const known = ours.find(table => table.name === name)
    const strange = known ? columns.find(column => !known.columns.includes(column)) : name
    if (strange !== undefined)
      throw new Error(`The backup names ${strange}, which this service does not have. Nothing was changed.`)
  }
}

/** Throws a sentence if the database has rows of people. */
export async function requireEmpty(sql: Queryable): Promise<void> {
  const tables = (await ourTables(sql)).filter(({ name }) => !written_by_service.includes(name))
  const [filled] = await filledTables(sql, tables)
  if (filled !== undefined)
    throw new Error(
      `The database is not empty: its table ${filled} has rows. A backup is restored into an empty one: set another DATA_DIR or DATABASE_URL.`,
    )
}

async function fillTable(
  tx: Transaction,
  { lines, ...table }: Filling['tables'][number],
  rows: AsyncIterable<Uint8Array>,
): Promise<void> {
  await writeRows(tx, table, rows)
  const filled = await countRows(tx, table.name)
  if (filled !== lines)
    throw new Error(`The table ${table.name} has ${filled} rows instead of ${lines}. Nothing was changed.`)
}
