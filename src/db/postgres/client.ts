/** Connections to Postgres, and the types of its values in our code. */
import postgres from 'postgres'
import { isReadOnly } from '../../runtime/read-only.ts'
import type { UserId } from '../../schema/values/user.ts'
import { addArrays } from './arrays.ts'
import { watchedSockets } from './silence.ts'

export type Sql = postgres.Sql<{ int8: number }>
/** What runs queries: the pool, or a transaction on it. */
export type Queryable = Sql | Transaction
export type Transaction = postgres.TransactionSql<{ int8: number }>

/** A part of a query. */
export type Piece = postgres.PendingQuery<postgres.Row[]>

/**
 * Makes a part of a query once for each pool or transaction. Making the columns of a download took longer than the rest of
 * the query that reads one. Only for parts whose values never change.
 */
export function sharedPiece(make: (sql: Queryable) => Piece): (sql: Queryable) => Piece {
  const made = new WeakMap<Queryable, Piece>()
  return sql => {
    const piece = made.get(sql) ?? make(sql)
    made.set(sql, piece)
    return piece
  }
}

/** The first row that a query gives; `undefined`: it gives none. */
export const firstRow = async <T>(query: Promise<readonly T[]>): Promise<T | undefined> => (await query)[0]

/** The row of a query that always gives one, such as a query of totals. */
export async function onlyRow<T>(query: Promise<readonly T[]>): Promise<T> {
  const [row] = await query
  if (row === undefined) throw new Error('a query that always gives a row gave none')
  return row
}

/** The value of each row that a query of one column gives. */
export const eachValue = async <T>(query: Promise<readonly postgres.Row[]>): Promise<T[]> =>
  (await query).flatMap(row => Object.values<T>(row))

/** The value of a query that always gives one, such as a count. */
export const onlyValue = async <T>(query: Promise<readonly postgres.Row[]>): Promise<T> => onlyRow(eachValue<T>(query))

/** The first value that a query of one column gives; `undefined`: it gives none. */
export const firstValue = async <T>(query: Promise<readonly postgres.Row[]>): Promise<T | undefined> =>
  (await eachValue<T>(query))[0]

/** How many rows a query finds or changes. */
export const countOf = async (query: Promise<{ count: number }>): Promise<number> => (await query).count

/** Whether a query finds or changes any row. */
export const hasAny = async (query: Promise<{ count: number }>): Promise<boolean> => (await query).count > 0

