/**
 * Says what in a migration would harm a process of the version before it, which goes on during an update: what takes something away, what
 * refuses rows that the older code writes, and what keeps a table from everyone for long. All that is not known to be harmless counts.
 */
import { parse } from 'libpg-query'

/** A node of Postgres' syntax tree. */
type Node = Record<string, unknown>

/** What is known while a migration is read. */
type Reading = {
  /** The tables that the migration makes, which no one uses yet. */
  made: Set<string>
  /** The values that each check on a list of values allows, by `<table>.<constraint>`. */
  lists: Map<string, AllowedValues>
  /** The checks, named in the same way, that the migration widened. */
  widened: Set<string>
}
type AllowedValues = { column: string; values: string[] }

/** One sentence for each such part. `earlier`: the migrations before this one, in their order. */
export async function harmIn(migration: string, earlier: string[] = []): Promise<string[]> {
  const lists = new Map<string, AllowedValues>()
  for (const text of earlier)
    for (const [, statement] of await statementsOf(text)) recordLists(statement, tableOf(statement), lists)
  const reading: Reading = { made: new Set(), lists, widened: new Set() }
  return (await statementsOf(migration)).flatMap(([kind, statement]) => harmOf(kind, statement, reading))
}

async function statementsOf(migration: string): Promise<[kind: string, Node][]> {
  const { stmts = [] } = (await parse(migration)) as { stmts?: { stmt?: Node }[] }
  return stmts.flatMap(({ stmt = {} }) => Object.entries(stmt).slice(0, 1) as [string, Node][])
}

/** These add something. */
const adds = [
  'CreateStmt',
  'CreateFunctionStmt',
  'CreateTrigStmt',
  'CreateEnumStmt',
  'CommentStmt',
  'InsertStmt',
  'SelectStmt',
]

function harmOf(kind: string, statement: Node, reading: Reading): string[] {
  const { made } = reading
  const table = tableOf(statement)
  if (kind === 'CreateStmt') made.add(table)
  if (adds.includes(kind) || made.has(table)) return []
  if (kind === 'AlterTableStmt') {
    const changes = listOf(statement.cmds).map(({ AlterTableCmd }) => AlterTableCmd as Node)
    if (widensCheck(changes, table, reading)) return []
    return changes.flatMap(change => harmOfChange(change, table, reading))
  }
  if (kind === 'IndexStmt') {
    if (statement.unique) return [`a unique index refuses rows of ${table}`]
    return statement.concurrent ? [] : [`an index of ${table} that is not made concurrently keeps others from writing`]
  }
  if (kind === 'UpdateStmt' || kind === 'DeleteStmt') return [`rows of ${table} are locked until the migration ends`]
  return [`${kind} is not known to be harmless`]
}

/**
 * Whether one statement replaces a check by one that allows all values of the earlier one, and more. It reads no row: the rows fit the new
 * check, because they fit the earlier one.
 */
function widensCheck(changes: Node[], table: string, { lists, widened }: Reading): boolean {
  const [drop = {}, add = {}] = changes
  const check = ((add.def ?? {}) as Node).Constraint as Node | undefined
  if (changes.length !== 2 || drop.subtype !== 'AT_DropConstraint' || drop.behavior !== 'DROP_RESTRICT') return false
  if (add.subtype !== 'AT_AddConstraint' || !check?.skip_validation || check.conname !== drop.name) return false
  const [name, now] = [`${table}.${drop.name}`, allowedBy(check)]
  const before = lists.get(name)
  if (!now || !before || now.column !== before.column) return false
  if (!before.values.every(value => now.values.includes(value))) return false
  lists.set(name, now)
  widened.add(name)
  return true
}

/** Notes the list of each check that the statement adds, and forgets the list of each that it drops. */
function recordLists(part: unknown, table: string, lists: Reading['lists']): void {
  if (typeof part !== 'object' || part === null) return
  const { subtype, name, Constraint } = part as Node
  if (subtype === 'AT_DropConstraint') lists.delete(`${table}.${name}`)
  const check = Constraint as Node | undefined
  const list = check && allowedBy(check)
  if (list) lists.set(`${table}.${check.conname}`, list)
  for (const inner of Object.values(part)) recordLists(inner, table, lists)
}

