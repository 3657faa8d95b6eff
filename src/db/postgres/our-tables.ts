/** Copies rows of our tables out of a database and into an empty one, without a superuser and without `pg_dump`. */
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import type { PendingQuery, Row } from 'postgres'
import type { Counter } from '../../schema/service/backup.ts'
import { hasAny, onlyRow, onlyValue, type Queryable, type Transaction } from './client.ts'
import { namesOfTables } from './migrations.ts'
import { storedJobs } from './worker-tables.ts'

/** `columns`: those that the database does not derive. `key`: empty if it has no primary key. */
export type OurTable = { name: string; columns: string[]; key: string[] }

/** The tables that our migrations made and that exist, a table before those that refer to it. */
export async function ourTables(sql: Queryable): Promise<OurTable[]> {
  const rows = await sql<(OurTable & { refers_to: string[] })[]>`
    select   ours.name,
             array(select attname::text from pg_attribute
                   where  attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = ''
                   order by attnum) as columns,
             array(select attname::text
                   from   pg_constraint, unnest(conkey) with ordinality as part (number, place)
                   join   pg_attribute on attrelid = class.oid and attnum = part.number
                   where  conrelid = class.oid and contype = 'p'
                   order by place) as key,
             array(select distinct relname::text
                   from   pg_constraint
                   join   pg_class other on other.oid = confrelid
                   where  conrelid = class.oid and contype = 'f' and confrelid <> conrelid) as refers_to
    from     unnest(${await namesOfTables()}::text[]) as ours (name)
    join     pg_class class on class.oid = to_regclass(ours.name)
    order by ours.name`
  return inOrder(rows).map(({ refers_to: _, ...table }) => table)
}

function inOrder<Table extends { name: string; refers_to: string[] }>(tables: Table[]): Table[] {
  const placed: Table[] = []
  for (let left = tables; left.length > 0; ) {
    const waits = new Set(left.map(({ name }) => name))
    const ready = left.filter(({ refers_to }) => !refers_to.some(name => waits.has(name)))
    if (ready.length === 0) throw new Error(`These tables refer to each other in a circle: ${[...waits].join(', ')}.`)
    placed.push(...ready)
    left = left.filter(table => !ready.includes(table))
  }
  return placed
}

/** What `COPY` writes. */
export type Text = AsyncIterable<Uint8Array>

/** One row on each line. The same rows have the same bytes. */
export const readRows = (tx: Transaction, { name, columns, key }: OurTable, which = tx`true`): Text =>
  copyFrom(tx`copy (
    select ${tx(columns)} from ${tx(name)} each
    where ${which}
    order by ${key.length > 0 ? tx(key) : tx`each::text`}) to stdout`)

export const writeRows = (tx: Transaction, { name, columns }: Omit<OurTable, 'key'>, rows: Text): Promise<void> =>
  copyInto(tx`copy ${tx(name)} (${tx(columns)}) from stdin`, rows)

/**
 * The library pauses the connection while the stream is full, and leaves it paused when the end has arrived by then. So the stream is read
 * to its end, also by a reader that gives up, and the connection is resumed.
 */
async function* copyFrom(query: PendingQuery<Row[]>): AsyncGenerator<Uint8Array> {
  const stream = await query.readable()
  try {
    yield* stream.iterator({ destroyOnReturn: false })
  } finally {
    if (!(stream.readableEnded || stream.destroyed)) await finished(stream.resume()).catch(() => {})
    stream._read(0)
  }
}

/**
 * The library reports a fault to the stream only before the last row is sent. After it, the stream would wait without an end. But the
 * library reports every fault to the query, by its `reject`.
 */
async function copyInto(query: PendingQuery<Row[]>, rows: Text): Promise<void> {
  const failed = Promise.withResolvers<never>()
  Object.assign(query, { reject: failed.reject })
  const sink = await Promise.race([query.writable(), failed.promise])
  await Promise.race([pipeline(Readable.from(rows), sink), failed.promise])
}

export const readJobs = (tx: Transaction): Text => copyFrom(tx`copy (${storedJobs(tx)}) to stdout`)

const jobs_at_once = 10_000

/** Adds what `readJobs` wrote, in its order. Each job has all its attempts again. */
export async function writeJobs(tx: Transaction, jobs: Text): Promise<void> {
  await tx`
    create temporary table restored_jobs (
      place bigint generated always as identity primary key, identifier text, payload json, queue_name text, run_at timestamptz,
      max_attempts integer, job_key text, priority integer, flags text[]
    ) on commit drop`
  await copyInto(
    tx`copy restored_jobs (identifier, payload, queue_name, run_at, max_attempts, job_key, priority, flags) from stdin`,
    jobs,
  )
  const last = await onlyValue<number | null>(tx`select max(place) as place from restored_jobs`)
  for (let done = 0; done < (last ?? 0); done += jobs_at_once) {
    await tx`
      select count(*)
      from   graphile_worker.add_jobs(array(
               select   (identifier, payload, queue_name, run_at, max_attempts, job_key, priority, flags)::graphile_worker.job_spec
               from     restored_jobs
               where    place > ${done} and place <= ${done + jobs_at_once}
               order by place))`
  }
}

/** Call it after the rows are read: then no row has a number that is given again. */
export async function countersOf(tx: Transaction): Promise<Counter[]> {
  const columns = await identities(tx)
  const read = columns.map(async ({ table, column, sequence }) => {
    const state = await onlyRow(tx<{ value: string; is_called: boolean }[]>`
      select last_value::text as value, is_called from ${tx(sequence)}`)
    return { table, column, ...state }
  })
  return Promise.all(read)
}

export async function setCounters(tx: Transaction, counters: Counter[]): Promise<void> {
  const known = await identities(tx)
  for (const { table, column, value, is_called } of counters) {
    const found = known.find(other => other.table === table && other.column === column)
    if (found) await tx`select setval(${found.sequence}::text::regclass, ${value}::text::bigint, ${is_called})`
  }
}

const identities = async (tx: Transaction) => tx<{ table: string; column: string; sequence: string }[]>`
  select   ours.name as table, attname as column, pg_get_serial_sequence(quote_ident(ours.name), attname) as sequence
  from     unnest(${await namesOfTables()}::text[]) as ours (name)
  join     pg_attribute on attrelid = to_regclass(ours.name) and attidentity <> ''
  order by 1, 2`

/**
 * Locks the tables, so that a service that starts now waits, and turns off our triggers: the rows are as their triggers left them. Keys
 * and checks stay. `on`: turns the triggers on again.
 */
export async function setTriggers(tx: Transaction, tables: { name: string }[], to: 'on' | 'off'): Promise<void> {
  for (const { name } of tables) {
    if (to === 'off') await tx`alter table ${tx(name)} disable trigger user`
    else await tx`alter table ${tx(name)} enable trigger user`
  }
}

export const countRows = (tx: Transaction, name: string): Promise<number> =>
  onlyValue<number>(tx`select count(*) as rows from ${tx(name)}`)

/** The tables among these that have a row. */
export async function filledTables(sql: Queryable, tables: { name: string }[]): Promise<string[]> {
  const filled: string[] = []
  for (const { name } of tables) if (await hasAny(sql`select from ${sql(name)} limit 1`)) filled.push(name)
  return filled
}

export async function emptyTables(tx: Transaction, names: string[]): Promise<void> {
  for (const name of names) await tx`delete from ${tx(name)}`
}
