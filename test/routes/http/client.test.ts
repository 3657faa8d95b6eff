/** The address of a client and of the site, behind proxies and without. */
import { Argon2id } from 'oslo/password'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { amongThem, customerAt } from '../../../src/net/addresses.ts'
import { senderOf } from '../../../src/routes/http/client.ts'
import { useApp } from '../../support/app/app.ts'

const isTrusted = amongThem(['loopback', '10.0.0.0/8', '2001:db8:ffff::/48'])
const told = (headers: Record<string, string>) => (name: string) => headers[name]

describe('the client’s address', () => {
  it.each([
    ['there is no trusted proxy', '203.0.113.5', '1.1.1.1', '203.0.113.5'],
    ['a proxy says nothing', '127.0.0.1', undefined, '127.0.0.1'],
    ['a proxy names a client', '127.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['the client wrote something itself', '127.0.0.1', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
    ['two proxies follow each other', '127.0.0.1', '1.1.1.1, 203.0.113.9, 10.1.2.3', '203.0.113.9'],
    ['all addresses are trusted', '127.0.0.1', '10.0.0.7, 10.0.0.8', '10.0.0.7'],
    ['the proxy is an IPv4 address in IPv6', '::ffff:127.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['the proxy speaks IPv6', '2001:db8:ffff::1', '2001:db8:1:2::3', '2001:db8:1:2::3'],
    ['a port is named too', '127.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
    ['a port is named too, in IPv6', '127.0.0.1', '[2001:db8:1:2::3]:4711', '2001:db8:1:2::3'],
    ['the proxy says unknown', '127.0.0.1', '1.1.1.1, unknown', '127.0.0.1'],
    ['the proxy says nonsense', '127.0.0.1', '1.1.1.1, <script>', '127.0.0.1'],
    ['the header has only commas', '127.0.0.1', ',,,', '127.0.0.1'],
    ['there is no connection', '', '1.1.1.1', ''],
  ])('the client’s address is found when %s', (_, remote, forwarded_for, address) => {
    const headers = told({ ...(forwarded_for !== undefined && { 'x-forwarded-for': forwarded_for }) })
    expect(senderOf(remote, headers, isTrusted).address).toBe(address)
  })

  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['', ''],
  ])('requests of %s are counted for %s', (address, customer) => expect(customerAt(address)).toBe(customer))
})

describe('the address of the site', () => {
  it.each([
    [{ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'tv.example' }, 'https', 'tv.example'],
    [{ 'x-forwarded-proto': 'HTTPS', 'x-forwarded-host': 'TV.example:8443' }, 'https', 'tv.example:8443'],
    [{ 'x-forwarded-proto': 'javascript', 'x-forwarded-host': 'a/b' }, undefined, undefined],
    [{ 'x-forwarded-host': 'tv.example@evil.example' }, undefined, undefined],
    [{ 'x-forwarded-host': 'tv.example\\evil' }, undefined, undefined],
    [{ 'x-forwarded-proto': 'http, https', 'x-forwarded-host': 'evil.example, tv.example' }, 'https', 'tv.example'],
    [{}, undefined, undefined],
  ])('protocol and host are read from %j', (headers, protocol, host) => {
    const origin = senderOf('127.0.0.1', told({ 'x-forwarded-for': '203.0.113.9', ...headers }), isTrusted)
    expect([origin.protocol, origin.host]).toEqual([protocol, host])
    const by_a_stranger = senderOf('203.0.113.9', told(headers), isTrusted)
    expect([by_a_stranger.protocol, by_a_stranger.host]).toEqual([undefined, undefined])
  })
})

describe('TRUSTED_PROXIES', () => {
  it.each(['proxy.example', '10.0.0.0/99', 'local'])('TRUSTED_PROXIES refuses %s with a sentence', item =>
    expect(() => amongThem([item])).toThrow(`TRUSTED_PROXIES has "${item}"`),
  )
})

const direct = useApp()
const behind = useApp({ TRUSTED_PROXIES: ['192.0.2.1'] })
const fixed = useApp({ TRUSTED_PROXIES: ['192.0.2.1'], PUBLIC_URL: 'https://tv.example' })
const forwarded = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'tv.example' }

/** For tests that count failed sign-ins, whatever they cost: each check takes 25 ms of processor time. */
function refuseAllPasswords(): void {
  const check = vi.spyOn(Argon2id.prototype, 'verify').mockResolvedValue(false)
  onTestFinished(() => check.mockRestore())
}

describe('the app behind a proxy', () => {
  it('behind a trusted proxy cookies are bound to https, and forms of the site are accepted', async () => {
    const form = { username: 'carol', password: 'correct horse', password_confirmation: 'correct horse' }
    const headers = { ...forwarded, origin: 'https://tv.example' }
    const made = await behind.ask('/register', { form, headers })
    expect(made.status).toBe(303)
    expect(made.headers.getSetCookie().join()).toMatch(/__Host-session=\w+;.*Secure/)
    expect(made.headers.get('strict-transport-security')).toMatch(/max-age/)
    const foreign = { ...headers, origin: 'http://tv.example' }
    expect((await behind.ask('/login', { form, headers: foreign })).status).toBe(403)
  })

  it('forwarded headers of other clients are ignored', async () => {
    for (const app of [direct, behind]) {
      const asked = { form: { username: 'x', password: 'y' }, headers: { ...forwarded, origin: 'https://tv.example' } }
      const answer = await app.ask('/login', { ...asked, from: '198.51.100.1' })
      expect(answer.status).toBe(403)
      expect(answer.headers.get('strict-transport-security')).toBeNull()
    }
  })

  it('PUBLIC_URL overrides what a proxy says', async () => {
    const asked = {
      form: { username: 'x', password: 'y' },
      headers: { ...forwarded, 'x-forwarded-host': 'evil.example' },
    }
    const from = (origin: string) => fixed.ask('/login', { ...asked, headers: { ...asked.headers, origin } })
    expect((await from('https://evil.example')).status).toBe(403)
    expect((await from('https://tv.example')).status).toBe(401)
    expect((await from('http://tv.example')).status).toBe(403)
  })

  it('failed sign-ins are counted by the address that a trusted proxy names, and by no other', async () => {
    refuseAllPasswords()
    const statusesOf = async (app: typeof direct, from: string, chain: (index: number) => string) => {
      const statuses = []
      for (let index = 0; index < 55; index++) {
        const form = { username: `unknown-${from}-${index}`, password: 'x' }
        statuses.push((await app.ask('/login', { form, from, headers: { 'x-forwarded-for': chain(index) } })).status)
      }
      return statuses.filter(status => status === 429).length
    }
    const rotating = (index: number) => `198.18.0.${index}`
    expect(await statusesOf(direct, '203.0.113.1', rotating)).toBe(5)
    expect(await statusesOf(behind, '192.0.2.1', index => `${rotating(index)}, 203.0.113.2`)).toBe(5)
    expect(await statusesOf(behind, '192.0.2.1', rotating)).toBe(0)
    expect(await statusesOf(direct, '2001:db8::1', rotating)).toBe(5)
  })

  it('the addresses of one IPv6 /64 are counted as one', async () => {
    refuseAllPasswords()
    let refused = 0
    for (let index = 0; index < 55; index++) {
      const asked = { form: { username: `some-${index}`, password: 'x' }, from: `2001:db8:5:5::${index.toString(16)}` }
      if ((await direct.ask('/login', asked)).status === 429) refused++
    }
    expect(refused).toBe(5)
  })
})
