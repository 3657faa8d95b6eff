/** Signing in by an OpenID provider that runs here, and attacks on it. */
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { callback, startProvider, ttl, visit } from '../../support/app/openid-provider.ts'
import { person } from '../../support/app/people.ts'
import { cookieOf, flashOf, newcomer, pairOf, password } from '../../support/app/sign-in.ts'

const idp = await startProvider()
/** The clock of the service. */
let skew_ms = 0
const seen = idp.seen({ OIDC_ADMIN_GROUP: 'staff' }, () => Date.now() + skew_ms)
const app = useApp({ OIDC_REGISTRATION: 'on', OIDC_ADMIN_GROUP: 'staff', provider: seen })
const strict = useApp({ provider: idp.seen() })
/** Without an account. */
const empty = useApp({ provider: idp.seen() })
const below = useApp({ PUBLIC_URL: 'http://localhost/backlot', OIDC_REGISTRATION: 'on', provider: idp.seen() })
const { sql } = app

beforeEach(() => {
  idp.restart()
})
afterEach(() => {
  idp.visitor = 'alice'
  idp.tamper = {}
  skew_ms = 0
})
afterAll(() => idp.stop())

type App = Pick<typeof app, 'ask'>

/** The cookie of the attempt that an answer begins; its name is the attempt's own. */
const attemptOf = (answer: Response) =>
  answer.headers.getSetCookie().find(cookie => /^oidc-[0-9a-f]{16}=[0-9a-f]/.test(cookie)) ?? ''

/** The first step: to the provider. `cookie`: the secret of the attempt. */
async function begin({ ask }: App, query = '', headers: { cookie?: string } = {}) {
  const answer = await ask(`/login/oidc${query}`, { headers })
  const cookie = attemptOf(answer)
  return { answer, url: answer.headers.get('location') ?? '', cookie: pairOf(cookie), set_cookie: cookie }
}

/** The last step: back from the provider. */
const finish = ({ ask }: App, back: URL | string, cookie: string) => {
  const { pathname, search } = new URL(back)
  return ask(pathname + search, { headers: { cookie } })
}

/** All steps. */
async function signIn(to: App, who: string, query = '') {
  idp.visitor = who
  const { url, cookie } = await begin(to, query)
  return finish(to, await visit(url), cookie)
}

const sessionOf = (answer: Response) => pairOf(cookieOf(answer, 'session'))
const changed = (url: string | URL, name: string, value: string) => {
  const made = new URL(url)
  made.searchParams.set(name, value)
  return made
}

/** A refusal: a message on the login page, and no session. */
function expectRefusal(answer: Response, sentence: string) {
  expect(answer.headers.get('location')).toBe('/login')
  expect(flashOf(answer)).toEqual({ kind: 'problem', text: sentence })
  expect(sessionOf(answer)).toBe('')
}

const unfit = 'The answer of Club login cannot be trusted. Try again, or ask your administrator.'
const refused = 'Club login refused the sign-in. Try again, or ask your administrator.'
const away = 'Club login does not answer. Try again later, or sign in with your password.'
const no_attempt = 'This sign-in is too old, was used before, or began in another browser. Try again.'
const clocks = 'The clocks of Club login and of this service differ. Ask your administrator to set them.'

