/** Sign-in by a real nginx where this machine has it, configured by the recipe of the guides. */
import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Server, serve } from '../../../src/runtime/serve.ts'
import { useApp } from '../../support/app/app.ts'
import { nginx_is_here, startNginx } from '../../support/process/nginx.ts'

const AUTH_HEADER = 'Remote-User'
const app = useApp({ AUTH_HEADER, TRUSTED_PROXIES: ['loopback'] })
/** Its proxy is elsewhere, so this machine is outside. */
const away = useApp({ AUTH_HEADER, TRUSTED_PROXIES: ['192.0.2.1'] })

const passwords = { alice: 'hers', bob: 'his' }
const basic = (name: string, password: string) => `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

describe.skipIf(!nginx_is_here)('sign-in by a real nginx', () => {
  let service: Server
  let nginx: Awaited<ReturnType<typeof startNginx>>
  beforeAll(async () => {
    service = await serve(app.app.fetch, '127.0.0.1', 0)
    nginx = await startNginx(service.url.replace('localhost', '127.0.0.1'), { passwords })
  })
  afterAll(async () => {
    await nginx.stop()
    await service.close()
  })
  const nameAs = async (headers: Record<string, string>) => {
    const { status, body } = await nginx.ask('/api/account', headers)
    return status === 200 ? JSON.parse(body).username : status
  }

  it('the person of the password is signed in', async () => {
    const page = await nginx.ask('/', { authorization: basic('alice', 'hers'), accept: 'text/html' })
    expect([page.status, page.body]).toEqual([
      200,
      expect.stringContaining('<span class="name spoken-on-phone">alice</span>'),
    ])
    expect([
      await nameAs({ authorization: basic('bob', 'his') }),
      await nameAs({ authorization: basic('alice', 'hers') }),
    ]).toEqual(['bob', 'alice'])
  })

  it.each(['Remote-User', 'REMOTE-USER', 'remote_user'])(
    'a client that sends %s itself is not believed',
    async header => {
      expect(await nameAs({ [header]: 'alice', authorization: basic('bob', 'his') })).toBe('bob')
      expect(await nameAs({ [header]: 'alice' })).toBe(401)
      expect(await nameAs({ [header]: 'alice', authorization: basic('alice', 'wrong') })).toBe(401)
    },
  )
})

describe('over a connection', () => {
  let service: Server
  let outside: Server
  beforeAll(async () => {
    service = await serve(app.app.fetch, '127.0.0.1', 0)
    outside = await serve(away.app.fetch, '127.0.0.1', 0)
  })
  afterAll(async () => {
    await service.close()
    await outside.close()
  })
  const nameAt = ({ url }: Server, headers: Record<string, string | string[]>) =>
    new Promise<unknown>((resolve, reject) => {
      const address = new URL('/api/account', url.replace('localhost', '127.0.0.1'))
      request(address, { headers }, async answer => {
        const { username } = (await json(answer)) as { username?: string }
        resolve(username ?? answer.statusCode)
      })
        .on('error', reject)
        .end()
    })

  it('a direct connection from outside is not believed, whatever it sends', async () => {
    expect(await nameAt(service, { 'Remote-User': 'carol' })).toBe('carol')
    expect(await nameAt(outside, { 'Remote-User': 'carol' })).toBe(401)
    expect(await nameAt(outside, { 'Remote-User': 'carol', 'X-Forwarded-For': '192.0.2.1' })).toBe(401)
    expect(await away.sql`select from users`).toHaveLength(0)
  })

  it('two headers are refused, and a name arrives in UTF-8', async () => {
    expect(await nameAt(service, { 'Remote-User': ['alice', 'carol'] })).toBe(403)
    const name = Buffer.from('Zoë').toString('latin1')
    expect(await nameAt(service, { 'Remote-User': name })).toBe('Zoe')
    expect(await nameAt(service, { 'Remote-User': 'Zo\u00eb' })).toBe(403)
  })
})
