/** In this process, in the database: which statements are sent. */
import { afterAll } from 'vitest'
import { connect, type Sql } from '../../../src/db/postgres/client.ts'

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

/** A statement as it was sent, and who sent it. */
type Sent = { path: string; text: string }

/** What the driver knows of a statement that has been answered. */
type Answered = {
  executed: boolean
  origin: string
  string?: string
  resolve(rows: unknown): unknown
}

/**
 * Until the end of this test file, keeps one of each statement that any connection of this process sends and that succeeds. Its path is
 * that of the source file whose template it is.
 */
export function keepStatements(sql: Sql): ReadonlyMap<string, Sent> {
  const kept = new Map<string, Sent>()
  const statements = Object.getPrototypeOf(sql`select`) as { handle(this: Answered): unknown }
  const send = statements.handle
  statements.handle = function (this: Answered) {
    if (!this.executed) {
      const { origin, resolve } = this
      this.resolve = rows => {
        const text = this.string ?? ''
        kept.set(text, { path: senderIn(origin), text })
        return resolve(rows)
      }
    }
    return send.call(this)
  }
  afterAll(() => {
    statements.handle = send
  })
  return kept
}

/** The first file of ours in a stack. */
const senderIn = (stack: string) =>
  stack
    .split('\n')
    .filter(line => !line.includes('node_modules'))
    .map(line => /\b(?:src|jobs|test)\/[\w/.-]+\.tsx?/.exec(line)?.[0])
    .find(path => path !== undefined) ?? ''

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