describe('signing in', () => {
  it('asks with PKCE, state and nonce, and keeps the attempt in a cookie that no script and no other site gets', async () => {
    const { url, set_cookie, answer } = await begin(app)
    expect(answer.status).toBe(303)
    const { searchParams } = new URL(url)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uri: callback,
      scope: 'openid profile groups',
    })
    expect(set_cookie).toMatch(/^oidc-[0-9a-f]{16}=[0-9a-f]{64}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
  })

  it('creates an account for a new subject, and opens the same one after a restart with a new key', async () => {
    const first = await signIn(app, 'new-person', '?next=/downloads')
    expect([first.status, first.headers.get('location')]).toEqual([303, '/downloads'])
    expect(flashOf(first).text).toBe('Signed in as new-person.')
    expect(await (await app.ask('/', { headers: { cookie: sessionOf(first) } })).status).toBe(200)

    idp.restart()
    const second = await signIn(app, 'new-person')
    expect(flashOf(second).text).toBe('Signed in as new-person.')
    expect(await sql`select from users where username like 'new-person%'`).toHaveLength(1)
  })

  it('ends the earlier session of the browser', async () => {
    const earlier = sessionOf(await signIn(app, 'rotating'))
    idp.visitor = 'rotating'
    const url = (await begin(app)).url
    const { cookie } = await begin(app)
    expect(url).not.toBe('')
    const again = await begin(app)
    const answer = await finish(app, await visit(again.url), `${again.cookie}; ${earlier}`)
    expect(sessionOf(answer)).not.toBe('')
    expect((await app.ask('/downloads', { headers: { cookie: earlier } })).status).toBe(303)
    expect(cookie).not.toBe(again.cookie)
  })

  it.each(['first', 'last'])('works in two tabs of one browser, where the %s one comes back first', async which => {
    const tabs = [await begin(app, '?next=/channels'), await begin(app, '?next=/downloads')]
    const jar = tabs.map(({ cookie }) => cookie).join('; ')
    const backs: [URL, string][] = [
      [await visit(tabs[0]?.url ?? ''), '/channels'],
      [await visit(tabs[1]?.url ?? ''), '/downloads'],
    ]
    if (which === 'last') backs.reverse()
    for (const [back, leads_to] of backs) {
      const answer = await finish(app, back, jar)
      expect([sessionOf(answer) !== '', answer.headers.get('location')]).toEqual([true, leads_to])
    }
  })

  it('keeps the cookies of the five newest attempts', async () => {
    const jar = new Map<string, string>()
    const jarText = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const begun = []
    for (let nth = 0; nth < 7; nth++) {
      const one = await begin(app, '', { cookie: jarText() })
      for (const cookie of one.answer.headers.getSetCookie()) {
        const [name = '', value = ''] = pairOf(cookie).split('=')
        if (value) jar.set(name, value)
        else jar.delete(name)
      }
      begun.push(one)
    }
    expect(jarText()).toBe(
      begun
        .slice(2)
        .map(({ cookie }) => cookie)
        .join('; '),
    )
  })

  it.each(['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)', '/login'])(
    'never leads out of the site: next=%s',
    async next => {
      const answer = await signIn(app, 'inside', `?next=${encodeURIComponent(next)}`)
      expect(answer.headers.get('location')).toBe('/')
    },
  )

  it('gives a taken name a number, and never opens the account that has the name', async () => {
    const { username } = await newcomer(app, 'Taken')
    const answer = await signIn(app, 'taken')
    expect(flashOf(answer).text).toBe('Signed in as taken-2.')
    const [{ count } = {}] = await sql`
      select count(*)::int from identities join users on users.id = user_id where username = ${username}`
    expect(count).toBe(0)
  })

  it('makes a username of any name', async () => {
    idp.claims.odd = { preferred_username: 'Zoë Müller <b>@example.org' }
    expect(flashOf(await signIn(app, 'odd')).text).toBe('Signed in as Zoe-Muller-b.')
    idp.claims.empty = { preferred_username: '人' }
    expect(flashOf(await signIn(app, 'empty')).text).toBe('Signed in as person.')
  })

  it('creates the first account also where registration is off, and no second one, also if an account has its name', async () => {
    expect(await empty.textAt('/register')).toContain('href="/login/oidc"')
    idp.claims.founder = { preferred_username: 'alice' }
    expect(flashOf(await signIn(empty, 'founder')).text).toBe('Signed in as alice.')
    expect(await empty.textAt('/register')).not.toContain('href="/login/oidc"')
    const answer = await signIn(empty, 'alice')
    expectRefusal(
      answer,
      'No account here is linked to this sign-in. Sign in with your password, then link Club login in Settings, under Account.',
    )
    expect(await empty.sql`select from users`).toHaveLength(1)
  })

  it('refuses a locked person', async () => {
    await signIn(app, 'locked')
    await sql`update users set locked_at = now() where username = 'locked'`
    expectRefusal(await signIn(app, 'locked'), 'This account is locked. Ask your administrator.')
  })

  it('is not there without a provider', async () => {
    expect((await without.ask('/login/oidc')).status).toBe(404)
    expect((await without.ask('/login/oidc/callback?code=a&state=b')).status).toBe(404)
  })
})

const without = useApp()

