/** `npm run people`: who has an account here, and a link for a person who forgot their password. Every answer also comes as `--json`. */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from '../../src/config.ts'
import { connect } from '../../src/db/postgres/client.ts'
import { findDatabase } from '../../src/db/postgres/database.ts'
import { peopleCommands } from './people-commands.ts'

const usage = `Usage: npm run people -- <command> [--json]
  list                   who has an account, what they follow and keep, when they were last here
  reset-password <name>  print a link with which this person chooses a new password; it works once, for an hour
                           --revoke-tokens  also revoke their API tokens, where the account may be stolen`

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      'revoke-tokens': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const [name = 'help', username = ''] = positionals
  if (values.help || name === 'help') return console.log(usage)
  const command = peopleCommands[name]
  if (!command) throw new Error(usage)

  const config = readConfig(process.env)
  process.umask(config.UMASK)
  const sql = connect(await findDatabase(config), { max: 2 })
  try {
    const asked = { username, revoke_tokens: values['revoke-tokens'], site: siteOf(config) }
    const { json, rows, text } = await command(sql, asked)
    if (values.json) return console.log(JSON.stringify(json, null, 2))
    if (rows.length > 0) console.table(rows)
    if (text) console.log(text)
  } finally {
    await sql.end()
  }
}

const siteOf = ({ PUBLIC_URL, PORT }: Config) => PUBLIC_URL ?? `http://localhost:${PORT}`

await main().catch((fault: unknown) => {
  console.error(fault instanceof Error ? fault.message : fault)
  process.exitCode = 1
})
