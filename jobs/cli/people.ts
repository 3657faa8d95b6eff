/** `npm run people`: lists the accounts, and makes a link to reset a password. Every answer is also available as `--json`. */
import { parseArgs } from 'node:util'
import type { Config } from '../../src/config.ts'
import { peopleCommands } from './people-commands.ts'
import { runProgram } from './program.ts'

const usage = `Usage: npm run people -- <command> [--json]
  list                   every account, with its channels, its files and its last visit
  reset-password <name>  print a link with which this person chooses a new password; it works once, for an hour
                           --revoke-tokens  also revoke their API tokens; use it when the account may be stolen`

const options = {
  json: { type: 'boolean', default: false },
  'revoke-tokens': { type: 'boolean', default: false },
} as const

await runProgram(usage, args => {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const [name = 'help', username = ''] = positionals
  if (name === 'help') return 'help'
  const command = peopleCommands[name]
  return (
    command && {
      as_json: values.json,
      run: (sql, config) => command(sql, { username, revoke_tokens: values['revoke-tokens'], site: siteOf(config) }),
    }
  )
})

function siteOf({ PUBLIC_URL, PORT }: Config): string {
  return PUBLIC_URL ?? `http://localhost:${PORT}`
}
