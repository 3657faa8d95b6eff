/** The shape of a command-line program: it reads its arguments, opens the database, runs one command and prints the answer. */
import process from 'node:process'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { type Config, configOfProcess } from '../../src/config/config.ts'
import { environment } from '../../src/config/env-file.ts'
import { type Everyone, everyoneIn } from '../../src/db/everyone.ts'
import { connect } from '../../src/db/postgres/client.ts'
import {
  type Database,
  findDatabase,
  noDatabase,
  openDatabase,
  openExistingDatabase,
} from '../../src/db/postgres/database.ts'
import { serviceIn } from '../../src/db/service/service.ts'
import { requireFolder } from '../../src/runtime/folders.ts'
import { missingPackageIn } from '../../src/runtime/missing-package.ts'
import { becomeUser } from '../../src/runtime/user.ts'
import type { Files } from '../../src/store/files.ts'
import { openStorage } from '../../src/store/storage.ts'

export type Answer = {
  rows: object[]
  text: string
  /** What `--json` prints; the rows unless given. */
  json?: object
}

/** What a command works with. `url`: of the database. */
type Opened = { sql: Everyone; config: Config; url: string; openFiles(): Files }

/** A command whose arguments have been read. */
type Prepared = {
  /** `undefined`: it has printed everything itself. */
  run(opened: Opened): Promise<Answer | undefined>
  /** Absent: that of a running service. `existing`: the command starts it if no service runs. `new`: it makes one if there is none. */
  database?: 'existing' | 'new'
  /** Runs if no database exists. */
  withoutDatabase?(config: Config): Promise<Answer>
}

/** The option that every program has. */
const json_option = { json: { type: 'boolean', default: false } } as const

type Options = NonNullable<ParseArgsConfig['options']>
type Given<Own extends Options> = ReturnType<
  typeof parseArgs<{ options: Own & typeof json_option; allowPositionals: true }>
>

/** `prepare` returns `help` to print the usage, `undefined` for an unknown command, and throws a sentence for wrong arguments. */
export async function runProgram<const Own extends Options>(
  usage: string,
  own: Own,
  prepare: (given: Given<Own>) => Prepared | 'help' | undefined,
): Promise<void> {
  becomeUser(environment)
  try {
    const args = process.argv.slice(2)
    if (args.includes('--help') || args.includes('-h')) return console.log(usage)
    const given = parseArgs({ args, allowPositionals: true, options: { ...own, ...json_option } })
    const prepared = prepare(given as Given<Own>)
    if (prepared === 'help') return console.log(usage)
    if (!prepared) throw new Error(usage)
    const answer = await withDatabase(prepared)
    if (!answer) return
    const { rows, text, json = rows } = answer
    if ((given.values as { json?: boolean }).json) return console.log(JSON.stringify(json, null, 2))
    if (rows.length > 0) console.table(rows)
    if (text) console.log(text)
  } catch (fault) {
    console.error(fault instanceof Error ? (missingPackageIn(fault.message) ?? fault.message) : fault)
    process.exitCode = 1
  }
}

/** Throws the usage below a sentence where there is no such command. */
export function commandIn<Command>(commands: Record<string, Command>, name: string, usage: string): Command {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new Error(`There is no command ${name}.\n${usage}`)
  return command
}

async function withDatabase({ run, database, withoutDatabase }: Prepared): Promise<Answer | undefined> {
  const config = configOfProcess()
  process.umask(config.UMASK)
  const opened = await open(config, database)
  if (!opened && withoutDatabase) return withoutDatabase(config)
  if (!opened) throw new Error(noDatabase('There is no database', config))
  const sql = connect(opened.url, { max: 2, ...(database && { name: 'backlot-command' }) })
  try {
    const openFiles = () => openStorage(config, serviceIn(sql).someFiles)
    return await run({ sql: everyoneIn(sql), config, url: opened.url, openFiles })
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
