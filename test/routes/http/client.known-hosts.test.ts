/** The hosts that a service on loopback accepts. DNS rebinding gives another site's page our address. */
import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'

const loopback = useApp({ HOST: '127.0.0.1' })
const named = useApp({ HOST: '127.0.0.1', PUBLIC_URL: 'https://tv.example.org', TRUSTED_PROXIES: ['loopback'] })
const proxied = useApp({ HOST: '127.0.0.1', TRUSTED_PROXIES: ['loopback'] })
const six = useApp({ HOST: '::1' })
const own = useApp({ HOST: '127.0.0.5' })
const open = useApp({ HOST: '0.0.0.0' })

const status = async ({ ask }: typeof loopback, host: string, from = '127.0.0.1') =>
  (await ask('/register', { headers: { host }, from })).status

describe('a service on loopback', () => {
  it.each(['localhost', 'localhost:8000', 'LOCALHOST.:8000', '127.0.0.1', '127.0.0.1:3000', '[::1]', '[::1]:8000'])(
    'a service on loopback accepts the host %s',
    async host => expect(await status(loopback, host)).toBe(200),
  )

  it.each([
    'evil.test',
    'evil.test:8000',
    'localhost.evil.test',
    'localhost@evil.test',
    '127.0.0.1.evil.test',
    'a b',
    '',
  ])('a service on loopback refuses the host %j and says what to set', async host => {
    const page = await loopback.ask('/login', { headers: { host }, from: '127.0.0.1' })
    const json = await loopback.ask('/api/channels', { headers: { host }, from: '127.0.0.1' })
    expect([page.status, json.status]).toEqual([421, 421])
    expect(await page.text()).toContain('set PUBLIC_URL')
    expect(await json.json()).toMatchObject({ status: 421, detail: expect.stringContaining('set PUBLIC_URL') })
  })

  it('a page that rebinds its name to loopback can create no account', async () => {
    const headers = { host: 'evil.test', origin: 'http://evil.test', 'sec-fetch-site': 'same-origin' }
    const form = { username: 'mallory', password: 'correct horse', password_confirmation: 'correct horse' }
    expect((await loopback.ask('/register', { headers, form })).status).toBe(421)
    expect(await loopback.sql`select from users`).toHaveLength(0)
  })

  it('probes are answered under any host', async () => {
    for (const path of ['/healthz', '/readyz'])
      expect((await loopback.ask(path, { headers: { host: 'pod-7.cluster' } })).status).toBe(200)
  })

  it('a service on loopback accepts the address it listens on', async () => {
    expect([await status(own, '127.0.0.5:8000'), await status(six, '[::1]:8000')]).toEqual([200, 200])
    expect([await status(own, 'evil.test'), await status(six, 'evil.test')]).toEqual([421, 421])
  })
})

describe('behind a proxy', () => {
  it('behind a proxy only the host of PUBLIC_URL is accepted', async () => {
    expect(await status(named, 'tv.example.org')).toBe(200)
    expect(await status(named, '127.0.0.1:8000')).toBe(200)
    const refused = await named.ask('/login', { headers: { host: 'evil.test' }, from: '127.0.0.1' })
    expect([refused.status, await refused.text()]).toEqual([421, expect.stringContaining('https://tv.example.org')])
  })

  it('without PUBLIC_URL any host is accepted from a trusted proxy, and from no one else', async () => {
    expect(await status(proxied, 'tv.example.org', '127.0.0.1')).toBe(200)
    expect(await status(proxied, 'tv.example.org', '192.0.2.7')).toBe(421)
  })
})

it('a service that listens on more than loopback accepts any host', async () => {
  expect(await status(open, 'nas.lan:8000')).toBe(200)
})
