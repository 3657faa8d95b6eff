/** A person's media servers, as page and as JSON: what goes in, what is shown, and what never is. */
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { addressPolicy } from '../../../src/net/addresses.ts'
import { max_media_servers } from '../../../src/schema/media/media-server.ts'
import { serverOpener } from '../../../src/servers/kinds.ts'
import { useApp } from '../../support/app/app.ts'
import { type Person, person } from '../../support/app/people.ts'
import { watchedServer } from '../../support/media/watched-servers.ts'

const SECRET_KEY = 'a-key-of-more-than-thirty-two-letters'
const app = useApp({ SECRET_KEY, openServer: serverOpener({ policy: addressPolicy(['127.0.0.1']) }) })
const in_house = useApp({ SECRET_KEY, openServer: serverOpener({ policy: addressPolicy([]) }) })
const without_key = useApp()
const { ask, jsonAt, textAt, sql } = app

const key = 'a-key-that-no-one-may-see'
const path = '/settings/media/servers'
const tv = { kind: 'jellyfin', address: 'https://tv.example/jellyfin/', key }

const add = async (as: Person, more = {}) =>
  (await jsonAt('/api/media-servers', { as, json: { ...tv, ...more } })) as { server_id: string; address: string }
const listed = async (as: Person) =>
  ((await jsonAt('/api/media-servers', { as })) as { media_servers: object[] }).media_servers

describe('as JSON', () => {
  it('adds, lists, changes and removes a server', async () => {
    const alice = await person(sql, 'alice')
    const answer = await ask('/api/media-servers', { as: alice, json: tv })
    expect(answer.status).toBe(201)
    const server = (await answer.json()) as { server_id: string }
    const fields = {
      kind: 'jellyfin',
      address: 'https://tv.example/jellyfin',
      person: null,
      fault: null,
      exchanged_at: null,
    }
    expect(server).toMatchObject(fields)
    expect(await listed(alice)).toEqual([server])
    const at = `/api/media-servers/${server.server_id}`
    const changed = await ask(at, { as: alice, method: 'PATCH', json: { person: ' Alice ' } })
    expect([changed.status, await changed.json()]).toEqual([200, { ...server, person: 'Alice' }])
    expect((await ask(at, { as: alice, method: 'DELETE' })).status).toBe(204)
    expect(await listed(alice)).toEqual([])
  })

  it.each([
    ['an address without http', { address: 'tv.example:8096' }, 'Enter an address such as'],
    ['an address with a password', { address: 'http://a:b@tv.example' }, 'without a user name or a password'],
    ['an address with a query', { address: 'http://tv.example/?api_key=k' }, 'Enter an address such as'],
    ['a key that would end a header', { key: 'k"\r\nx: y' }, 'Use 1 to 200 letters'],
    ['an unknown kind', { kind: 'kodi' }, 'kind'],
  ])('refuses %s', async (_, wrong, sentence) => {
    const answer = await ask('/api/media-servers', { as: await person(sql, 'alice'), json: { ...tv, ...wrong } })
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining(sentence)])
  })

  it('keeps a saved key from going to another address', async () => {
    const alice = await person(sql, 'alice')
    const at = `/api/media-servers/${(await add(alice)).server_id}`
    const moved = { address: 'https://elsewhere.example' }
    const refused = await ask(at, { as: alice, method: 'PATCH', json: moved })
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('Enter the key again')])
    expect((await ask(at, { as: alice, method: 'PATCH', json: { ...moved, key } })).status).toBe(200)
    expect(await listed(alice)).toMatchObject([moved])
  })

  it('has room for a few servers, also when they are added at once', async () => {
    const alice = await person(sql, 'alice')
    const all = await Promise.all(Array.from({ length: 7 }, () => ask('/api/media-servers', { as: alice, json: tv })))
    expect(all.map(({ status }) => status).toSorted()).toEqual([...Array(max_media_servers).fill(201), 409, 409])
  })

  it('without SECRET_KEY, a server is refused in words about it', async () => {
    const alice = await person(without_key.sql, 'alice')
    const answer = await without_key.ask('/api/media-servers', { as: alice, json: tv })
    expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining('SECRET_KEY')])
  })
})

