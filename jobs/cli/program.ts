/** The shape of a command-line program: it reads its arguments, opens the database, runs one command and prints the answer. */
import process from 'node:process'
import { type Config, readConfig } from '../../src/config.ts'
import { type Everyone, everyoneIn } from '../../src/db/everyone.ts'
import { connect } from '../../src/db/postgres/client.ts'
import { findDatabase } from '../../src/db/postgres/database.ts'
import { becomeUser } from '../../src/runtime/user.ts'

export type Answer = {
  rows: object[]
  text: string
  /** What `--json` prints; the rows unless given. */
  json?: object
}

/** A command whose arguments have been read. */
export type Prepared = { as_json: boolean; run(sql: Everyone, config: Config): Promise<Answer> }

/** `prepare` returns `help` to print the usage, `undefined` for an unknown command, and throws a sentence for wrong arguments. */
export async function runProgram(
  usage: string,
  prepare: (args: string[]) => Prepared | 'help' | undefined,
): Promise<void> {
  becomeUser(process.env)
  try {
    const args = process.argv.slice(2)
    const prepared = args.includes('--help') || args.includes('-h') ? 'help' : prepare(args)
    if (prepared === 'help') return console.log(usage)
    if (!prepared) throw new Error(usage)
    const { rows, text, json = rows } = await withDatabase(prepared.run)
    if (prepared.as_json) return console.log(JSON.stringify(json, null, 2))
    if (rows.length > 0) console.table(rows)
    if (text) console.log(text)
  } catch (fault) {
    console.error(fault instanceof Error ? fault.message : fault)
    process.exitCode = 1
  }
}

async function withDatabase<T>(work: (sql: Everyone, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig(process.env)
  process.umask(config.UMASK)
  const sql = connect(await findDatabase(config), { max: 2 })
  try {
    return await work(everyoneIn(sql), config)
  } finally {
    await sql.end()
  }
}