describe('an attack', () => {
  it('by a callback without an attempt: refused, and the provider is not asked', async () => {
    const asked = idp.requests.length
    expectRefusal(await finish(app, `${callback}?code=forged&state=forged`, ''), no_attempt)
    expectRefusal(await finish(app, `${callback}?code=forged&state=forged`, 'oidc=00'), no_attempt)
    expect(idp.requests.length).toBe(asked)
  })

  it('by a callback in another browser: refused, so that no one is signed in as the attacker', async () => {
    const [attacker, victim] = [await begin(app), await begin(app)]
    const back = await visit(attacker.url)
    expectRefusal(await finish(app, back, ''), no_attempt)
    expectRefusal(await finish(app, back, victim.cookie), no_attempt)
    // Not even where the attacker renames the cookie of the victim.
    const renamed = victim.cookie.replace(/^[^=]+/, pairOf(attacker.cookie).split('=')[0] ?? '')
    expectRefusal(await finish(app, back, renamed), unfit)
  })

  it('by another state: refused', async () => {
    const { url, cookie } = await begin(app)
    const back = await visit(url)
    for (const state of ['other', '', ' ', '=;', '\u0000', 'x'.repeat(5000)])
      expectRefusal(await finish(app, changed(back, 'state', state), cookie), no_attempt)
    const without_state = new URL(back)
    without_state.searchParams.delete('state')
    expectRefusal(await finish(app, without_state, cookie), no_attempt)
    // A forged callback uses up no attempt of this browser.
    expect(sessionOf(await finish(app, back, cookie))).not.toBe('')
  })

  it('by a callback that is sent again to a person who is signed in: leads home, and changes nothing', async () => {
    const { url, cookie } = await begin(app, '?next=/channels')
    const back = await visit(url)
    const session = sessionOf(await finish(app, back, cookie))
    const asked = idp.requests.length
    for (const again of [back, `${callback}?code=forged&state=forged`, `${callback}?error=access_denied`]) {
      const answer = await finish(app, again, `${cookie}; ${session}`)
      expect([answer.status, answer.headers.get('location'), sessionOf(answer)]).toEqual([303, '/', ''])
      expect(flashOf(answer)).toMatchObject({ kind: 'done', text: 'You are already signed in as alice.' })
    }
    expect(idp.requests.length).toBe(asked)
    expect((await app.ask('/channels', { headers: { cookie: session } })).status).toBe(200)
  })

  it('by a callback that is sent again: refused', async () => {
    const { url, cookie } = await begin(app)
    const back = await visit(url)
    expect(sessionOf(await finish(app, back, cookie))).not.toBe('')
    expectRefusal(await finish(app, back, cookie), no_attempt)
  })

  it('by a used code in a new attempt: refused', async () => {
    const first = await begin(app)
    const used = await visit(first.url)
    await finish(app, used, first.cookie)
    const second = await begin(app)
    const back = changed(await visit(second.url), 'code', used.searchParams.get('code') ?? '')
    expectRefusal(await finish(app, back, second.cookie), refused)
  })

  it('by the code of another person, put into an own attempt: refused by PKCE', async () => {
    const [theirs, own] = [await begin(app), await begin(app)]
    const stolen = (await visit(theirs.url)).searchParams.get('code') ?? ''
    const back = changed(await visit(own.url), 'code', stolen)
    expectRefusal(await finish(app, back, own.cookie), refused)
  })

  it('by an answer in the name of another provider (mix-up): refused', async () => {
    const { url, cookie } = await begin(app)
    expectRefusal(await finish(app, changed(await visit(url), 'iss', 'https://evil.example'), cookie), unfit)
  })

  it('by an answer that does not say which provider it comes from: refused', async () => {
    const { url, cookie } = await begin(app)
    const back = await visit(url)
    back.searchParams.delete('iss')
    expectRefusal(await finish(app, back, cookie), unfit)
  })

  it('by another nonce: refused', async () => {
    const { url, cookie } = await begin(app)
    expectRefusal(await finish(app, await visit(changed(url, 'nonce', 'other').href), cookie), unfit)
  })

  it('by an ID token with another signature: refused', async () => {
    idp.tamper['/token'] = answer => ({ ...answer, id_token: answer.id_token?.replace(/[^.]+$/, 'A'.repeat(342)) })
    expectRefusal(await signIn(app, 'alice'), unfit)
  })

  it('by an ID token that someone else issued, for another client, or without a signature: refused', async () => {
    const changes: [object, object][] = [
      [{}, { iss: 'https://evil.example' }],
      [{}, { aud: 'another' }],
      [{ alg: 'none' }, {}],
      [{ alg: 'HS256' }, {}],
    ]
    for (const [header, claims] of changes) {
      idp.tamper['/token'] = answer => ({ ...answer, id_token: rewritten(answer.id_token, header, claims) })
      expectRefusal(await signIn(app, 'alice'), unfit)
    }
  })

  it.each(['(null)', '{{ user.uid }}', '   ', '\u3164', 'ali\u200bce'])(
    'by the subject %j, which names no one: refused',
    async sub => {
      expectRefusal(await signIn(app, sub), unfit)
    },
  )

  it('by a text in the error of the provider: the text is not shown', async () => {
    const { url, cookie } = await begin(app)
    const { searchParams } = await visit(url)
    const back = new URL(callback)
    back.search = `${new URLSearchParams({
      error: 'server_error',
      error_description: 'Call +1 555',
      state: searchParams.get('state') ?? '',
      iss: idp.issuer,
    })}`
    expectRefusal(await finish(app, back, cookie), refused)
  })

  it('by a document of the provider that leads into the network: not followed', async () => {
    const inside = await startProvider()
    for (const endpoint of ['token_endpoint', 'jwks_uri', 'userinfo_endpoint']) {
      idp.tamper['/.well-known/openid-configuration'] = answer => ({ ...answer, [endpoint]: `${inside.issuer}/token` })
      const { begin: beginThere, finish: finishThere } = idp.seen()
      const { url, attempt } = await beginThere(callback)
      const { search } = await visit(url)
      expect([endpoint, await refusalOf(finishThere(attempt, search))]).toEqual([endpoint, away])
    }
    expect(inside.requests).toEqual([])
    await inside.stop()
  })

  it('by a document in the name of another provider: refused', async () => {
    idp.tamper['/.well-known/openid-configuration'] = answer => ({ ...answer, issuer: 'https://evil.example' })
    expect(await refusalOf(idp.seen().begin(callback))).toBe(away)
  })
})