describe('a test of a server', () => {
  const test = async (as: Person, { server_id }: { server_id: string }, of = app) =>
    (await of.jsonAt(`/api/media-servers/${server_id}/test`, { as, method: 'POST' })) as {
      works: boolean
      detail: string
    }

  it('says whether it answers, takes the key and knows the person; one that works is due again', async () => {
    const alice = await person(sql, 'alice')
    const there = await watchedServer('jellyfin', key)
    const server = await add(alice, { address: there.url, person: 'Alice' })
    await sql`update media_servers set exchange_at = null, failing_since = now(), fault = 'It failed.'`
    expect(await test(alice, server)).toEqual({ works: true, detail: 'The server answers and takes the key.' })
    expect(await listed(alice)).toMatchObject([{ fault: null, failing_since: null }])
    there.key = 'another'
    expect(await test(alice, server)).toEqual({ works: false, detail: 'The server refuses the key. Enter a new one.' })
    there.key = key
    there.people = [{ Id: 'u1', Name: 'carol' }]
    expect(await test(alice, server)).toMatchObject({
      works: false,
      detail: expect.stringContaining('no person of this name'),
    })
  })

  it('asks nothing of a server in the house, and says in one sentence what opens it', async () => {
    const alice = await person(in_house.sql, 'alice')
    const there = await watchedServer('plex', key)
    const json = { kind: 'plex', address: there.url, key }
    const server = (await in_house.jsonAt('/api/media-servers', { as: alice, json })) as { server_id: string }
    expect((await test(alice, server, in_house)).detail).toMatch(
      /ask the operator .* to add 127\.0\.0\.1:\d+ to ALLOWED_ADDRESSES\.$/,
    )
    expect(there.asked).toEqual([])
  })

  it('is limited to ten an hour', async () => {
    const alice = await person(sql, 'alice')
    const { server_id } = await add(alice, { address: (await watchedServer('plex', key)).url, kind: 'plex' })
    const statuses: number[] = []
    for (let nth = 0; nth < 11; nth++)
      statuses.push((await ask(`/api/media-servers/${server_id}/test`, { as: alice, method: 'POST' })).status)
    expect(statuses).toEqual([...Array(10).fill(200), 429])
  })

  it.each([
    ['after SECRET_KEY has changed', { sealed_key: Buffer.alloc(64) }],
    ['in a row that was given another address', { address: 'https://elsewhere.example' }],
  ])('%s, the key has to be entered again', async (_, changed) => {
    const alice = await person(sql, 'alice')
    const server = await add(alice)
    await sql`update media_servers set ${sql(changed)} where server_id = ${server.server_id}`
    expect((await test(alice, server)).detail).toBe(
      'The key cannot be read any more, because SECRET_KEY has changed. Enter it again.',
    )
  })
})

