/** Every kind of secret, at its own door and at all others: what is wrong, over, ended, used or another's opens nothing. */
import { hash, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { secretsOf } from '../../src/db/account/own-secrets.ts'
import { type MadeSecret, type SecretKind, secretsIn } from '../../src/db/account/secrets.ts'
import { deskOf } from '../../src/db/admin/desk.ts'
import { unlimited, useApp } from '../support/app/app.ts'
import { personWithFilm } from '../support/app/links.ts'
import { lock } from '../support/app/locks.ts'
import { administrator, type Person, person } from '../support/app/people.ts'
import { registration } from '../support/app/sign-in.ts'

const app = useApp({ limits: unlimited, REGISTRATION: 'closed' })
const { ask, sql } = app
const secrets = secretsIn(sql)

type Door = {
  make(owner: Person): Promise<MadeSecret>
  /** Whether it opens. */
  opens(token: string): Promise<boolean>
  /** Whether it can be used, for the last time. Absent: it can be used again. */
  use?(token: string): Promise<boolean>
}

async function isOpen(path: string, headers: Record<string, string> = {}): Promise<boolean> {
  const { status, body } = await ask(path, { headers })
  await body?.cancel()
  return status === 200
}
const isDone = async (path: string, form: Record<string, string>) => (await ask(path, { form })).status === 303
const video = { opens: { video_id: 'v1' }, lasts_s: 60 }
const begun = {
  challenge: 'c',
  name: 'key',
  next: '/',
  state: 's',
  nonce: 'n',
  verifier: 'v',
  redirect_uri: 'https://a.example',
}
let nth = 0

/** Of what a browser began: its pages take it once, so asking whether it opens uses it. */
const attempt = (kind: 'oidc' | 'passkey' | 'new_passkey'): Door => ({
  make: ({ user: { user_id } }) => secrets.make({ kind, user_id, opens: begun, lasts_s: 60 }),
  opens: async token => (await secrets.open([kind], token)) !== undefined,
  use: async token => (await secrets.spend([kind], token)) !== undefined,
})

const doors: Record<SecretKind, Door> = {
  token: {
    make: ({ library }) => made(library.secrets.make({ kind: 'token', opens: { scope: 'read' }, lasts_s: 60 })),
    opens: token => isOpen('/api/channels', { authorization: `Bearer ${token}` }),
  },
  play: {
    make: ({ library }) => made(library.secrets.make({ kind: 'play', ...video })),
    opens: token => isOpen(`/s/${token}/v1.mp4`),
  },
  share: {
    make: ({ library }) => made(library.secrets.make({ kind: 'share', ...video })),
    opens: token => isOpen(`/s/${token}`),
  },
  podcast: {
    async make({ library, user: { user_id } }) {
      const podcast = await library.podcasts.add({ of: { list: 'all' }, kind: 'video', newest: 50 }, () => randomUUID())
      const podcast_id = typeof podcast === 'object' ? podcast.podcast_id : ''
      return secrets.make({ kind: 'podcast', user_id, opens: { podcast_id }, lasts_s: null })
    },
    opens: token => isOpen(`/f/${token}/feed.xml`),
  },
  invitation: {
    make: ({ user: { user_id } }) =>
      secrets.make({ kind: 'invitation', user_id: null, made_by: user_id, opens: {}, lasts_s: 60 }),
    opens: token => isOpen(`/register?invitation=${token}`),
    use: token => isDone('/register', registration(`guest-${++nth}`, { invitation: token })),
  },
  reset: {
    make: ({ user: { user_id } }) => secrets.make({ kind: 'reset', user_id, opens: {}, lasts_s: 60 }),
    opens: token => isOpen(`/reset-password?token=${token}`),
    use: token => {
      const password = 'a-long-password-of-nobody-else'
      return isDone('/reset-password', { token, password, password_confirmation: password })
    },
  },
  oidc: attempt('oidc'),
  passkey: attempt('passkey'),
  new_passkey: attempt('new_passkey'),
}
const kinds = Object.keys(doors) as SecretKind[]

async function made<K extends SecretKind>(making: Promise<MadeSecret<K> | string>): Promise<MadeSecret> {
  const secret = await making
  if (typeof secret === 'string') throw new Error(secret)
  return secret as MadeSecret
}

/** An administrator, because only administrators invite. */
async function owner(name = 'alice'): Promise<Person> {
  await administrator(sql, 'carol')
  const alice = await personWithFilm(app, name)
  await sql`update users set role = 'admin' where id = ${alice.user.user_id}`
  return alice
}

describe.each(kinds)('a secret of the kind %s', kind => {
  const { make, opens, use } = doors[kind]

  it('opens at its door, and the table has nothing that opens', async () => {
    const { token, secret_id } = await make(await owner())
    const [row] = await sql`select * from secrets where secret_id = ${secret_id}`
    expect(row).toMatchObject({ kind, hash: hash('sha256', token) })
    expect(JSON.stringify(row)).not.toContain(token)
    expect(await opens(token)).toBe(true)
  })

  it('opens nothing when it is wrong', async () => {
    const { token } = await make(await owner())
    const last = token.endsWith('0') ? '1' : '0'
    const wrong = [
      ...['', 'x', '0'.repeat(64), `backlot_${'0'.repeat(64)}`, hash('sha256', token)],
      ...[token.slice(0, -1) + last, token.slice(0, -1), `${token}0`, token.toUpperCase(), `${token}%0a`],
      ...[token.startsWith('backlot_') ? token.slice(8) : `backlot_${token}`],
    ]
    for (const given of wrong) expect([given, await opens(given)]).toEqual([given, false])
    if (use) for (const given of wrong) expect([given, await use(given)]).toEqual([given, false])
  })

  it('opens nothing at the door of another kind', async () => {
    const { token } = await make(await owner())
    for (const other of kinds.filter(one => one !== kind)) {
      // The page of a video has its file, too.
      if (kind === 'share' && other === 'play') continue
      expect([other, await doors[other].opens(token)]).toEqual([other, false])
      expect([other, await doors[other].use?.(token)]).not.toEqual([other, true])
    }
    expect(await opens(token)).toBe(true)
  })

  it('opens nothing after its time', async () => {
    const { token, secret_id } = await make(await owner())
    await sql`update secrets set expires_at = now() - interval '1 second' where secret_id = ${secret_id}`
    expect(await opens(token)).toBe(false)
    expect(await use?.(token)).not.toBe(true)
  })

  it('opens nothing while its person is locked', async () => {
    const alice = await owner()
    const { token } = await make(alice)
    await lock(sql, alice)
    expect(await opens(token)).toBe(false)
    expect(await use?.(token)).not.toBe(true)
  })

  it('opens nothing even if a lock has left its row', async () => {
    const alice = await owner()
    const { token, secret_id } = await make(alice)
    const [row = {}] = await sql`select * from secrets where secret_id = ${secret_id}`
    await lock(sql, alice)
    await sql`delete from secrets where secret_id = ${secret_id}`
    await sql`insert into secrets ${sql({ ...row, opens: sql.json(row.opens) })}`
    expect(await opens(token)).toBe(false)
    expect(await use?.(token)).not.toBe(true)
  })

  it('opens nothing after its person is deleted', async () => {
    const alice = await owner()
    const { token } = await make(alice)
    await sql`delete from users where id = ${alice.user.user_id}`
    expect(await opens(token)).toBe(false)
    expect(await use?.(token)).not.toBe(true)
  })

  it('is not ended by another person', async () => {
    const [alice, bob] = [await owner(), await person(sql, 'bob')]
    const { token, secret_id } = await make(alice)
    expect(await secretsOf(sql, bob.user.user_id).revoke(kinds, secret_id)).toBe(false)
    expect([await bob.library.secrets.tokens(), await bob.library.secrets.links()]).toEqual([[], []])
    expect(await opens(token)).toBe(true)
  })

  it('opens nothing after it was revoked', async () => {
    const alice = await owner()
    const { token, secret_id } = await make(alice)
    const { user_id, username } = alice.user
    const { invitations, resets } = deskOf(sql, { user_id, name: username })
    if (kind === 'invitation') expect(await invitations.delete(secret_id)).toBe(true)
    else if (kind === 'reset') await resets.make(username, 60, false)
    else expect(await secretsOf(sql, user_id).revoke([kind], secret_id)).toBe(true)
    expect(await opens(token)).toBe(false)
    expect(await use?.(token)).not.toBe(true)
  })
})

describe.each(kinds.filter(kind => doors[kind].use))('a secret of the kind %s', kind => {
  it('is used once, also by many at the same moment', async () => {
    const { make, opens, use } = doors[kind]
    const { token } = await make(await owner())
    const used = await Promise.all(Array.from({ length: 6 }, () => use?.(token)))
    expect(used.filter(Boolean)).toHaveLength(1)
    expect([await opens(token), await use?.(token)]).toEqual([false, false])
  })
})
