/** `npm run people`: what an administrator does with accounts and invitations. Every answer is also available as `--json`. */
import type { Config } from '../../src/config/config.ts'
import { deskOfCommandLine, peopleCommands } from './people-commands.ts'
import { commandIn, runProgram } from './program.ts'

const usage = `Usage: npm run people -- <command> [--json]
  list                   every account, with its channels, its files and its last visit
  invite                 print a link with which one person creates an account, also where registration is closed
                           --days <n>       how long it works; 7 if absent
                           --note <text>    for example for whom it is
  reset-password <name>  print a link with which this person chooses a new password; it works once, for an hour
                           --revoke-tokens  also revoke their API tokens; use it when the account may be stolen
  lock <name>            end everything that this person has open, and refuse to sign them in
  unlock <name>          let this person sign in again
  role <name> <role>     make this person an admin or a member
  quota <name> <GB>      how much this person's files may use; 0: no limit; default: as the service says
  delete <name> --yes    delete the account and all its files`

const options = {
  'revoke-tokens': { type: 'boolean', default: false },
  days: { type: 'string', default: '7' },
  note: { type: 'string', default: '' },
  yes: { type: 'boolean', default: false },
} as const

await runProgram(usage, options, ({ values, positionals: [name = 'help', username = '', value = ''] }) => {
  if (name === 'help') return 'help'
  const command = commandIn(peopleCommands, name, usage)
  const { 'revoke-tokens': revoke_tokens, days, note, yes } = values
  return {
    run({ sql, config, openFiles }) {
      const given = { username, value, revoke_tokens, days, note, yes, site: siteOf(config) }
      return command({ desk: deskOfCommandLine(sql), files: openFiles() }, given)
    },
  }
})

function siteOf({ PUBLIC_URL, PORT }: Config): string {
  return PUBLIC_URL ?? `http://localhost:${PORT}`
}
