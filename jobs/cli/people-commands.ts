/** The commands of `npm run people`. `people.ts` reads the command line. */
import { listPeople, revokeTokens } from '../../src/db/account/everyone/people.ts'
import { passwordResetsIn } from '../../src/db/account/password-resets.ts'
import type { Everyone } from '../../src/db/everyone.ts'
import { makeReset } from '../../src/domain/account/password-reset.ts'
import type { Answer } from './program.ts'

export type PeopleArguments = {
  username: string
  revoke_tokens: boolean
  /** The address of the service; the link begins with it. */
  site: string
}
export const peopleCommands: Record<string, (sql: Everyone, given: PeopleArguments) => Promise<Answer>> = {
  async list(sql) {
    const people = await listPeople(sql)
    const rows = people.map(
      ({ username, created_at, channels, on_disk_bytes, sessions, api_tokens, last_seen_at }) => ({
        name: username,
        created: created_at.toISOString().slice(0, 10),
        channels,
        on_disk: `${(on_disk_bytes / 1e9).toFixed(2)} GB`,
        sessions,
        api_tokens,
        last_seen: last_seen_at
          ? `${last_seen_at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
          : 'no recent visit',
      }),
    )
    return { json: people, rows, text: people.length === 0 ? 'There are no accounts yet.' : '' }
  },

  async 'reset-password'(sql, { username, revoke_tokens, site }) {
    if (username === '') throw new Error('Name the person: npm run people -- reset-password <name>')
    const made = await makeReset(passwordResetsIn(sql), username)
    if (!made) throw new Error(`There is no account ${username}. See them all with \`npm run people -- list\`.`)
    const { user, token, expires_at } = made
    const url = `${site.replace(/\/$/, '')}/reset-password?token=${token}`
    const revoked = revoke_tokens ? await revokeTokens(sql, user.username) : 0
    const tokens = revoke_tokens
      ? `API tokens revoked: ${revoked}.`
      : 'API tokens stay valid. If the account may be stolen, run the command again with --revoke-tokens.'
    const text = [
      `With this link, ${user.username} can choose a new password. It works once, until ${expires_at.toISOString().slice(11, 16)} UTC (an hour):`,
      `  ${url}`,
      `Once it is used, ${user.username} is signed out everywhere. Earlier links no longer work.`,
      tokens,
      ...(new URL(site).hostname === 'localhost'
        ? [
            'The link works on this machine only. For other machines, set PUBLIC_URL to the address they use and run the command again.',
          ]
        : []),
    ]
    return {
      json: { username: user.username, url, expires_at, revoked_tokens: revoked },
      rows: [],
      text: text.join('\n'),
    }
  },
}
