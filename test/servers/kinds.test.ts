/** Each kind of media server is asked through its published interface. */
import { describe, expect, it } from 'vitest'
import { addressPolicy } from '../../src/net/addresses.ts'
import { MediaServerKind } from '../../src/schema/media/media-server.ts'
import { serverOpener } from '../../src/servers/kinds.ts'
import type { ServerItem } from '../../src/servers/server.ts'
import { watchedServer } from '../support/media/watched-servers.ts'

const open = serverOpener({ policy: addressPolicy(['127.0.0.1']) })
const at = new Date('2026-11-21T20:15:00Z')

async function serverWith(kind: MediaServerKind) {
  const server = await watchedServer(kind)
  const opened = (more = {}) =>
    open({ kind, address: server.url, key: server.key, person: null, username: 'alice', ...more })
  const items = async (folder = 'alice') => {
    const all: ServerItem[] = []
    for await (const page of opened().items(folder)) all.push(...page)
    return all
  }
  return { server, opened, items }
}

describe.each(MediaServerKind.options)('%s', kind => {
  it('takes the key, and refuses another one in our words', async () => {
    const { opened } = await serverWith(kind)
    await opened().check()
    await expect(opened({ key: 'wrong' }).check()).rejects.toThrow('The server refuses the key. Enter a new one.')
  })

  it('gives everything that it has, page by page', async () => {
    const { server, items } = await serverWith(kind)
    for (let nth = 0; nth < 1001; nth++) server.add(`/tv/alice/Bread/v${nth}.mp4`)
    Object.assign(server.film('v1000'), { is_watched: true, position_s: 90, at })
    const all = await items()
    expect([all.length, new Set(all.map(({ item_id }) => item_id)).size]).toEqual([1001, 1001])
    expect(all.at(-1)).toMatchObject({
      path: '/tv/alice/Bread/v1000.mp4',
      duration_seconds: 3600,
      is_watched: true,
      position_seconds: 90,
      at,
    })
    expect(all[0]).toMatchObject({ is_watched: false, position_seconds: 0, at: null })
  })

  it('reads again only the library that has the folder of the person, or all if none has it', async () => {
    const { server, opened } = await serverWith(kind)
    server.locations = ['/other', 'D:\\TV\\Alice\\']
    await opened().readAgain('alice')
    expect(server.readings.splice(0)).toEqual(['D:\\TV\\Alice\\'])
    await opened().readAgain('bob')
    expect(server.readings).toEqual(kind === 'plex' ? ['section 2', 'section 3'] : ['all'])
  })

  it.each([
    ['watched', { is_watched: true, position_seconds: 0 }],
    ['watched, and begun again', { is_watched: true, position_seconds: 100 }],
    ['begun', { is_watched: false, position_seconds: 100 }],
    ['not watched', { is_watched: false, position_seconds: 0 }],
  ])('a mark makes each video %s, whatever it was', async (_, to) => {
    const { server, opened, items } = await serverWith(kind)
    for (const is_watched of [true, false])
      for (const position_s of [0, 200]) server.add('/tv/v', { is_watched, position_s })
    for (const item of await items()) await opened().mark(item, { ...to, at })
    expect(await items()).toMatchObject(Array(4).fill(to))
    const ids = server.films.slice(1, 3).map(({ id }) => id)
    expect((await opened().itemsOf(ids)).map(({ item_id }) => item_id)).toEqual(ids)
  })
})

describe.each(['jellyfin', 'emby'] as const)('%s', kind => {
  it('finds the person by the name given, by the username here, or because there is only one', async () => {
    const { server, opened } = await serverWith(kind)
    server.people = [{ Id: 'u7', Name: 'Grandmother' }]
    await opened().check()
    await expect(opened({ person: 'bob' }).check()).rejects.toThrow('no person of this name')
    server.people.push({ Id: 'u8', Name: 'bob' })
    await opened({ person: 'Bob' }).check()
    await opened({ username: 'BOB' }).check()
    await expect(opened().check()).rejects.toThrow('The server has several people')
  })

  it('tells when it was watched, and keeps what a mark is not about', async () => {
    const { server, opened, items } = await serverWith(kind)
    server.add('/tv/v', { is_favorite: true, plays: 4 })
    for (const item of await items()) await opened().mark(item, { is_watched: true, position_seconds: 0, at })
    expect(server.film('/tv/v')).toMatchObject({ is_favorite: true, at })
  })

  it('asks for nothing outside the library that has the folder', async () => {
    const { server, items } = await serverWith(kind)
    server.locations = ['/tv/alice']
    server.add('/films/Alien.mkv')
    server.add('/tv/alice/v.mp4')
    expect((await items()).map(({ path }) => path)).toEqual(['/tv/alice/v.mp4'])
  })
})

it('the address of Emby may end with the path of its API', async () => {
  const { server, opened } = await serverWith('emby')
  await opened({ address: `${server.url}/emby` }).check()
  expect(server.asked).toContain('/emby/Users')
})
