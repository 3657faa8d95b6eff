/** Below the path of PUBLIC_URL: what is taken off requests, and what is added to answers. */
import fc from 'fast-check'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { createApp } from '../../../src/app.tsx'
import { addBase, answerBelow, htmlBelow } from '../../../src/routes/http/base-path.ts'
import type { Env } from '../../../src/routes/http/context.ts'
import { useApp } from '../../support/app/app.ts'
import { addressesOutside } from '../../support/app/below-path.ts'
import { entry, follows, person } from '../../support/app/people.ts'
import { cookieOf, pairOf, registration } from '../../support/app/sign-in.ts'
import { holds } from '../../support/run/holds.ts'

const base = '/backlot'
const app = useApp({ PUBLIC_URL: `http://home.example${base}` })
const https = useApp({ PUBLIC_URL: `https://home.example${base}` })
const { ask, sql, jsonAt, textAt } = app
const host = { host: 'home.example' }
let count = 0

/** An app that says what arrived, and sends the answers of the tests. */
function echo(answers: Record<string, () => Response> = {}) {
  const inner = new Hono<Env>()
  inner.use(async (c, next) => {
    await next()
    await addBase(base)(c)
  })
  inner.all('/said/*', async c => {
    const { url, method } = c.req.raw
    const [referer, current] = [c.req.header('referer'), c.req.header('hx-current-url')]
    return c.text(JSON.stringify({ url, path: c.req.path, method, referer, current, body: await c.req.text() }))
  })
  for (const [path, answer] of Object.entries(answers)) inner.get(path, answer)
  return answerBelow(inner, base)
}
const said = async (path: string, init?: RequestInit) => JSON.parse(await (await echo().request(path, init)).text())

describe('requests', () => {
  it.each([
    ['/backlot/said/a?b=/backlot/c', '/said/a?b=/backlot/c'],
    ['/said/a', '/said/a'],
    ['/backlot/said/backlot/a', '/said/backlot/a'],
    ['/backlot/said//evil.example', '/said//evil.example'],
    ['/backlot/said/a%2Fb?c=%', '/said/a%2Fb?c=%'],
  ])('%s is answered as %s', async (sent, known) => {
    expect((await said(sent)).url).toBe(`http://localhost${known}`)
  })

  it('the path alone leads into it, with its query', async () => {
    const answer = await echo().request('/backlot?a=b')
    expect([answer.status, answer.headers.get('location')]).toEqual([307, '/backlot/?a=b'])
    expect((await ask('/backlot/')).headers.get('location')).toBe('/backlot/login?next=%2F')
  })

  it.each(['/backlotter/said/a', '/Backlot/said/a', '/back%6Cot/said/a', '//backlot/said/a', '/backlot.said'])(
    '%s is not below the path',
    async path => {
      const url = `http://localhost${path}`
      expect((await echo().fetch(new Request(url))).status).toBe(404)
    },
  )

  it('a body and its method arrive', async () => {
    const sent = { method: 'POST', body: 'x'.repeat(200_000) }
    expect(await said('/backlot/said/a', sent)).toMatchObject(sent)
    const headers = { referer: 'http://home.example/backlot/b' }
    expect(await said('/said/a', { ...sent, headers })).toMatchObject({ ...sent, referer: 'http://home.example/b' })
  })

  it.each([
    ['https://home.example/backlot/channels?a=/backlot/b', 'https://home.example/channels?a=/backlot/b'],
    ['https://home.example/backlot', 'https://home.example/'],
    ['https://home.example/another', undefined],
    ['https://home.example/backlotter/x', undefined],
    ['https://home.example/', undefined],
    ['no address', undefined],
  ])('the page before, %s, counts as %s', async (sent, known) => {
    for (const path of ['/said/a', '/backlot/said/a']) {
      const { referer, current } = await said(path, { headers: { referer: sent, 'hx-current-url': sent } })
      expect([referer, current]).toEqual([known, known])
    }
  })

  it('a path that is a page here is refused at the start', async () => {
    for (const path of ['/channels', '/api/x', '/static', '/login'])
      await expect(partsAt(`https://home.example${path}`)).rejects.toThrow(/^PUBLIC_URL should have another path/)
    await expect(partsAt('https://home.example/channel')).resolves.toBeDefined()
  })
})

const partsAt = (PUBLIC_URL: string) =>
  createApp({
    ...({ sql: app.sql } as unknown as Parameters<typeof createApp>[0]),
    config: { PUBLIC_URL, REGISTRATION: 'open' },
  })

const json = (text: string) => () => new Response(text, { headers: { 'content-type': 'application/json' } })
const changed = async (answer: () => Response) => (await echo({ '/x': answer }).request('/x')).text()

