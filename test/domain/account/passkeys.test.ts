/** Passkeys by a device in software: adding and removing them, signing in, and every answer that must not be accepted. */
import { beforeAll, describe, expect, it } from 'vitest'
import { handleOf, newCredentialIn, optionsToAdd } from '../../../src/auth/passkeys.ts'
import { passkeysIn, passkeysOf } from '../../../src/db/account/passkeys.ts'
import { UserId } from '../../../src/schema/values/user.ts'
import { useApp } from '../../support/app/app.ts'
import { type Device, device, type Lies, map, text } from '../../support/app/authenticator.ts'
import { person } from '../../support/app/people.ts'
import { cookieOf, flashOf, newcomer, pairOf, password } from '../../support/app/sign-in.ts'

const app = useApp({ connections: 8 })
const { ask, sql } = app
const origin = 'http://localhost'

type Newcomer = { username: string; headers: { cookie: string } }
let count = 0
/** Not the first account, which is an administrator. */
const someone = () => newcomer(app, `passkey-${++count}`)

async function idOf({ username }: Newcomer): Promise<UserId> {
  const [found] = await sql<{ id: string }[]>`select id from users where username = ${username}`
  return UserId.parse(found?.id)
}

const namesOf = async (who: Newcomer) => {
  const rows = await sql<{ name: string }[]>`select name from passkeys where user_id = ${await idOf(who)} order by name`
  return rows.map(({ name }) => name)
}

const idOfPasskey = async (who: Newcomer, name: string) => {
  const [row] = await sql<{ passkey_id: string }[]>`
    select passkey_id from passkeys where user_id = ${await idOf(who)} and name = ${name}`
  return row?.passkey_id
}

const withCookie = (who: Newcomer, secret: string) => ({ cookie: `${who.headers.cookie}; ${secret}` })

/** The first step: what the browser gets, and its cookie. */
async function begins(who: Newcomer, name: string, current_password = password) {
  const answer = await ask('/settings/passkeys/options', { headers: who.headers, form: { name, current_password } })
  const options = await answer.json()
  return { status: answer.status, options, secret: pairOf(cookieOf(answer, 'passkey')) }
}

async function adds(who: Newcomer, of: Device, lies: Lies = {}, name = 'phone') {
  const { options, secret } = await begins(who, name)
  return sends(who, secret, of.make(options, lies))
}

const sends = (who: Newcomer, secret: string, credential: unknown) =>
  ask('/settings/passkeys', { headers: withCookie(who, secret), form: { credential: JSON.stringify(credential) } })

async function beginsSignIn() {
  const answer = await ask('/login/passkey/options', { method: 'POST' })
  return { options: await answer.json(), secret: pairOf(cookieOf(answer, 'passkey')) }
}

const signsIn = (secret: string, credential: unknown, more: Record<string, string> = {}, from?: string) =>
  ask('/login/passkey', {
    headers: { cookie: secret },
    form: { credential: JSON.stringify(credential), ...more },
    ...(from && { from }),
  })

async function owner(options = { counts: true }) {
  const [who, of] = [await someone(), device(origin, options)]
  expect((await adds(who, of)).status).toBe(303)
  return { who, of }
}

const refused = 'This passkey was not accepted.'

