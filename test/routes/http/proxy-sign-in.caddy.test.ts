/**
 * A real Caddy in front where this machine has it, configured by the recipes of the guides: at a host, below a path, signing in.
 */
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serve } from '../../../src/runtime/serve.ts'
import { useApp } from '../../support/app/app.ts'
import { onDisk } from '../../support/app/files.ts'
import { follows, person } from '../../support/app/people.ts'
import { password, registration } from '../../support/app/sign-in.ts'
import { caddy_is_here, caddyRecipe, startCaddy, validateCaddyfile } from '../../support/process/caddy.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const host = useApp({ HOST: '127.0.0.1', PUBLIC_URL: 'http://tv.example.org', TRUSTED_PROXIES: ['loopback'] })
const path = useApp({ HOST: '127.0.0.1', PUBLIC_URL: 'http://home.example/backlot', TRUSTED_PROXIES: ['loopback'] })
const signing = { HOST: '127.0.0.1', AUTH_HEADER: 'Remote-User', TRUSTED_PROXIES: ['loopback'] }
const named = useApp({ ...signing, PUBLIC_URL: 'http://tv.example.org' })
const named_below = useApp({ ...signing, PUBLIC_URL: 'http://home.example/backlot' })

/** As `caddy hash-password` makes it of `hers`, with fewer rounds: each request would take a second of processor time. */
const hash_of_hers = '$2a$04$abcdefghijklmnopqrstuu3dyRLxdoitsFr5n4E83cRRRr6mW8I.e'

const closers: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closers.reverse()) await close()
})

/** Caddy by this recipe, in front of the app. `change`: what a test puts in place of its examples. */
async function front(app: ReturnType<typeof useApp>, words: string, change = (recipe: string) => recipe) {
  const service = await serve(app.app.fetch, '127.0.0.1', 0)
  closers.push(service.close)
  const recipe = (await caddyRecipe(words)).replace(
    '127.0.0.1:8000',
    new URL(service.url).host.replace('localhost', '127.0.0.1'),
  )
  const caddy = await startCaddy(change(recipe))
  closers.push(caddy.stop)
  return caddy
}

describe.skipIf(!caddy_is_here)('Caddy by the recipes', () => {
  it.each([
    ['a host of its own', host, 'tv.example.org {\n\treverse_proxy', 'tv.example.org', ''],
    ['a path', path, '@backlot', 'home.example', '/backlot'],
  ] as const)('at %s, a person signs in, and a part of a video is sent', async (_, app, words, name, base) => {
    await validateCaddyfile(await caddyRecipe(words))
    const { ask } = await front(app, words)
    const headers = { host: name, origin: `http://${name}` }
    const alice = await person(app.sql, 'alice')
    await follows(alice, 'c', ['v'])
    await onDisk(app.folder, alice, 'v', 'a film of some bytes', 'c')
    const registered = new URLSearchParams(registration('caddy')).toString()
    expect((await ask(`${base}/register`, { ...headers, ...form }, 'POST', registered)).headers.location).toBe(
      `${base}/`,
    )
    const signed_in = await ask(
      `${base}/login`,
      { ...headers, ...form },
      'POST',
      new URLSearchParams({ username: 'caddy', password }).toString(),
    )
    expect([signed_in.status, signed_in.headers.location]).toEqual([303, `${base}/`])
    const cookie = String(signed_in.headers['set-cookie']).split(';')[0] ?? ''
    expect((await ask(`${base}/api/account`, { ...headers, cookie })).status).toBe(200)

    const part = await ask(`${base}/stream/v`, { ...headers, cookie: alice.cookie, range: 'bytes=2-5' })
    expect([part.status, part.body, part.headers['content-range']]).toEqual([206, 'film', 'bytes 2-5/20'])
    if (base) {
      expect((await ask('/backlot', headers)).headers.location).toBe('/backlot/')
      for (const other of ['/', '/login', '/backlotter'])
        expect((await ask(other, headers)).body).toBe('The rest of the host')
    }
  })

  it.each([
    ['a host of its own', named, 'tv.example.org', ''],
    ['a path', named_below, 'home.example', '/backlot'],
  ] as const)('at %s, Caddy says who signs in by a password, and no client does', async (_, app, name, base) => {
    const change = (recipe: string) => recipe.replace('$2a$14$…', hash_of_hers)
    await validateCaddyfile(change(await caddyRecipe('alice $2a')))
    const { ask } = await front(app, 'alice $2a', change)
    const nameAs = async (headers: Record<string, string>) => {
      const { status, body } = await ask(`${base}/api/account`, { host: name, ...headers })
      return status === 200 ? JSON.parse(body).username : status
    }
    const authorization = `Basic ${Buffer.from('alice:hers').toString('base64')}`
    expect(await nameAs({ authorization })).toBe('alice')
    expect(await nameAs({ authorization, 'remote-user': 'bob' })).toBe('alice')
    expect(await nameAs({ 'remote-user': 'alice' })).toBe(401)
    const page = await ask(`${base}/`, { host: name, authorization, accept: 'text/html' })
    expect(page.body).toContain(`href="${base}/channels"`)
  })

  describe('with Authelia', () => {
    let authelia: HttpServer
    let visitor: string | undefined
    beforeAll(async () => {
      authelia = createServer((_, answer) => {
        if (visitor !== undefined) answer.setHeader('Remote-User', visitor)
        answer.writeHead(200).end()
      })
      await new Promise<void>(listening => void authelia.listen(0, '127.0.0.1', listening))
      closers.push(() => new Promise(closed => authelia.close(closed)))
    })

    it('the person whom it names is signed in, and a name from the client is not believed', async () => {
      const { port } = authelia.address() as AddressInfo
      await validateCaddyfile(await caddyRecipe('forward_auth'))
      const { ask } = await front(named, 'forward_auth', recipe =>
        recipe.replace('127.0.0.1:9091', `127.0.0.1:${port}`),
      )
      const account = async (headers = {}) => {
        const { status, body } = await ask('/api/account', { host: 'tv.example.org', ...headers })
        return status === 200 ? JSON.parse(body).username : status
      }
      visitor = 'carol'
      expect(await account()).toBe('carol')
      expect(await account({ 'remote-user': 'alice' })).toBe('carol')
      visitor = undefined
      // Caddy 2.6 writes the name of its variable, which is refused. Newer ones write nothing.
      expect([401, 403]).toContain(await account({ 'remote-user': 'carol' }))
    })
  })
})