describe('answers', () => {
  it.each([
    ['<a class="x" href="/a?b=/c">', '<a class="x" href="/backlot/a?b=/c">'],
    ['<form action="/a" hx-post="/a">', '<form action="/backlot/a" hx-post="/backlot/a">'],
    ['<img src="/pictures/1/small"/>', '<img src="/backlot/pictures/1/small"/>'],
    ['<a href="/">', '<a href="/backlot/">'],
  ])('%s becomes %s', (own, below) => expect(htmlBelow(own, base)).toBe(below))

  it.each([
    '<a href="//cdn.example/a">',
    '<a href="/\\cdn.example/a">',
    '<a href="https://videos.example/a">',
    '<a href="#main">',
    '<input value="/a">',
    '<p>see href=&quot;/x&quot; and src="/x, or &lt;a href=&quot;/x&quot;&gt; /x</p>'.replace(
      'src="/x',
      'src=&quot;/x',
    ),
    '<a title=" href=&quot;/x">',
  ])('%s stays as it is', text => expect(htmlBelow(text, base)).toBe(text))

  it('fields of JSON that hold an address get the path, and words do not', async () => {
    const title = '"picture_url":"/x", "servers":[{"url":"/x'
    const fields = { picture_url: '/pictures/1/large', title, url: '/x', other: { picture_url: null } }
    expect(JSON.parse(await changed(json(JSON.stringify(fields))))).toEqual({
      ...fields,
      picture_url: '/backlot/pictures/1/large',
    })
  })

  it.each([
    ['/a?b=/c', '/backlot/a?b=/c'],
    ['//evil.example', '//evil.example'],
    ['/\\evil.example', '/\\evil.example'],
    ['https://id.example/authorize?redirect_uri=/x', 'https://id.example/authorize?redirect_uri=/x'],
  ])('a redirect to %s leads to %s', async (own, below) => {
    const headers = { location: own, 'hx-redirect': own }
    const answer = await echo({ '/x': () => new Response(null, { status: 303, headers }) }).request('/x')
    expect([answer.headers.get('location'), answer.headers.get('hx-redirect')]).toEqual([below, below])
  })

  it('a file to save, which may be large, is not changed', async () => {
    const headers = { 'content-type': 'application/json', 'content-disposition': 'attachment' }
    const text = '{"picture_url":"/x"}'
    expect(await changed(() => new Response(text, { headers }))).toBe(text)
  })

  it('what is compressed, a picture or text for programs is not changed', async () => {
    for (const [type, encoding] of [
      ['application/manifest+json', 'br'],
      ['text/plain', ''],
      ['image/svg+xml', ''],
    ] as const) {
      const headers = { 'content-type': type, ...(encoding && { 'content-encoding': encoding }) }
      const text = ' href="/x" {"picture_url":"/x"}'
      expect(await changed(() => new Response(text, { headers }))).toBe(text)
    }
  })
})

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

