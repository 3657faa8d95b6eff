/** The shape of a command-line program: it reads its arguments, opens the database, runs one command and prints the answer. */
import process from 'node:process'
import { type Config, readConfig } from '../../src/config/config.ts'
import { type Everyone, everyoneIn } from '../../src/db/everyone.ts'
import { connect } from '../../src/db/postgres/client.ts'
import { type Database, findDatabase, openDatabase, openExistingDatabase } from '../../src/db/postgres/database.ts'
import { requireFolder } from '../../src/runtime/folders.ts'
import { becomeUser } from '../../src/runtime/user.ts'

export type Answer = {
  rows: object[]
  text: string
  /** What `--json` prints; the rows unless given. */
  json?: object
}

/** A command whose arguments have been read. */
export type Prepared = {
  as_json: boolean
  run(sql: Everyone, config: Config, url: string): Promise<Answer>
  /** Absent: that of a running service. `existing`: the command starts it if no service runs. `new`: it makes one if there is none. */
  database?: 'existing' | 'new'
  /** Runs if no database exists. */
  withoutDatabase?(config: Config): Promise<Answer>
}

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
    const { rows, text, json = rows } = await withDatabase(prepared)
    if (prepared.as_json) return console.log(JSON.stringify(json, null, 2))
    if (rows.length > 0) console.table(rows)
    if (text) console.log(text)
  } catch (fault) {
    console.error(fault instanceof Error ? fault.message : fault)
    process.exitCode = 1
  }
}

async function withDatabase({ run, database, withoutDatabase }: Prepared): Promise<Answer> {
  const config = readConfig(process.env)
  process.umask(config.UMASK)
  const opened = await open(config, database)
  if (!opened && withoutDatabase) return withoutDatabase(config)
  if (!opened) throw new Error('There is no database yet. Start the service once, or set DATABASE_URL.')
  const sql = connect(opened.url, { max: 2, ...(database && { name: 'backlot-command' }) })
  try {
    return await run(everyoneIn(sql), config, opened.url)
  } finally {
    await sql.end()
    await opened.close()
  }
}

async function open(config: Config, database: Prepared['database']): Promise<Database | undefined> {
  if (!database) return { url: await findDatabase(config), close: async () => {} }
  if (database === 'existing') return openExistingDatabase(config)
  if (!config.DATABASE_URL) await requireFolder('DATA_DIR', config.DATA_DIR)
  return openDatabase(config, { onDeath() {}, onLost() {} })
}