it('another person cannot see, change, test or remove a server, and gets the answer for one that does not exist', async () => {
  const [alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
  const { server_id } = await add(alice)
  const before = await sql`select * from media_servers where server_id = ${server_id}`
  const answers = async (id: string) => {
    const api = `/api/media-servers/${id}`
    const own = { json: { key: 'of-bob' } }
    return Promise.all(
      [
        ask(api, { as: bob, method: 'PATCH', ...own }),
        ask(`${api}/test`, { as: bob, method: 'POST' }),
        ask(api, { as: bob, method: 'DELETE' }),
        ask(`${path}/${id}`, { as: bob }),
        ask(`${path}/${id}`, { as: bob, form: { address: 'https://bob.example', key: 'of-bob', person: '' } }),
        ask(`${path}/${id}/test`, { as: bob, method: 'POST' }),
        ask(`${path}/${id}/remove`, { as: bob, method: 'POST' }),
      ].map(async answer => [
        (await answer).status,
        (await (await answer).text()).replaceAll(id, '').replace(/nonce="[^"]*"/g, ''),
      ]),
    )
  }
  const hers = await answers(server_id)
  expect(hers.map(([status]) => status)).toEqual(Array(7).fill(404))
  expect(hers.slice(0, 3)).toEqual((await answers(randomUUID())).slice(0, 3))
  expect(await listed(bob)).toEqual([])
  expect(await sql`select * from media_servers where server_id = ${server_id}`).toEqual(before)
})

it('the key is in no row, answer, page or archive, and goes with the account', async () => {
  const alice = await person(sql, 'alice')
  const { server_id } = await add(alice)
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`
  for (const { name } of tables) {
    const [found] = await sql`
      select 1 from ${sql(name)} as row
      where  row::text like ${`%${key}%`} or row::text like ${`%${Buffer.from(key).toString('hex')}%`} limit 1`
    expect([name, found]).toEqual([name, undefined])
  }
  for (const at of [path, `${path}/${server_id}`, '/api/media-servers', '/api/archive'])
    expect(await textAt(at, { as: alice })).not.toContain(key)
  expect(await textAt('/api/archive', { as: alice })).not.toContain('tv.example')
  const refused = await ask(path, { as: alice, form: { ...tv, address: 'nowhere', person: '' } })
  expect([refused.status, (await refused.text()).includes(key)]).toEqual([422, false])
  await sql`delete from users where id = ${alice.user.user_id}`
  expect(await sql`select from media_servers where server_id = ${server_id}`).toEqual([])
})

describe('as a page', () => {
  it('adds a server, tests it, changes it and removes it, without a script', async () => {
    const alice = await person(sql, 'alice')
    const there = await watchedServer('emby', key)
    const form = { kind: 'emby', address: there.url, person: 'Alice' }
    const added = await ask(path, { as: alice, form: { ...form, key } })
    const at = added.headers.get('location') ?? ''
    expect([added.status, at]).toEqual([303, expect.stringContaining(`${path}/`)])
    const shown = await textAt(at, { as: alice })
    expect(shown).toContain(`value="${there.url}"`)
    expect((await ask(`${at}/test`, { as: alice, method: 'POST' })).headers.get('location')).toBe(at)
    expect(there.asked.length).toBeGreaterThan(0)
    // An empty key is the saved one.
    expect((await ask(at, { as: alice, form: { ...form, key: '', person: '' } })).status).toBe(303)
    expect(await listed(alice)).toMatchObject([{ person: null }])
    expect((await ask(`${at}/remove`, { as: alice, method: 'POST' })).headers.get('location')).toBe(path)
    expect(await listed(alice)).toEqual([])
  })

  it('says since when a server fails, why, and that nothing is lost', async () => {
    const alice = await person(sql, 'alice')
    await add(alice)
    const [, user_id] = [0, alice.user.user_id]
    await sql`
      update media_servers set failing_since = now() - interval '1 day', fault = 'The server could not be reached.'
      where  user_id = ${user_id}`
    const shown = await textAt(path, { as: alice })
    expect(shown).toContain('The server could not be reached.')
    expect(shown).toContain('Nothing is lost')
  })

  it('shows a refused form with its reason and without the key', async () => {
    const alice = await person(sql, 'alice')
    const answer = await ask(path, { as: alice, form: { ...tv, address: 'tv', person: 'Alice' } })
    const text = await answer.text()
    expect([answer.status, text.includes('Enter an address such as'), text.includes(key)]).toEqual([422, true, false])
    expect(text).toContain('value="tv"')
  })

  it('without SECRET_KEY, it has no form and says who can change that', async () => {
    const alice = await person(without_key.sql, 'alice')
    const shown = await without_key.textAt(path, { as: alice })
    expect(shown).toContain('Its administrator has to set SECRET_KEY')
    expect(shown).not.toContain('name="key"')
  })
})