describe('signing in', () => {
  let shared: Awaited<ReturnType<typeof owner>>
  beforeAll(async () => {
    shared = await owner()
  })

  it.each([true, false])('a passkey signs its person in without a name, counting %j', async counts => {
    const { who, of } = await owner({ counts })
    for (const remember of ['on', '']) {
      const { options, secret } = await beginsSignIn()
      expect(options).not.toHaveProperty('allowCredentials')
      const answer = await signsIn(secret, of.use(options), { remember, next: '/channels' })
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/channels'])
      expect(flashOf(answer).text).toBe(`Signed in as ${who.username}.`)
      const session = cookieOf(answer, 'session')
      expect(/Max-Age=2592000/.test(session)).toBe(remember === 'on')
      const account = await ask('/api/account', { headers: { cookie: pairOf(session) } })
      expect(await account.json()).toMatchObject({ username: who.username })
    }
    expect((await ask('/settings/account', { headers: who.headers })).status).toBe(200)
  })

  it.each(['https://evil.example/', '//evil.example', '/login'])('a passkey does not lead to %s', async next => {
    const { of } = shared
    const { options, secret } = await beginsSignIn()
    expect((await signsIn(secret, of.use(options), { next })).headers.get('location')).toBe('/')
  })

  const lies: [string, Lies][] = [
    ['an answer of another origin', { origin: 'https://evil.example' }],
    ['an answer of another port', { origin: 'http://localhost:81' }],
    ['an answer for another host name', { rp_id: 'evil.example' }],
    ['an answer from a frame', { cross_origin: true }],
    ['an answer of another type', { type: 'webauthn.create' }],
    ['an answer to another challenge', { challenge: 'YW5vdGhlcg' }],
    ['an answer signed by another key', { forged: true }],
    ['an answer without a person', { flags: 4 }],
    ['an answer whose person was not verified', { flags: 1 }],
    ['an answer that names no person', { user_handle: '' }],
    ['an answer that names another person', { user_handle: handleOf(UserId.parse(crypto.randomUUID())) }],
    ['a counter that does not go on', { counter: 1 }],
    ['a counter that goes back to nothing', { counter: 0 }],
  ]
  it.each(lies)('%s is refused', async (_, lie) => {
    const { of } = shared
    const { options, secret } = await beginsSignIn()
    await expectRefused(await signsIn(secret, of.use(options, lie)))
    // The challenge was used.
    await expectRefused(await signsIn(secret, of.use(options)))
    const again = await beginsSignIn()
    expect((await signsIn(again.secret, of.use(again.options))).status).toBe(303)
  })

  it('an answer is accepted once, also of two at the same moment', async () => {
    const { of } = await owner({ counts: false })
    const { options, secret } = await beginsSignIn()
    const answer = of.use(options)
    const both = await Promise.all([signsIn(secret, answer), signsIn(secret, answer)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([303, 401])
    await expectRefused(await signsIn(secret, answer))
    await expectRefused(await signsIn((await beginsSignIn()).secret, answer))
  })

  it('of a device and its copy that sign in at the same moment, one is refused', async () => {
    const { of } = await owner()
    const [one, other] = [await beginsSignIn(), await beginsSignIn()]
    const answers = [of.use(one.options, { counter: 7 }), of.use(other.options, { counter: 7 })]
    const both = await Promise.all([signsIn(one.secret, answers[0]), signsIn(other.secret, answers[1])])
    expect(both.map(({ status }) => status).toSorted()).toEqual([303, 401])
  })

  it('an answer from another browser, or without a cookie, is refused', async () => {
    const { of } = shared
    const [mine, other] = [await beginsSignIn(), await beginsSignIn()]
    await expectRefused(await signsIn(other.secret, of.use(mine.options)))
    await expectRefused(await signsIn('passkey=wrong', of.use(mine.options)))
    await expectRefused(await signsIn('a=b', of.use(mine.options)))
  })

  it('a challenge for a new passkey signs no one in, and one to sign in adds no passkey', async () => {
    const { who, of } = shared
    const { options, secret } = await begins(who, 'second')
    await expectRefused(await signsIn(secret, of.use({ challenge: options.challenge, rpId: 'localhost' })))
    const signing = await beginsSignIn()
    const other = device(origin)
    const made = other.make({ challenge: signing.options.challenge, rp: { id: 'localhost' }, user: options.user })
    expect(flashOf(await sends(who, signing.secret, made)).kind).toBe('problem')
    expect(await namesOf(who)).toEqual(['phone'])
  })

  it('a challenge that is too old is refused', async () => {
    const { of } = shared
    const { options, secret } = await beginsSignIn()
    await sql`update secrets set expires_at = now() - interval '1 second'`
    await expectRefused(await signsIn(secret, of.use(options)))
  })

  it('an unknown passkey gets the same answer as a wrong signature', async () => {
    const { of } = shared
    const wrong = await beginsSignIn()
    const by_wrong = await signsIn(wrong.secret, of.use(wrong.options, { forged: true }))
    const unknown = await beginsSignIn()
    const by_unknown = await signsIn(unknown.secret, device(origin).use(unknown.options))
    expect([by_unknown.status, await by_unknown.text()]).toEqual([by_wrong.status, await by_wrong.text()])
  })

  it('a removed passkey signs no one in, also when it is removed meanwhile', async () => {
    const { who, of } = await owner()
    const { options, secret } = await beginsSignIn()
    const held = await passkeysIn(sql).find(of.id)
    const passkey_id = await idOfPasskey(who, 'phone')
    await ask(`/settings/passkeys/${passkey_id}/remove`, { headers: who.headers, method: 'POST' })
    await expectRefused(await signsIn(secret, of.use(options)))
    expect(held && (await passkeysIn(sql).use(held, 9))).toBe(false)
  })

  it('a locked person is told so by the right passkey only', async () => {
    const { who, of } = await owner()
    await sql`update users set locked_at = now() where id = ${await idOf(who)}`
    const wrong = await beginsSignIn()
    await expectRefused(await signsIn(wrong.secret, of.use(wrong.options, { forged: true })))
    const right = await beginsSignIn()
    const answer = await signsIn(right.secret, of.use(right.options))
    expect([answer.status, cookieOf(answer, 'session')]).toEqual([403, ''])
    expect(await answer.text()).toContain('This account is locked. Ask your administrator.')
  })

  it.each([
    ['no answer', ''],
    ['no JSON', '{'],
    ['null', 'null'],
    ['another form', '{"id":1}'],
    ['a huge id', JSON.stringify({ id: 'a'.repeat(2000), rawId: 'a'.repeat(2000), type: 'public-key', response: {} })],
  ])('%s is refused', async (_, credential) => {
    const { secret } = await beginsSignIn()
    const answer = await ask('/login/passkey', { headers: { cookie: secret }, form: { credential } })
    await expectRefused(answer)
  })

  it('a huge body is refused before it is read', async () => {
    const answer = await ask('/login/passkey', { form: { credential: 'a'.repeat(300_000) } })
    expect(answer.status).toBe(413)
  })

  it('after fifty failures from an address, it has to wait', async () => {
    const { of } = await owner()
    for (let nth = 0; nth < 50; nth++)
      expect((await signsIn('a=b', of.use({ challenge: '' }), {}, 'many')).status).toBe(401)
    const answer = await signsIn('a=b', of.use({ challenge: '' }), {}, 'many')
    expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([429, true])
    const elsewhere = await beginsSignIn()
    expect((await signsIn(elsewhere.secret, of.use(elsewhere.options, { counter: 99 }))).status).toBe(303)
  })
})

async function expectRefused(answer: Response) {
  expect([answer.status, cookieOf(answer, 'session')]).toEqual([401, ''])
  expect(await answer.text()).toContain(refused)
}

describe('adding', () => {
  it('the browser is asked for a passkey without a name, with a check of the person, that it does not have yet', async () => {
    const { who, of } = await owner()
    const { options } = await begins(who, 'second')
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Backlot' },
      user: { id: handleOf(await idOf(who)), name: who.username },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      excludeCredentials: [{ id: of.id }],
    })
  })

  it('a wrong password begins nothing, and counts as a try to sign in', async () => {
    const who = await someone()
    const { status, options, secret } = await begins(who, 'phone', 'wrong')
    expect([status, options, secret]).toEqual([422, { sentence: 'Wrong password.' }, ''])
    const [tries] = await sql`select failures from sign_in_failures where subject = ${`account:${who.username}`}`
    expect(tries).toEqual({ failures: 1 })
  })

  it('a person without a password is asked for none', async () => {
    const who = await someone()
    await sql`update users set password_hash = null where id = ${await idOf(who)}`
    expect((await begins(who, 'phone', '')).status).toBe(200)
  })

  const lies: [string, Lies][] = [
    ['of another origin', { origin: 'https://evil.example' }],
    ['for another host name', { rp_id: 'evil.example' }],
    ['from a frame', { cross_origin: true }],
    ['of another type', { type: 'webauthn.get' }],
    ['to another challenge', { challenge: 'YW5vdGhlcg' }],
    ['without a person', { flags: 4 }],
    ['whose person was not verified', { flags: 1 }],
  ]
  let unlucky: Newcomer
  beforeAll(async () => {
    unlucky = await someone()
  })
  it.each(lies)('an answer %s adds nothing', async (_, lie) => {
    const answer = await adds(unlucky, device(origin), lie)
    expect(flashOf(answer)).toEqual({ kind: 'problem', text: 'The passkey was not added. Try again.' })
    expect(await namesOf(unlucky)).toEqual([])
  })

  it('an answer adds once, for the person who began, and only with the cookie', async () => {
    const [who, other] = [await someone(), await someone()]
    const { options, secret } = await begins(who, 'phone')
    const made = device(origin).make(options)
    expect(flashOf(await sends(who, 'a=b', made)).kind).toBe('problem')
    const { secret: second, options: for_second } = await begins(who, 'second')
    expect(flashOf(await sends(other, second, device(origin).make(for_second))).kind).toBe('problem')
    expect(flashOf(await sends(who, secret, made)).kind).toBe('done')
    expect(flashOf(await sends(who, secret, made)).kind).toBe('problem')
    expect([await namesOf(who), await namesOf(other)]).toEqual([['phone'], []])
  })

  it('a passkey of one person is not added to another one', async () => {
    const { of } = await owner()
    const other = await someone()
    expect(flashOf(await adds(other, of)).text).toBe('This passkey already belongs to an account here.')
    expect(await namesOf(other)).toEqual([])
  })

  it('what the maker states about a device is not read', async () => {
    const who = await someone()
    const statement = map([[text('x5c'), text('no certificate')]])
    expect((await adds(who, device(origin), { statement: ['packed', statement] })).status).toBe(303)
    expect(await namesOf(who)).toEqual(['phone'])
  })

  it('the 21st passkey is refused, also of two at the same moment', async () => {
    const who = await someone()
    await sql`
      insert into passkeys (user_id, credential_id, public_key, counter, name)
      select ${await idOf(who)}, ${who.username} || nth, '', 0, 'p' || nth from generate_series(1, 19) nth`
    const [one, other] = [await begins(who, 'q1'), await begins(who, 'q2')]
    const both = await Promise.all([
      sends(who, one.secret, device(origin).make(one.options)),
      sends(who, other.secret, device(origin).make(other.options)),
    ])
    expect(both.map(answer => flashOf(answer).kind).toSorted()).toEqual(['done', 'problem'])
    const full = await begins(who, 'q3')
    expect([full.status, full.options.sentence]).toEqual([409, expect.stringContaining('20 passkeys')])
    expect(await namesOf(who)).toHaveLength(20)
  })

  it('a name that is missing or too long is refused in words', async () => {
    const who = await someone()
    expect((await begins(who, ' ')).options).toEqual({ sentence: 'Enter a name.' })
    expect((await begins(who, 'a'.repeat(61))).options).toEqual({ sentence: 'Use at most 60 characters.' })
  })

  it('a form that a browser sends without a passkey is refused in words', async () => {
    const who = await someone()
    const answer = await ask('/settings/passkeys', { headers: who.headers, form: { name: 'phone' } })
    expect([answer.status, flashOf(answer).kind]).toEqual([303, 'problem'])
  })
})