const fresh = useApp({ provider: idp.seen() })

function rewritten(token = '', header: object, claims: object): string {
  const [head = '', body = '', signature] = token.split('.')
  const change = (part: string, changes: object) =>
    Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(part, 'base64url').toString()), ...changes })).toString(
      'base64url',
    )
  return [change(head, header), change(body, claims), signature].join('.')
}

describe('a provider in trouble', () => {
  it.each([600_000, -600_000])('whose clock is off by %d ms: a sentence says so', async ms => {
    skew_ms = ms
    expectRefusal(await signIn(app, 'alice'), clocks)
  })

  it('whose clock is off by some seconds signs in', async () => {
    skew_ms = 20_000
    expect(sessionOf(await signIn(app, 'alice'))).not.toBe('')
    skew_ms = -20_000
    expect(sessionOf(await signIn(app, 'alice'))).not.toBe('')
  })

  it('whose tokens have expired: a sentence says so', async () => {
    idp.restart({ ttl: { ...ttl, IdToken: 60 } })
    skew_ms = 200_000
    expectRefusal(await signIn(app, 'alice'), clocks)
  })

  it('that is away: a sentence on the login page, where the password signs in, and it is asked again', async () => {
    const of_its_own = idp.seen()
    idp.goAway()
    expect(await refusalOf(of_its_own.begin(callback))).toBe(away)
    const { answer } = await begin(fresh)
    expectRefusal(answer, away)
    expect((await fresh.ask('/register')).status).toBe(200)

    idp.restart()
    expect((await of_its_own.begin(callback)).url).toContain(idp.issuer)
    expect((await begin(fresh)).url).toContain(idp.issuer)
  })

  it('that goes away in the middle: a sentence, and the attempt is over', async () => {
    const { url, cookie } = await begin(app)
    const back = await visit(url)
    idp.goAway()
    expectRefusal(await finish(app, back, cookie), away)
    idp.restart()
    expectRefusal(await finish(app, back, cookie), no_attempt)
  })

  it('at which the person cancels: a sentence, without the text of the provider', async () => {
    idp.visitor = undefined
    const { url, cookie } = await begin(app)
    expectRefusal(await finish(app, await visit(url), cookie), 'The sign-in by Club login was cancelled.')
  })

  it('asks for a changed document after ten minutes, and shares one request until then', async () => {
    const asked = () => idp.requests.filter(path => path.endsWith('/openid-configuration')).length
    let now = Date.now()
    const own = idp.seen({}, () => now)
    const before = asked()
    await Promise.all([own.begin(callback), own.begin(callback), own.begin(callback)])
    expect(asked() - before).toBe(1)
    now += 601_000
    await own.begin(callback)
    expect(asked() - before).toBe(2)
  })
})

const refusalOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing was refused',
    (fault: Error) => fault.message,
  )

const only = useApp({ OIDC_REGISTRATION: 'on', OIDC_ADMIN_GROUP: 'staff', provider: seen })

describe('an administrator by a group', () => {
  const roleOf = async (username: string) => (await sql`select role from users where username = ${username}`)[0]?.role
  const acts = (username: string) =>
    sql`select actor, act, detail from admin_acts where username = ${username} order by id`

  it('is one as long as the group says so, and the log notes each change', async () => {
    await person(sql, 'someone')
    idp.claims.carol = { groups: ['staff', 'others'] }
    await signIn(app, 'carol')
    await signIn(app, 'carol')
    expect(await roleOf('carol')).toBe('admin')
    idp.claims.carol = { groups: ['others'] }
    await signIn(app, 'carol')
    expect(await roleOf('carol')).toBe('member')
    expect(await acts('carol')).toEqual([
      { actor: 'Club login', act: 'role_changed', detail: 'admin' },
      { actor: 'Club login', act: 'role_changed', detail: 'member' },
    ])
  })

  it('is none with a group of a similar name, or a role among the claims', async () => {
    // The first account is an administrator's.
    await signIn(app, 'earlier')
    idp.claims.mallory = { groups: ['Staff', 'staff2', ''], role: 'admin', preferred_username: 'mallory' }
    await signIn(app, 'mallory')
    expect(await roleOf('mallory')).toBe('member')
  })

  it('stays one as the only account', async () => {
    const alone = await signIn(only, 'alone')
    expect(flashOf(alone).text).toBe('Signed in as alone.')
    await signIn(only, 'alone')
    expect(await only.sql`select role from users`).toEqual([{ role: 'admin' }])
  })

  it('stays one as the last who can sign in', async () => {
    idp.claims.dave = { groups: 'staff' }
    await signIn(app, 'dave')
    // An administrator with a password is kept, unless another one has a password, too.
    await sql`update users set password_hash = 'not a hash' where username = 'dave'`
    await sql`update users set role = 'member' where username <> 'dave' and role = 'admin'`
    idp.claims.dave = { groups: [] }
    const answer = await signIn(app, 'dave')
    expect(flashOf(answer).text).toBe('Signed in as dave.')
    expect(await roleOf('dave')).toBe('admin')
    expect(await acts('dave')).toHaveLength(1)
  })
})

describe('linking', () => {
  async function link(who: { cookie: string }, form: Record<string, string> = { current_password: password }) {
    const answer = await strict.ask('/settings/identities', { form, headers: who })
    return {
      answer,
      cookie: pairOf(attemptOf(answer)),
      url: /url=(.*)/.exec(answer.headers.get('refresh') ?? '')?.[1] ?? '',
    }
  }
  const linked = (username: string) => strict.sql`
    select subject from identities join users on users.id = user_id where username = ${username}`

  it('by its owner, with the password: from then on it signs in, and unlinking ends that', async () => {
    const owner = await newcomer(strict, 'linker')
    idp.visitor = 'subject-of-linker'
    const { url, cookie, answer } = await link(owner.headers)
    expect(answer.status).toBe(200)
    const done = await finish(strict, await visit(url), `${cookie}; ${owner.headers.cookie}`)
    expect(done.headers.get('location')).toBe('/settings/account#ways-in')
    expect(flashOf(done).text).toBe('Club login is linked. You can sign in with it from now on.')
    expect(flashOf(await signIn(strict, 'subject-of-linker')).text).toBe('Signed in as linker.')

    expect(await strict.textAt('/settings/account', { headers: owner.headers })).toContain('subject-of-linker')
    const key = { issuer: idp.issuer, subject: 'subject-of-linker' }
    await strict.ask('/settings/identities/unlink', { form: key, headers: owner.headers })
    expect(await linked('linker')).toEqual([])
    expect(sessionOf(await signIn(strict, 'subject-of-linker'))).toBe('')
  })

  it('without the password, or with a wrong one: refused', async () => {
    const owner = await newcomer(strict, 'wrong-password')
    for (const form of [{}, { current_password: 'wrong' }]) {
      const { answer, cookie } = await link(owner.headers, form)
      expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('Wrong password.')])
      expect(cookie).toBe('')
    }
  })

  it('an identity of another account: refused', async () => {
    const [first, second] = [await newcomer(strict, 'first-owner'), await newcomer(strict, 'second-owner')]
    idp.visitor = 'shared-subject'
    const hers = await link(first.headers)
    await finish(strict, await visit(hers.url), `${hers.cookie}; ${first.headers.cookie}`)
    const his = await link(second.headers)
    const answer = await finish(strict, await visit(his.url), `${his.cookie}; ${second.headers.cookie}`)
    expect(flashOf(answer).text).toBe('This sign-in is linked to another account. Unlink it there first.')
    expect(await linked('second-owner')).toEqual([])
  })

  it('in the session of another person, or without a session: refused', async () => {
    const [owner, other] = [await newcomer(strict, 'begins'), await newcomer(strict, 'ends')]
    for (const session of ['', other.headers.cookie]) {
      idp.visitor = 'wandering'
      const { url, cookie } = await link(owner.headers)
      const answer = await finish(strict, await visit(url), `${cookie}; ${session}`)
      expect(flashOf(answer).text).toBe('You are no longer signed in as the person who began to link. Try again.')
      expect(sessionOf(answer)).toBe('')
    }
    expect([...(await linked('begins')), ...(await linked('ends'))]).toEqual([])
  })

  it('the identity of another person is not unlinked, and the last way in stays', async () => {
    const made = await signIn(app, 'only-way')
    const cookie = sessionOf(made)
    const key = { issuer: idp.issuer, subject: 'only-way' }
    const other = await newcomer(app, 'unlinker')
    expect((await app.ask('/settings/identities/unlink', { form: key, headers: other.headers })).status).toBe(404)
    const answer = await app.ask('/settings/identities/unlink', { form: key, headers: { cookie } })
    expect(flashOf(answer).text).toBe('You need this to sign in. Set a password first, then unlink it.')
    expect(sessionOf(await signIn(app, 'only-way'))).not.toBe('')
  })
})