/** The values of a check of the form `column in ('a', 'b')`; `undefined`: it has another form. */
function allowedBy({ contype, raw_expr }: Node): AllowedValues | undefined {
  const { kind, lexpr, rexpr, name } = (((raw_expr ?? {}) as Node).A_Expr ?? {}) as Node
  if (contype !== 'CONSTR_CHECK' || kind !== 'AEXPR_IN' || !/"="/.test(JSON.stringify(name))) return undefined
  const [field, ...more] = listOf((((lexpr ?? {}) as Node).ColumnRef as Node | undefined)?.fields)
  const column = textOf(field?.String)
  const items = listOf((((rexpr ?? {}) as Node).List as Node | undefined)?.items)
  const values = items.map(({ A_Const }) => textOf((A_Const as Node | undefined)?.sval))
  const is_plain = column !== undefined && more.length === 0 && values.every(value => value !== undefined)
  return is_plain ? { column, values: values as string[] } : undefined
}

const textOf = (node: unknown): string | undefined => {
  const { sval } = (node ?? {}) as Node
  return typeof sval === 'string' ? sval : undefined
}

function harmOfChange({ subtype, name, def }: Node, table: string, { widened }: Reading): string[] {
  const column = ((def ?? {}) as Node).ColumnDef as Node | undefined
  if (subtype === 'AT_AddColumn' && column) return harmOfColumn(column, `${table}.${column.colname}`)
  if (subtype === 'AT_ColumnDefault' && def) return []
  // It reads the rows, and others read and write meanwhile.
  if (subtype === 'AT_ValidateConstraint' && widened.has(`${table}.${name}`)) return []
  return [`${subtype} of ${table}${name ? `.${name}` : ''} is not known to be harmless`]
}

function harmOfColumn({ constraints }: Node, column: string): string[] {
  const parts = listOf(constraints).map(({ Constraint }) => Constraint as Node)
  const kinds = parts.map(({ contype }) => String(contype))
  const standard = parts.find(({ contype }) => contype === 'CONSTR_DEFAULT')
  const harm: string[] = []
  if (kinds.includes('CONSTR_NOTNULL') && !standard)
    harm.push(`${column} has no default, so older code cannot add a row`)
  if (standard && !isSameForAll(standard.raw_expr)) harm.push(`the default of ${column} writes every row anew`)
  for (const kind of ['CONSTR_GENERATED', 'CONSTR_IDENTITY', 'CONSTR_UNIQUE', 'CONSTR_PRIMARY'])
    if (kinds.includes(kind)) harm.push(`${kind} of ${column} reads and writes every row`)
  return harm
}

/** A constant, with or without a type, or the time. Postgres keeps such a default once, and not in each row. */
function isSameForAll(value: unknown): boolean {
  const [[kind, inside] = ['', {}]] = Object.entries((value ?? {}) as Node) as [string, Node][]
  if (kind === 'TypeCast') return isSameForAll(inside.arg)
  if (kind === 'FuncCall') return /"now"/.test(JSON.stringify(inside.funcname))
  return kind === 'A_Const' || kind === 'SQLValueFunction'
}

const tableOf = ({ relation }: Node): string => String(((relation ?? {}) as Node).relname ?? '')
const listOf = (value: unknown): Node[] => (Array.isArray(value) ? (value as Node[]) : [])

/**
 * The migration that a version must know to go on after this one, if this one takes something away. Its first comment says so, and it
 * writes the same in the database, where older versions look.
 */
export const requiredBy = (migration: string): string | undefined =>
  /^-- Takes away what versions before (\d{6}) use: /m.exec(migration)?.[1]

/** The statement that tells older versions. */
export const tellsOlder = (required: string): string => `comment on table graphile_migrate.migrations is '${required}';`