describe('words of people', () => {
  const words = [
    '" href="/x',
    '<a href="/x">',
    "' action='/x",
    ' hx-get="/x" ',
    '"picture_url":"/x"',
    '\\","picture_url":"/x',
    '<script type="importmap">{"imports":{"/static/":"/static/x"}}</script>',
    'src="/x" /x //x',
  ]

  it('any words are shown as they are, in a text and in an attribute', async () => {
    const pieces = [...words, '/x', '"', "'", '<', '>', '&', '&quot;', ' href=', ' src=', '=', ' ', '\\', 'picture_url']
    const made = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map(chosen => chosen.join(''))
    const isShown = async (text: string) => {
      const link = (
        <a href="/a" title={text}>
          {text}
        </a>
      )
      const page = htmlBelow(String(link), base)
      expect(page).toBe(`<a href="/backlot/a" title="${escaped(text)}">${escaped(text)}</a>`)
      const data = { title: text, [`of ${text}`]: text }
      expect(JSON.parse(await changed(json(JSON.stringify(data))))).toEqual(data)
    }
    await holds(fc.asyncProperty(made, isShown), { runs: 500 })
  })

  it('titles and descriptions that look like addresses are shown as they are', async () => {
    const alice = await person(sql, 'alice')
    const channel = {
      channel_id: 'odd',
      title: words.join(' '),
      rss_url: 'https://videos.example/x?a=%22%20href=%22/x',
    }
    const description = `${words.join('\n')} https://videos.example/x?href="/x /x`
    const videos = words.map((title, at) => entry(`odd-${at}`, { title, description }))
    await alice.library.channels.save(channel, videos)

    for (const path of [
      '/channels/odd',
      '/watch/odd-0',
      '/?show=all',
      `/search?q=${encodeURIComponent('"href="/x"')}`,
    ]) {
      const page = await textAt(path, { as: alice })
      const without = page
        .replace(/ [a-z-]+="\/backlot(?=\/)/g, '')
        .replace(/<script type="importmap">.*?<\/script>/s, '')
      expect(without, path).not.toContain('/backlot/')
      if (path !== '/watch/odd-0') continue
      for (const word of words) expect(page).toContain(escaped(word))
    }
    const listed = (await jsonAt('/api/videos', { as: alice })) as { entries: { title: string }[] }
    expect(listed.entries.map(({ title }) => title).toSorted()).toEqual(words.toSorted())
  })
})

describe('one site below a path', () => {
  it.each([
    ['http', '/backlot', app, ''],
    ['https', '/backlot', https, '__Secure-'],
    // The proxy has taken the path off.
    ['https', '', https, '__Secure-'],
  ] as const)(
    'over %s, a person registers, stays signed in and signs out: requests begin with "%s"',
    async (...row) => {
      const [, sent, site, prefix] = row
      const name = `below${++count}`
      const registered = await site.ask(`${sent}/register`, { form: registration(name), headers: host, from: name })
      expect(registered.headers.get('location')).toBe('/backlot/')
      const cookie = pairOf(cookieOf(registered, `${prefix}session`))
      expect((await site.ask(`${sent}/api/account`, { headers: { ...host, cookie } })).status).toBe(200)

      const out = await site.ask(`${sent}/logout`, { method: 'POST', headers: { ...host, cookie } })
      expect(out.headers.get('location')).toBe('/backlot/login')
      for (const line of [...registered.headers.getSetCookie(), ...out.headers.getSetCookie()]) {
        expect(line).toMatch(/; Path=\/backlot(;|$)/)
        expect(/; Secure(;|$)/.test(line)).toBe(prefix !== '')
      }
      expect(cookieOf(out, `${prefix}session`)).toContain('Max-Age=0')
      expect((await site.ask(`${sent}/api/account`, { headers: { ...host, cookie } })).status).toBe(401)
    },
  )

  it('a sign-in leads back to the page, and a form back to the page it was on', async () => {
    const asked = await ask('/backlot/channels/c?a=b', { headers: host })
    expect(asked.headers.get('location')).toBe(`/backlot/login?next=${encodeURIComponent('/channels/c?a=b')}`)
    const alice = await person(sql, 'alice')
    await follows(alice, 'c', ['v'])
    const headers = { ...host, referer: 'http://home.example/backlot/channels/c?select=1' }
    const marked = await ask('/backlot/videos/v/later', { method: 'POST', as: alice, headers })
    expect(marked.headers.get('location')).toBe('/backlot/channels/c?select=1')
    const poll = await ask('/backlot/downloads/v', {
      method: 'POST',
      headers: { ...host, 'hx-request': 'true', 'hx-current-url': 'http://home.example/backlot/channels/c' },
    })
    expect(poll.headers.get('hx-redirect')).toMatch(/^\/backlot\/login\?next=%2Fchannels%2Fc&/)
  })

  it('a form of another site is refused, and one of another app at this host is not told from ours', async () => {
    const alice = await person(sql, 'alice')
    const post = (origin: string) =>
      ask('/backlot/theme', { form: { theme: 'dark' }, as: alice, headers: { ...host, origin } })
    expect((await post('http://evil.example')).status).toBe(403)
    expect((await post('http://home.example')).status).toBe(303)
  })

  it('links that an administrator hands over name the path', async () => {
    const admin = await person(sql, 'admin')
    await sql`update users set role = 'admin' where id = ${admin.user.user_id}`
    const invited = await ask('/backlot/api/admin/invitations', { json: {}, as: admin, headers: host })
    const { url } = (await invited.json()) as { url: string }
    expect(url).toMatch(/^http:\/\/home\.example\/backlot\/register\?invitation=/)
    const { pathname, search } = new URL(url)
    expect((await ask(pathname + search, { headers: host })).status).toBe(200)
  })

  it('the import map of a page is one that the content security policy allows', async () => {
    const page = await ask('/backlot/login', { headers: host })
    const [, map = ''] = /<script type="importmap">(.*?)<\/script>/s.exec(await page.text()) ?? []
    const hash = Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(map))).toString('base64')
    expect(page.headers.get('content-security-policy')).toContain(`'sha256-${hash}'`)
    const { imports } = JSON.parse(map) as { imports: Record<string, string> }
    for (const [name, address] of Object.entries(imports)) {
      expect([name, address].every(path => path.startsWith('/backlot/static/'))).toBe(true)
      expect((await ask(address, { headers: host })).status).toBe(200)
    }
  })

  it('errors, refused hosts and compressed pages have the path, too', async () => {
    for (const [path, headers] of [
      ['/backlot/nowhere', host],
      ['/nowhere', { ...host, 'accept-encoding': 'identity' }],
      ['/backlot/watch/%', host],
    ] as const)
      expect(addressesOutside(await ask(path, { headers }), await textAt(path, { headers }), base)).toEqual([])
  })
})
