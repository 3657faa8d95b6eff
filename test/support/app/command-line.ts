/** In this process: the commands of `npm run people`, on the database and the files of a test. */
import { deskOfCommandLine, type PeopleArguments, peopleCommands } from '../../../jobs/cli/people-commands.ts'
import type { useApp } from './app.ts'

export const site = 'https://tv.example'

const usual = { username: '', value: '', revoke_tokens: false, days: '7', note: '', yes: false, site }

export const peopleCommandsOn =
  (app: Pick<ReturnType<typeof useApp>, 'sql' | 'files'>) =>
  async (name: string, given: Partial<PeopleArguments> = {}) => {
    const command = peopleCommands[name]
    if (!command) throw new Error(`there is no command ${name}`)
    return command({ desk: deskOfCommandLine(app.sql), files: app.files }, { ...usual, ...given })
  }
