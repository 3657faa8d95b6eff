/**
 * Says what in a migration would harm a process of the version before it, which goes on during an update: what takes something away, what
 * refuses rows that the older code writes, and what keeps a table from everyone for long. All that is not known to be harmless counts.
 */
import { parse } from 'libpg-query'

/** A node of Postgres' syntax tree. */
type Node = Record<string, unknown>

/** One sentence for each such part. */
export async function harmIn(migration: string): Promise<string[]> {
  const { stmts = [] } = (await parse(migration)) as { stmts?: { stmt?: Node }[] }
  const made = new Set<string>()
  return stmts.flatMap(({ stmt = {} }) => {
    const [kind = '', value] = Object.entries(stmt)[0] ?? []
    return harmOf(kind, value as Node, made)
  })
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

/** `made`: the tables that the migration makes, which no one uses yet. */
function harmOf(kind: string, statement: Node, made: Set<string>): string[] {
  const table = tableOf(statement)
  if (kind === 'CreateStmt') made.add(table)
  if (adds.includes(kind) || made.has(table)) return []
  if (kind === 'AlterTableStmt')
    return listOf(statement.cmds).flatMap(({ AlterTableCmd }) => harmOfChange(AlterTableCmd as Node, table))
  if (kind === 'IndexStmt') {
    if (statement.unique) return [`a unique index refuses rows of ${table}`]
    return statement.concurrent ? [] : [`an index of ${table} that is not made concurrently keeps others from writing`]
  }
  if (kind === 'UpdateStmt' || kind === 'DeleteStmt') return [`rows of ${table} are locked until the migration ends`]
  return [`${kind} is not known to be harmless`]
}

function harmOfChange({ subtype, name, def }: Node, table: string): string[] {
  const column = ((def ?? {}) as Node).ColumnDef as Node | undefined
  if (subtype === 'AT_AddColumn' && column) return harmOfColumn(column, `${table}.${column.colname}`)
  if (subtype === 'AT_ColumnDefault' && def) return []
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
 * The migration that a version must know to go on after this one, if this one takes something away. Its first comment says so, and it writes
 * the same in the database, where older versions look.
 */
export const requiredBy = (migration: string): string | undefined =>
  /^-- Takes away what versions before (\d{6}) use: /m.exec(migration)?.[1]

/** The statement that tells older versions. */
export const tellsOlder = (required: string): string => `comment on table graphile_migrate.migrations is '${required}';`
