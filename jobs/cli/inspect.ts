/** `npm run jobs`: a look into the queue, and a hand where something hangs. Every answer also comes as `--json`. */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { readConfig } from '../../src/config.ts'
import { connect } from '../../src/db/postgres/client.ts'
import { findDatabase } from '../../src/db/postgres/database.ts'
import { filesIn } from '../../src/domain/downloads/files.ts'
import { type Asked, commands, states } from './commands.ts'

const usage = `Usage: npm run jobs -- [command] [--json]
  list          what runs and waits, the next first (the default)
                  --task download|refresh-feed|import-channels|housekeeping|look-at-host
                  --state ${states.join('|')}
                  --limit how many, 200 unless told
  counts        how many of each task stand where
  hosts         the sites: what runs, waits and failed, and who asked to be left alone
  pauses        the hosts that rest: for whom, why and until when
  lift <host>   end every pause of that host, for downloads and feeds
  show <id>     one job in full
  retry <id>    run it now, with all its attempts
  retry-failed  ask again for every download that failed
  cancel <id>   take it out of the queue; a download is stopped as well
  unlock        set free what dead workers hold`

async function main(): Promise<void> {
  if (process.argv.slice(2).some(word => ['help', '--help', '-h'].includes(word))) return console.log(usage)
  const { name, asked, json } = readArguments(process.argv.slice(2))
  const command = commands[name]
  if (!command) throw new Error(usage)

  const config = readConfig(process.env)
  process.umask(config.UMASK)
  const sql = connect(await findDatabase(config), { max: 2 })
  try {
    const { rows, sentence } = await command({ sql, files: filesIn(config.DOWNLOADS_DIR) }, asked)
    if (json) console.log(JSON.stringify(rows, null, 2))
    else if (rows.length > 0) console.table(rows)
    if (!json && sentence) console.log(sentence)
  } finally {
    await sql.end()
  }
}

function readArguments(args: string[]): { name: string; asked: Asked; json: boolean } {
  const options = {
    json: { type: 'boolean', default: false },
    task: { type: 'string' },
    state: { type: 'string' },
    limit: { type: 'string', default: '200' },
  } as const
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const [name = 'list', id = ''] = positionals
  const state = states.find(known => known === values.state)
  if (values.state !== undefined && !state) throw new Error(`There is no state ${values.state}.\n${usage}`)
  if (!/^[1-9]\d{0,5}$/.test(values.limit)) throw new Error(`A limit is a number from 1 up.\n${usage}`)
  return { name, asked: { id, task: values.task, state, limit: Number(values.limit) }, json: values.json }
}

await main().catch((fault: unknown) => {
  console.error(fault instanceof Error ? fault.message : fault)
  process.exitCode = 1
})
