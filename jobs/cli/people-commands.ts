/** The commands of `npm run people`. `people.ts` reads the command line. */
import type { ZodType } from 'zod'
import { type Actor, type Desk, deskOf } from '../../src/db/admin/desk.ts'
import type { Everyone } from '../../src/db/everyone.ts'
import { invitationUrl, resetUrl } from '../../src/domain/admin/invitations-and-resets.ts'
import { changePerson, deletePerson, getPerson, makeReset } from '../../src/domain/admin/people.ts'
import { InvitationRequest, type Person, PersonChange } from '../../src/schema/admin/admin.ts'
import type { Files } from '../../src/store/files.ts'
import type { Answer } from './program.ts'

export type PeopleArguments = {
  username: string
  /** The new role or quota. */
  value: string
  revoke_tokens: boolean
  /** How long an invitation works. */
  days: string
  note: string
  /** The deletion is meant. */
  yes: boolean
  /** The address of the service; links begin with it. */
  site: string
}

type Service = { desk: Desk; files: Files }

export const deskOfCommandLine = (sql: Everyone): Desk => deskOf(sql, command_line)

const command_line: Actor = { user_id: null, name: 'command line' }

export const peopleCommands: Record<string, (service: Service, given: PeopleArguments) => Promise<Answer>> = {
  async list({ desk }) {
    const people = await desk.people.list()
    return { json: people, rows: people.map(rowOf), text: people.length === 0 ? 'There are no accounts yet.' : '' }
  },

  async invite({ desk }, { days, note, site }) {
    const { token, ...made } = await desk.invitations.make(parsed(InvitationRequest, { days: Number(days), note }))
    const url = invitationUrl(site, token)
    const text = [
      `With this link, one person can create an account, until ${minuteOf(made.expires_at)}:`,
      `  ${url}`,
      ...localHint(site),
    ]
    return { json: { ...made, url }, rows: [], text: text.join('\n') }
  },

  async 'reset-password'({ desk }, { username, revoke_tokens, site }) {
    await known(desk, username, 'reset-password <name>')
    const { token, expires_at, revoked_tokens, ...made } = await makeReset(desk, username, { revoke_tokens })
    const url = resetUrl(site, token)
    const tokens = revoke_tokens
      ? `API tokens revoked: ${revoked_tokens}.`
      : 'API tokens stay valid. If the account may be stolen, run the command again with --revoke-tokens.'
    const text = [
      `With this link, ${made.username} can choose a new password. It works once, until ${expires_at.toISOString().slice(11, 16)} UTC (an hour):`,
      `  ${url}`,
      `Once it is used, ${made.username} is signed out everywhere. Earlier links no longer work.`,
      tokens,
      ...localHint(site),
    ]
    return { json: { ...made, url, expires_at, revoked_tokens }, rows: [], text: text.join('\n') }
  },

  lock: ({ desk }, { username }) => change(desk, username, { locked: true }, 'lock <name>'),

  unlock: ({ desk }, { username }) => change(desk, username, { locked: false }, 'unlock <name>'),

  role: ({ desk }, { username, value }) => change(desk, username, { role: value }, 'role <name> admin|member'),

  quota: ({ desk }, { username, value }) =>
    change(desk, username, { quota_gb: quotaIn(value) }, 'quota <name> <GB|default>'),

  async delete({ desk, files }, { username, yes }) {
    const person = await known(desk, username, 'delete <name> --yes')
    if (!yes) throw new Error(`This deletes ${person.username} and all their files. If you mean it, add --yes.`)
    await deletePerson(desk, files, username)
    return { json: { username: person.username }, rows: [], text: `${person.username} is deleted, with all files.` }
  },
}

async function change(desk: Desk, username: string, wanted: object, usage: string): Promise<Answer> {
  await known(desk, username, usage)
  const person = await changePerson(desk, username, parsed(PersonChange, wanted))
  return { json: person, rows: [rowOf(person)], text: '' }
}

/** `default`: as the service says. Undefined: it is no number. */
function quotaIn(value: string): number | null | undefined {
  if (value === 'default') return null
  return value.trim() === '' ? Number.NaN : Number(value)
}

/** Throws a sentence with the right form of the command. */
async function known(desk: Desk, username: string, usage: string): Promise<Person> {
  if (username === '') throw new Error(`Name the person: npm run people -- ${usage}`)
  return getPerson(desk, username).catch(fault => {
    throw new Error(`There is no account ${username}. See them all with \`npm run people -- list\`.`, { cause: fault })
  })
}

function parsed<T>(schema: ZodType<T>, given: unknown): T {
  const { data, error } = schema.safeParse(given)
  if (data === undefined) throw new Error(error?.issues[0]?.message)
  return data
}

const rowOf = ({ username, role, created_at, channels, on_disk_bytes, quota_gb, ...person }: Person) => ({
  name: username,
  role,
  created: created_at.toISOString().slice(0, 10),
  channels,
  on_disk: `${(on_disk_bytes / 1e9).toFixed(2)} GB`,
  quota: quota_gb === null ? 'default' : `${quota_gb} GB`,
  sessions: person.sessions,
  last_seen: person.last_seen_at ? minuteOf(person.last_seen_at) : 'never',
  locked: person.locked_at ? minuteOf(person.locked_at) : '',
})

const minuteOf = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`

const localHint = (site: string) =>
  new URL(site).hostname === 'localhost'
    ? [
        'The link works on this machine only. For other machines, set PUBLIC_URL to the address they use and run the command again.',
      ]
    : []