/** Runs a transaction that counts what a person has. Those of one person wait for each other, so that each counts what the others added. */
export const oneByOne = <T>(sql: Sql, user_id: UserId, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  sql.begin(async tx => {
    await tx`select from users where id = ${user_id} for no key update`
    return work(tx)
  }) as Promise<T>

/** The time as text, as `SentTime` describes it: a `Date` cuts the microseconds. */
export const exactTime = (sql: Queryable, time: Piece): Piece => sql`to_char(${time}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** `int8` arrives as a number: byte sizes and counts stay far below 2^53. */
const int8 = { to: 20, from: [20], parse: Number, serialize: String }

/**
 * Statements in progress on one connection; the default is 100. The `begin` that reaches the limit does not reserve its connection, so
 * statements of others run in its transaction (github.com/porsager/postgres/issues/1189). The types leave this option out, and `socket`
 * too.
 */
const unlimited = { max_pipeline: Number.MAX_SAFE_INTEGER }

type PoolOptions = { max?: number; idle_timeout_s?: number; plans?: 'once' | 'each'; name?: string }

/**
 * Seconds after which the connections of requests and jobs are closed, each of which takes 3 MB of the server. More than the minute between
 * two comparisons of clocks, so that a web process keeps one open.
 */
export const idle_timeout_s = 65

/** The name by which the database lists the connections of the service. */
export const service_name = 'backlot'

/**
 * A pool of at most `max` connections, with times in UTC. Idle connections are closed after `idle_timeout_s`, if given. Columns
 * keep their names: a renaming transform breaks Lucia's adapter, which expects `user_id` and `expires_at`.
 *
 * Each connection plans a statement once. Otherwise Postgres plans it again for every person who has more rows than the average, which
 * takes twice as long as reading a page. Nearly every statement reads a few rows of one person by an index, no matter who.
 * `plans: 'each'`: for statements whose best plan depends on their values. `name`: of a command that is no part of the service.
 */
export function connect(
  url: string,
  { max = 10, idle_timeout_s, plans = 'once', name = service_name }: PoolOptions = {},
): Sql {
  const sql = postgres(url, {
    max,
    idle_timeout: idle_timeout_s,
    types: { int8 },
    fetch_types: false,
    // Finds a restarted database within a second.
    backoff: tries => Math.min(2 ** tries / 100, 1),
    onnotice: () => {},
    // A Postgres that accepts connections and then says nothing.
    connect_timeout: 10,
    ...unlimited,
    ...{ socket: watchedSockets(url) },
    connection: {
      application_name: name,
      TimeZone: 'UTC',
      DateStyle: 'ISO',
      ...(!isPooled(url) && { ...for_lost_clients, ...(plans === 'once' && planned_once) }),
    },
  })
  addArrays(sql.options)
  return sql
}

/** Whether `addressThatFits` found a pooler, which keeps no prepared statements and refuses settings that it does not know. */
export const isPooled = (url: string): boolean => /[?&]prepare=false\b/.test(url)

/** A plan for any value expects many rows. To start the processes that would share them takes 10 ms. */
const planned_once = { plan_cache_mode: 'force_generic_plan', max_parallel_workers_per_gather: '0' }

/**
 * Lets Postgres end the sessions of a machine that is cut off, within 25 seconds, and the transactions of a process that is frozen. By
 * default Postgres keeps their locks for two hours in the first case, and without a limit in the second. In milliseconds, but
 * `tcp_keepalives_…` in seconds.
 */
const for_lost_clients = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '25000',
  // The longest transaction waits two minutes for a bucket.
  idle_in_transaction_session_timeout: 300_000,
}

/** The address with these settings, for the pools of graphile-worker. */
export function addressOfPools(url: string): string {
  const options = Object.entries(for_lost_clients).map(([name, value]) => `-c ${name}=${value}`)
  const address = new URL(url)
  const given = address.searchParams.get('options') ?? ''
  if (!isPooled(url)) address.searchParams.set('options', [...options, given].join(' '))
  return address.href
}

/** Creates the database named in `url`, unless the server has it. */
export async function createDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  const server = new URL(url)
  server.pathname = '/postgres'
  const sql = connect(server.href, { max: 1 })
  try {
    const [found] = await sql`select from pg_database where datname = ${name}`
    if (!found) await sql`create database ${sql(name)}`
  } finally {
    await sql.end()
  }
}

/** Whether the database is away or restarting, its disk is full or broken, or it is read-only: the same query may succeed later. */
export const isAway = (error: unknown): boolean =>
  isLost(error) ||
  isFull(error) ||
  isReadOnly(error) ||
  /^(08...|53300|58030|CONNECT\w*|ECONN\w+|ETIMEDOUT)$/.test(codeOf(error))

/** Whether a connection to the database was lost, and another one may work at once. The driver of the queue has a sentence and no code. */
export const isLost = (error: unknown): boolean =>
  /^(08(?!P01|004)...|57P0.|CONNECTION_CLOSED|ECONNRESET|EPIPE)$/.test(codeOf(error)) ||
  (error instanceof Error && /^(Connection terminated|Client has encountered a connection error)/.test(error.message))

/** Whether the disk of the database is full. */
export const isFull = (error: unknown): boolean => codeOf(error) === '53100'

/** Whether Postgres ended a transaction because it and another waited for each other. The same transaction may succeed now. */
export const isDeadlock = (error: unknown): boolean => codeOf(error) === '40P01'

/** Whether a statement waited for a lock for as long as it may. */
export const isLocked = (error: unknown): boolean => codeOf(error) === '55P03'

/** Whether Postgres refused a row because of this constraint or unique index. */
export const hasBroken = (error: unknown, name: string): boolean =>
  error instanceof Error && 'constraint_name' in error && error.constraint_name === name

/**
 * Whether the same transaction may succeed later: the database is away, short of space or memory, others hold locks, or its tables are
 * older or newer than this process expects. Any other error would come back.
 */
export const mayPass = (error: unknown): boolean => isAway(error) || /^(?:0A|40|42|53|55|57|58)...$/.test(codeOf(error))

/**
 * Whether this is a fault of the driver's own work, for which no code of ours is the caller: every file of its stack is the driver's or
 * Node's. An error of a statement of ours has our place in its stack.
 */
export function isOfDriver(fault: unknown): boolean {
  const frames = (fault instanceof Error ? (fault.stack ?? '') : '').split('\n').filter(line => /^ +at /.test(line))
  const of_driver = /\/node_modules\/(?:postgres|pg|pg-pool|pg-protocol)\//
  const of_runtime = /\(?(?:node|ext):|<anonymous>/
  return frames.some(at => of_driver.test(at)) && frames.every(at => of_driver.test(at) || of_runtime.test(at))
}

/** The code that Postgres or the connection gave the error; empty: it has none. */
const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')