describe('behind a proxy', () => {
  const tv = useApp({ PUBLIC_URL: 'https://tv.example.org' })
  it('a passkey belongs to the name of PUBLIC_URL, and answers count only from there', async () => {
    const { user } = await person(tv.sql, 'alice')
    const site = { host_name: 'tv.example.org', origin: 'https://tv.example.org' }
    const of = device(site.origin)
    const asked = await optionsToAdd(site, user, [])
    const credential = await newCredentialIn(site, asked.challenge, of.make(asked))
    if (!credential) throw new Error('the device was refused')
    await passkeysOf(tv.sql, user.user_id).add({ ...credential, name: 'phone' })
    const signsInFrom = async (lies: Lies) => {
      const begun = await tv.ask('/login/passkey/options', { method: 'POST' })
      const secret = cookieOf(begun, '__Host-passkey')
      expect(secret).toMatch(/; Secure/)
      const form = { credential: JSON.stringify(of.use(await begun.json(), lies)) }
      return (await tv.ask('/login/passkey', { headers: { cookie: pairOf(secret) }, form })).status
    }
    expect(await signsInFrom({})).toBe(303)
    expect(await signsInFrom({ origin: 'http://tv.example.org' })).toBe(401)
    expect(await signsInFrom({ origin: 'https://example.org', rp_id: 'example.org' })).toBe(401)
  })
})

