/** The headers of every answer of every route, in every state that can be tested here. */
import { describe, expect, it } from 'vitest'
import { unlimited, useApp } from '../../support/app/app.ts'
import { onDisk } from '../../support/app/files.ts'
import { follows, type Person, person } from '../../support/app/people.ts'

const app = useApp({ limits: unlimited })
const secure = useApp({ PUBLIC_URL: 'https://tv.example', limits: unlimited })
const broken = useApp()

async function aliceOwns({ sql, folder }: typeof app): Promise<Person> {
  const alice = await person(sql, 'alice')
  await follows(alice, 'c', ['v1', 'v2'])
  await onDisk(folder, alice, 'v1', 'her video', 'c')
  return alice
}

const routesOf = ({ app: hono }: typeof app) => [
  ...new Set(hono.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`)),
]

/** Each route signed out, as its owner, for a missing resource, as a fragment, and with a malformed body if it takes one. */
async function walk(one: typeof app, cookie: (as: Person) => string): Promise<[string, Response][]> {
  const answers: [string, Response][] = []
  const reader = await aliceOwns(one)
  for (const route of routesOf(one)) {
    const [method = '', path = ''] = route.split(' ')
    // Any other request may sign her out, or delete what she has.
    const alice = method === 'GET' ? reader : await aliceOwns(one)
    const here = path.replace(':video_id', 'v1').replace(':channel_id', 'c').replace(':name', 'backlot.css')
    const headers = { cookie: cookie(alice) }
    const calls = {
      'signed out': [here, { method }],
      owner: [here, { method, headers }],
      nowhere: [path.replace(/:\w+/g, 'nope'), { method, headers }],
      ...(method !== 'GET' && { nonsense: [here, { method, headers, json: '{' }] as const }),
      fragment: [here, { method, headers: { ...headers, 'hx-request': 'true' } }],
    } as const
    for (const [who, [asked, options]] of Object.entries(calls)) {
      const answer = await one.ask(asked, options)
      await answer.arrayBuffer()
      answers.push([`${route} (${who})`, answer])
    }
  }
  return answers
}

/** Allows nothing at all, so it needs no other parts. */
const of_pictures = "default-src 'none'; sandbox"

/** Pages that run no script. Players on other sites may read the files, because no cookie is read there. */
const of_links = {
  policy: ["script-src 'none'", "style-src 'self';", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"],
  referrer: 'no-referrer',
  resource: 'cross-origin',
  allowed: '*',
}

/** The page that ends mails has a form. */
const of_mails = {
  policy: [...of_links.policy.slice(0, -1), "form-action 'self'"],
  referrer: 'no-referrer',
  resource: 'same-origin',
  allowed: null,
}

const wrongWith = (what: string, { status, headers }: Response, https: boolean): string[] => {
  const policy = headers.get('content-security-policy') ?? ''
  const told = (name: string, value: string | null) => (headers.get(name) === value ? [] : [`${name} at ${status}`])
  const holds = (part: string) => (policy.includes(part) ? [] : [`no ${part} at ${status}`])
  const of_pages = {
    policy: [
      "script-src 'self' 'sha256-",
      "style-src 'self';",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'self'",
    ],
    referrer: 'same-origin',
    resource: 'same-origin',
    allowed: null,
  }
  const wanted = / \/[sf]\//.test(what) ? of_links : what.includes(' /mails/') ? of_mails : of_pages
  return [
    ...["default-src 'none'", ...(policy === of_pictures ? [] : wanted.policy)].flatMap(holds),
    ...(/unsafe|\*|nonce/.test(policy) ? [`loose policy at ${status}`] : []),
    ...told('x-content-type-options', 'nosniff'),
    ...told('x-frame-options', 'DENY'),
    ...told('referrer-policy', wanted.referrer),
    ...told('cross-origin-resource-policy', wanted.resource),
    ...told('cross-origin-opener-policy', 'same-origin'),
    ...told('strict-transport-security', https ? 'max-age=31536000' : null),
    ...told('x-powered-by', null),
    ...told('access-control-allow-origin', wanted.allowed),
    ...(/public/.test(headers.get('cache-control') ?? '') ? [`a public cache may keep it at ${status}`] : []),
  ]
}

describe('every answer of every route', () => {
  it.each([
    ['http', () => app, (alice: Person) => alice.cookie, false],
    ['https', () => secure, (alice: Person) => `__Host-${alice.cookie}`, true],
  ] as const)('over %s every answer of every route has the security headers', async (_, one, cookie, https) => {
    const answers = await walk(one(), cookie)
    const ranged = await one().ask('/stream/v1', {
      headers: { cookie: cookie(await aliceOwns(one())), range: 'bytes=0-1' },
    })
    await ranged.arrayBuffer()
    answers.push(['a piece of a file', ranged], ['no such address', await one().ask('/nowhere')])
    const faults = answers.flatMap(([what, answer]) => wrongWith(what, answer, https).map(fault => `${what}: ${fault}`))
    expect(faults).toEqual([])
    const statuses = new Set(answers.map(([, { status }]) => status))
    for (const status of [200, 206, 303, 401, 404, 422]) expect([...statuses]).toContain(status)
    expect([...statuses].filter(status => status >= 500 && status !== 502)).toEqual([])
    // The stylesheet of the API’s page contains icons, and the player is fed by a script.
    const drawing = answers.filter(([, { headers }]) =>
      /data:|blob:/.test(headers.get('content-security-policy') ?? ''),
    )
    expect(new Set(drawing.map(([what]) => what.split(' (')[0]))).toEqual(
      new Set(['GET /api/docs', 'GET /watch/:video_id']),
    )
    for (const [, { headers }] of answers)
      for (const made of headers.getSetCookie()) expect(/; Secure/i.test(made)).toBe(https)
  })
})

it('an answer that cannot be compressed becomes an error that no cache may store', async () => {
  const alice = await aliceOwns(broken)
  broken.app.get('/broken', () => {
    const body = new ReadableStream({ pull: part => part.error(new Error('lost')) })
    return new Response(body, { headers: { 'content-type': 'application/json' } })
  })

  const answer = await broken.ask('/broken', { as: alice, headers: { 'accept-encoding': 'gzip' } })

  expect([answer.status, answer.headers.get('cache-control')]).toEqual([500, 'private, no-store'])
})

describe('a forged host', () => {
  const told = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
  it.each([
    ['signed out', '/', () => ({})],
    ['signed out', '/login', () => ({})],
    ['its owner', '/', ({ cookie }: Person) => ({ cookie })],
    ['its owner', '/watch/v1', ({ cookie }: Person) => ({ cookie })],
    ['its owner', '/export.opml', ({ cookie }: Person) => ({ cookie })],
    ['its owner', '/api/openapi.json', ({ cookie }: Person) => ({ cookie })],
    ['its owner', '/static/manifest.webmanifest', ({ cookie }: Person) => ({ cookie })],
  ])('with a forged host, %s gets no address of it at %s', async (_, path, who) => {
    const headers = { ...told, ...who(await aliceOwns(app)) }
    const answer = await app.ask(`http://evil.example${path}`, { headers })
    expect(answer.status).toBeLessThan(400)
    expect(`${[...answer.headers].join('\n')}${await answer.text()}`).not.toContain('evil.example')
  })
})

describe('a preflight request', () => {
  it.each(['/api/channels', '/stream/v1', '/login'])(
    'a preflight request of another site gets no permission at %s',
    async path => {
      const { cookie } = await aliceOwns(app)
      const headers = { cookie, origin: 'https://evil.example', 'access-control-request-method': 'DELETE' }
      const answer = await app.ask(path, { method: 'OPTIONS', headers })
      expect(answer.status).toBe(405)
      expect([...answer.headers.keys()].filter(name => name.startsWith('access-control'))).toEqual([])
    },
  )
})