describe('signing out', () => {
  const cookiesOf = (answer: Response) =>
    answer.headers
      .getSetCookie()
      .map(pairOf)
      .filter(pair => /^(session|by_provider)=./.test(pair))
      .join('; ')

  it('ends the session here and leads to the end of the one at the provider', async () => {
    const cookie = cookiesOf(await signIn(app, 'leaver'))
    const answer = await app.ask('/logout', { method: 'POST', headers: { cookie } })
    const there = new URL(/url=(.*)/.exec(answer.headers.get('refresh') ?? '')?.[1] ?? '')
    expect(there.origin + there.pathname).toBe(`${idp.issuer}/session/end`)
    expect(Object.fromEntries(there.searchParams)).toEqual({
      client_id: 'backlot',
      post_logout_redirect_uri: 'http://localhost/login',
    })
    expect((await fetch(there)).status).toBe(200)
    expect((await app.ask('/downloads', { headers: { cookie } })).status).toBe(303)
  })

  it('stays here after a sign-in by password, and where the provider offers no end or is away', async () => {
    const { headers } = await newcomer(app, 'by-password')
    expect((await app.ask('/logout', { method: 'POST', headers })).headers.get('location')).toBe('/login')

    const own = idp.seen()
    idp.restart({ features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } } })
    expect(await own.endSession('http://localhost/login')).toBeUndefined()
    idp.goAway()
    expect(await idp.seen().endSession('http://localhost/login')).toBeUndefined()
  })
})

describe('below a path', () => {
  it('a person comes back below the path, and signs out there and at the provider', async () => {
    idp.visitor = 'dora'
    const started = await below.ask('/backlot/login/oidc?next=%2Fchannels')
    const attempt = attemptOf(started)
    expect(attempt).toContain('; Path=/backlot;')
    const back = await visit(started.headers.get('location') ?? '')
    expect(back.pathname).toBe('/backlot/login/oidc/callback')

    const finished = await finish(below, back, pairOf(attempt))
    expect(finished.headers.get('location')).toBe('/backlot/channels')
    const cookie = [sessionOf(finished), pairOf(cookieOf(finished, 'by_provider'))].join('; ')
    expect((await below.ask('/backlot/api/account', { headers: { cookie } })).status).toBe(200)

    const out = await below.ask('/backlot/logout', { method: 'POST', headers: { cookie } })
    const leads_to = new URL(/url=(.*)/.exec(out.headers.get('refresh') ?? '')?.[1] ?? '')
    expect(leads_to.searchParams.get('post_logout_redirect_uri')).toBe('http://localhost/backlot/login')
  })
})
