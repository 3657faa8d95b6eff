/** In the database: which partitions of people's tables Postgres would read or write for a statement, by its own plan. */
import { connect, type Sql } from '../../../src/db/postgres/client.ts'
import { library_tables } from './partitions.ts'
import type { Sent } from './statements.ts'

export type Reach = {
  /** The other tables that it names, in the schemas `public` and `graphile_worker`. */
  others: string[]
  /** The numbers of the partitions. Those that follow from the person of a row that is read before are left out. */
  partitions: string[]
  /** Whether it names a table of people's data. */
  is_owned: boolean
}

/** A connection for `reachOf`, which plans for the values at hand, and prefers loops, so that a scan names the row that it follows. */
export async function planner(url: string): Promise<Sql> {
  const sql = connect(url, { max: 1 })
  await sql`set plan_cache_mode = force_custom_plan`
  for (const way of ['hashjoin', 'mergejoin', 'material', 'seqscan']) await sql.unsafe(`set enable_${way} = off`)
  return sql
}

/** `undefined`: it is no statement that Postgres plans. */
export async function reachOf(sql: Sql, { text, values, types }: Sent): Promise<Reach | undefined> {
  if (!isPlanned(text)) return undefined
  const [named] = await sql<{ types: string | null }[]>`
    select string_agg(format_type(type, null), ', ' order by nth) as types
    from   unnest(${types.map(String)}::oid[]) with ordinality as each (type, nth)`
  const inBrackets = (list: string | null | undefined) => (list ? `(${list})` : '')
  const literals = values.map(value => (value === null ? 'null' : `'${value.replaceAll("'", "''")}'`))
  await sql.unsafe(`prepare sent ${inBrackets(named?.types)} as ${text}`)
  const [row] = await sql.unsafe<{ 'QUERY PLAN': PlanNode[] }[]>(
    `explain (format json, costs off, verbose) execute sent ${inBrackets(literals.join(', '))}`,
  )
  await sql`deallocate sent`
  return reachIn(scansIn(row?.['QUERY PLAN']))
}

/** Not `begin` and the like. */
export const isPlanned = (text: string): boolean => /^\s*(?:select|insert|update|delete|with)\b/.test(text)

/** The names of the columns that each statement gives. */
export async function resultsOf(url: string, statements: Sent[]): Promise<Map<string, string[]>> {
  const sql = connect(url, { max: 1 })
  const described = new Map<string, string[]>()
  for (const { text } of statements) {
    const { columns } = await sql.unsafe(text).describe()
    described.set(
      text,
      columns.map(({ name }) => name),
    )
  }
  await sql.end()
  return described
}

type PlanNode = Record<string, unknown>
type Scan = { table: string; schema: string; conditions: string }

const is_library = new Set(library_tables)
const part = /^(.*)_(\d+)$/

function reachIn(scans: Scan[]): Reach {
  const others = new Set<string>()
  const partitions = new Set<string>()
  let is_owned = false
  for (const { table, schema, conditions } of scans) {
    const [, whole = table, nth] = part.exec(table) ?? []
    if (!is_library.has(whole)) {
      if (/^(?:public|graphile_worker)$/.test(schema)) others.add(table)
      continue
    }
    is_owned = true
    // Without a number it is the whole table, of which rows choose the partition that they are written to.
    if (nth !== undefined && !followsARow.test(conditions)) partitions.add(nth)
  }
  return { others: [...others].toSorted(), partitions: [...partitions].toSorted(), is_owned }
}

/** The person of another row that was read before, whose partition is then the only one. */
const followsARow = /\buser_id = (?:\w+\.)?user_id\b/

/** Every node of the plan that names a table, with what limits its rows. */
function scansIn(plan: unknown): Scan[] {
  if (Array.isArray(plan)) return plan.flatMap(scansIn)
  if (typeof plan !== 'object' || plan === null) return []
  const node = plan as PlanNode
  const below = Object.values(node).flatMap(scansIn)
  const table = node['Relation Name']
  if (typeof table !== 'string') return below
  const conditions = ['Index Cond', 'Recheck Cond', 'Filter'].map(name => String(node[name] ?? '')).join(' ')
  return [{ table, schema: String(node.Schema), conditions }, ...below]
}