describe('renaming and removing', () => {
  it('a person renames and removes their own passkeys, and no others', async () => {
    const [{ who }, other] = [await owner(), await someone()]
    const path = `/settings/passkeys/${await idOfPasskey(who, 'phone')}`
    expect((await ask(`${path}/rename`, { headers: other.headers, form: { name: 'mine' } })).status).toBe(404)
    expect((await ask(`${path}/remove`, { headers: other.headers, method: 'POST' })).status).toBe(404)
    expect((await ask(`${path}/rename`, { headers: who.headers, form: { name: 'new phone' } })).status).toBe(303)
    expect(await namesOf(who)).toEqual(['new phone'])
    expect((await ask(`${path}/remove`, { headers: who.headers, method: 'POST' })).status).toBe(303)
    expect(await namesOf(who)).toEqual([])
  })

  it('the last way to sign in stays, also when both of two are removed at the same moment', async () => {
    const { who } = await owner()
    await adds(who, device(origin), {}, 'second')
    await sql`update users set password_hash = null where id = ${await idOf(who)}`
    const ids = [await idOfPasskey(who, 'phone'), await idOfPasskey(who, 'second')]
    const removals = await Promise.all(
      ids.map(id => ask(`/settings/passkeys/${id}/remove`, { headers: who.headers, method: 'POST' })),
    )
    expect(removals.map(({ status }) => status).toSorted()).toEqual([303, 409])
    expect(await namesOf(who)).toHaveLength(1)
  })

  it('an administrator without a password keeps a passkey, because a provider can be away', async () => {
    const { who } = await owner()
    const user_id = await idOf(who)
    await sql`update users set role = 'admin', password_hash = null where id = ${user_id}`
    await sql`insert into identities (issuer, subject, user_id, name) values ('https://id.example', 'one', ${user_id}, 'one')`
    const remove = async () => {
      const path = `/settings/passkeys/${await idOfPasskey(who, 'phone')}/remove`
      return (await ask(path, { headers: who.headers, method: 'POST' })).status
    }

    expect(await remove()).toBe(409)
    await sql`update users set role = 'member' where id = ${user_id}`
    expect(await remove()).toBe(303)
  })
})
