/** A real tree in MEDIA_DIR and media servers on loopback: they read the folder again, and what was watched goes both ways. */
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { JobHelpers } from 'graphile-worker'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { exchangeTask } from '../../../jobs/tasks/media.ts'
import { everyoneIn } from '../../../src/db/everyone.ts'
import { queueExchanges } from '../../../src/db/media/everyone/media.ts'
import { addServer } from '../../../src/domain/media/media-servers.ts'
import { forgetWatched } from '../../../src/domain/watching/viewings.ts'
import { addressPolicy } from '../../../src/net/addresses.ts'
import type { MediaServer, MediaServerKind } from '../../../src/schema/media/media-server.ts'
import { serverOpener } from '../../../src/servers/kinds.ts'
import { useDatabase } from '../../support/app/database.ts'
import { runDownload } from '../../support/app/files.ts'
import { personWithKitchen, useMedia } from '../../support/app/media.ts'
import type { Person } from '../../support/app/people.ts'
import { type WatchedServer, watchedServer } from '../../support/media/watched-servers.ts'

const db = useDatabase()
const { sql } = db
const media = useMedia(db)
const secret_key = 'a-key-of-more-than-thirty-two-letters'
const openServer = serverOpener({ policy: addressPolicy(['127.0.0.1']) })
afterEach(() => expect(media.warnings).toEqual([]))

const yesterday = new Date(Date.now() - 86_400_000)

const task = () => {
  const folder = { dir: media.media_dir, toJpeg: async () => undefined }
  return exchangeTask({ sql: everyoneIn(sql), secret_key, openServer, media: folder })
}
const exchange = async (
  { user: { user_id } }: Person,
  { server_id }: MediaServer,
  run = task(),
  { signal } = new AbortController(),
) => {
  await run({ user_id, server_id }, { abortSignal: signal } as JobHelpers)
}

/** Adds a server that has the person's videos at another mount point. */
async function addTo(alice: Person, kind: MediaServerKind = 'jellyfin'): Promise<[MediaServer, WatchedServer]> {
  const there = await watchedServer(kind)
  there.locations = [`/mnt/tv/${alice.user.username}`]
  for (const path of await media.tree(alice))
    if (path.endsWith('.mp4')) there.add(`${there.locations[0]}/${path}`, { duration_s: 600 })
  const request = { kind, address: there.url, key: there.key, person: 'Alice' }
  return [await addServer(secret_key, alice.library, request), there]
}

async function personWithServer(kind?: MediaServerKind, ids = ['v1', 'v2']) {
  const alice = await personWithKitchen(sql, 'alice', ids)
  for (const id of ids) await runDownload(media.files, alice, id)
  await media.update(alice)
  const [server, there] = await addTo(alice, kind)
  return { alice, server, there }
}

const jobsOf = ({ server_id }: MediaServer) =>
  sql<{ wait_s: number }[]>`
    select round(extract(epoch from run_at - now()))::int as wait_s
    from   graphile_worker.jobs
    where  key = ${`media-server:${server_id}`} and task_identifier = 'exchange-watched'`
const shown = async ({ library }: Person, { server_id }: MediaServer) =>
  (await library.servers.list()).find(server => server.server_id === server_id)
const watchedOf = async ({ library }: Person, id: string) => {
  const { seen_at, position_seconds } = (await library.videos.find(id)) ?? {}
  return { seen_at: seen_at ?? null, position_seconds: position_seconds ?? 0 }
}
const begin = (alice: Person, id: string, position_seconds: number) =>
  alice.library.viewings.record(id, { position_seconds, duration_seconds: 600 })

it('a batch of downloads is one reading of the folder, a minute after the last one', async () => {
  const alice = await personWithKitchen(sql, 'alice', ['v1', 'v2', 'v3'])
  const [server, there] = await addTo(alice)
  for (const id of ['v1', 'v2', 'v3']) {
    await runDownload(media.files, alice, id)
    await media.update(alice)
  }
  await media.update(alice, 'check')
  expect(await jobsOf(server)).toEqual([{ wait_s: expect.closeTo(60, -1) }])
  await exchange(alice, server)
  await exchange(alice, server)
  expect(there.readings).toEqual(there.locations)

  await alice.library.downloads.deleteFile('v1')
  await media.update(alice)
  await exchange(alice, server)
  expect(there.readings).toHaveLength(2)
})

it.each(['jellyfin', 'emby', 'plex'] as const)(
  '%s: what was watched goes both ways, and then nothing is sent',
  async kind => {
    const { alice, server, there } = await personWithServer(kind, ['v1', 'v2', 'v3', 'v4'])
    await alice.library.viewings.record('v1', { later: true })
    Object.assign(there.film('[v1]'), { is_watched: true, at: yesterday, plays: 1 })
    Object.assign(there.film('[v2]'), { position_s: 200, at: yesterday })
    await alice.library.viewings.record('v3', { seen: true })
    await begin(alice, 'v4', 300)

    await exchange(alice, server)

    const second = (time: Date | null) => (time ? Math.floor(time.getTime() / 1000) : null)
    const v1 = await watchedOf(alice, 'v1')
    expect(second(v1.seen_at)).toBe(second(yesterday))
    expect((await alice.library.videos.find('v1'))?.later_at).toBeNull()
    expect(await watchedOf(alice, 'v2')).toEqual({ seen_at: null, position_seconds: 200 })
    const { entries } = await alice.library.watched.list({ limit: 10 })
    expect(
      entries
        .map(({ video_id }) => video_id)
        .slice(0, 2)
        .toSorted(),
    ).toEqual(['v3', 'v4'])
    expect(there.film('[v3]')).toMatchObject({ is_watched: true, position_s: 0 })
    expect(there.film('[v4]')).toMatchObject({ is_watched: false, position_s: 300 })

    // A rule that deletes watched files counts the days from now, and not from the time that the server says.
    const imported =
      await sql`select video_id from viewings where user_id = ${alice.user.user_id} and imported_at is not null`
    expect(imported.map(({ video_id }) => video_id).toSorted()).toEqual(['v1', 'v2'])

    const marks = there.marks.length
    for (const _ of [1, 2]) await exchange(alice, server)
    expect(there.marks).toHaveLength(marks)
    expect(await shown(alice, server)).toMatchObject({
      fault: null,
      failing_since: null,
      exchanged_at: expect.any(Date),
    })

    // Marks that are taken back go both ways, too, and leave the history as it was.
    Object.assign(there.film('[v1]'), { is_watched: false, at: null })
    await alice.library.viewings.record('v3', { seen: false })
    await exchange(alice, server)
    expect((await watchedOf(alice, 'v1')).seen_at).toBeNull()
    expect(there.film('[v3]').is_watched).toBe(false)
    expect((await alice.library.watched.list({ limit: 10 })).entries.map(({ video_id }) => video_id)).toContain('v1')
  },
)

it('after a new template has renamed the files, what was watched goes to their new places', async () => {
  const { alice, server, there } = await personWithServer()
  await alice.library.viewings.record('v1', { seen: true })
  await exchange(alice, server)
  await alice.library.settings.save({ media_names: '{title} [{id}]' })
  for (const _ of ['removes the files', 'writes them']) await media.update(alice)
  there.films.length = 0
  const names = (await media.tree(alice)).filter(path => path.endsWith('.mp4'))
  expect(names).toContain('Bread v1？ [v1].mp4')
  for (const path of names) there.add(`${there.locations[0]}/${path}`)
  await exchange(alice, server)
  expect(there.film('[v1]').is_watched).toBe(true)
  expect(there.readings).toHaveLength(1)
})

it('of two changes of one video, the newer one counts', async () => {
  const { alice, server, there } = await personWithServer()
  await begin(alice, 'v1', 100)
  await begin(alice, 'v2', 100)
  Object.assign(there.film('[v1]'), { position_s: 400, at: yesterday })
  Object.assign(there.film('[v2]'), { position_s: 400, at: new Date(Date.now() + 60_000) })
  await exchange(alice, server)
  expect([there.film('[v1]').position_s, (await watchedOf(alice, 'v2')).position_seconds]).toEqual([100, 400])
})

it('a video that was played to its end there counts as watched, as in the player here', async () => {
  const { alice, server, there } = await personWithServer('plex')
  Object.assign(there.film('[v1]'), { position_s: 590, at: yesterday })
  for (const _ of [1, 2]) await exchange(alice, server)
  expect((await watchedOf(alice, 'v1')).seen_at).not.toBeNull()
  expect(there.film('[v1]').is_watched).toBe(true)
})

it('a video that was removed from the history stays out of it until it is watched anew', async () => {
  const { alice, server, there } = await personWithServer()
  const listed = async () => (await alice.library.watched.list({ limit: 10 })).entries.length
  Object.assign(there.film('[v1]'), { position_s: 200, at: yesterday })
  await exchange(alice, server)
  await forgetWatched(alice.library, 'v1')
  for (const _ of [1, 2]) await exchange(alice, server)
  expect([await listed(), there.film('[v1]').position_s]).toEqual([0, 0])
  Object.assign(there.film('[v1]'), { position_s: 250, at: new Date() })
  await exchange(alice, server)
  expect(await listed()).toBe(1)
})

it('two servers of one person pass it on, round as they like, and come to rest', async () => {
  const { alice, server, there } = await personWithServer()
  const [other, elsewhere] = await addTo(alice, 'plex')
  there.round = seconds => Math.ceil(seconds / 60) * 60
  elsewhere.round = seconds => Math.floor(seconds / 50) * 50
  Object.assign(there.film('[v1]'), { is_watched: true, at: yesterday })
  await begin(alice, 'v2', 311)
  for (const _ of [1, 2, 3]) for (const one of [server, other]) await exchange(alice, one)
  expect(elsewhere.film('[v1]').is_watched).toBe(true)
  expect([there.film('[v2]').position_s, elsewhere.film('[v2]').position_s]).toEqual([360, 300])
  const marks = [there.marks.length, elsewhere.marks.length]
  for (const one of [server, other, server]) await exchange(alice, one)
  expect([there.marks.length, elsewhere.marks.length]).toEqual(marks)
  expect((await watchedOf(alice, 'v2')).position_seconds).toBe(311)
})

it('a server that is away for a day loses nothing, and is asked less and less often', async () => {
  const { alice, server, there } = await personWithServer(undefined, ['v1', 'v2', 'v3', 'v4'])
  await exchange(alice, server)
  there.is_away = true
  await sql`delete from graphile_worker._private_jobs`
  await alice.library.downloads.deleteFile('v3')
  await media.update(alice)
  await exchange(alice, server)
  expect(await shown(alice, server)).toMatchObject({
    fault: 'The server could not be reached.',
    failing_since: expect.any(Date),
  })

  /** Minutes until the next exchange, `hours` after the first fault. */
  const waitAfter = async (hours: number) => {
    await sql`update media_servers set failing_since = now() - ${hours} * interval '1 hour'`
    await exchange(alice, server)
    const [{ minutes } = {}] = await sql`
      select round(extract(epoch from exchange_at - now()) / 60)::int as minutes from media_servers
      where  server_id = ${server.server_id}`
    return minutes
  }
  expect([await waitAfter(0.1), await waitAfter(0.5), await waitAfter(24)]).toEqual([10, 30, 60])
  await alice.library.viewings.record('v1', { seen: true })
  // A batch does not make a server that is away be asked more often.
  await sql`delete from graphile_worker._private_jobs`
  await alice.library.downloads.deleteFile('v4')
  await media.update(alice)
  expect(await jobsOf(server)).toEqual([])

  there.is_away = false
  Object.assign(there.film('[v2]'), { is_watched: true, at: yesterday })
  await exchange(alice, server)
  expect(there.film('[v1]').is_watched).toBe(true)
  expect((await watchedOf(alice, 'v2')).seen_at).not.toBeNull()
  expect(there.readings).toEqual(there.locations)
  expect(await shown(alice, server)).toMatchObject({ fault: null, failing_since: null })
})

it('a server that has lost what it knew is told again, and takes no mark away here', async () => {
  const ids = Array.from({ length: 25 }, (_, nth) => `v${nth}`)
  const { alice, server, there } = await personWithServer(undefined, ids)
  for (const id of ids) await alice.library.viewings.record(id, { seen: true })
  await exchange(alice, server)
  for (const film of there.films) Object.assign(film, { is_watched: false, at: null })
  await exchange(alice, server)
  expect(there.films.every(({ is_watched }) => is_watched)).toBe(true)
  // An item that was made anew has another id.
  there.film('[v7]').id = 'new'
  there.film('[v7]').is_watched = false
  await exchange(alice, server)
  expect([there.film('[v7]').is_watched, (await watchedOf(alice, 'v7')).seen_at === null]).toEqual([true, false])
})

it('after a wrong key, the server is left alone until the person changes something', async () => {
  const { alice, server, there } = await personWithServer()
  there.key = 'another-key'
  await exchange(alice, server)
  expect(await shown(alice, server)).toMatchObject({ fault: 'The server refuses the key. Enter a new one.' })
  await sql`update media_servers set exchange_at = exchange_at - interval '1 week'`
  await queueExchanges(everyoneIn(sql))
  expect(await jobsOf(server)).toEqual([])
  await alice.library.servers.change(server.server_id, { person: null })
  await queueExchanges(everyoneIn(sql))
  expect(await jobsOf(server)).toHaveLength(1)
})

it('exchanges are due every ten minutes, but not those of locked people and of people with nothing in the tree', async () => {
  const { alice, server, there } = await personWithServer()
  const bob = await personWithKitchen(sql, 'bob', [])
  const [without] = await addTo(bob)
  await queueExchanges(everyoneIn(sql))
  await queueExchanges(everyoneIn(sql))
  expect([await jobsOf(server), await jobsOf(without)]).toEqual([[{ wait_s: 0 }], []])
  await sql`delete from graphile_worker._private_jobs`
  await exchange(alice, server)
  await queueExchanges(everyoneIn(sql))
  expect(await jobsOf(server)).toEqual([])
  await sql`update media_servers set exchange_at = exchange_at - interval '10 minutes'`
  await sql`update users set locked_at = now() where id = ${alice.user.user_id}`
  await queueExchanges(everyoneIn(sql))
  expect(await jobsOf(server)).toEqual([])
  const asked = there.asked.length
  await exchange(alice, server)
  expect(there.asked).toHaveLength(asked)
})

it('exchanges leave threads for other files while MEDIA_DIR does not answer', async () => {
  const { alice, server } = await personWithServer()
  const servers = [server]
  for (const _ of [1, 2, 3, 4]) servers.push((await addTo(alice))[0])
  // A read of it never ends, as on a share that is away.
  const marker = media.path(alice, '.backlot.json')
  rmSync(marker)
  execFileSync('mkfifo', [marker])
  const [stop, run] = [new AbortController(), task()]
  const exchanges = Promise.allSettled(servers.map(one => exchange(alice, one, run, stop)))
  onTestFinished(async () => {
    stop.abort()
    const answer = openSync(marker, 'r+')
    rmSync(marker)
    closeSync(answer)
    await exchanges
  })
  // By then all of them have asked the database for their server.
  for (const one of servers) await alice.library.servers.begin(one.server_id)

  for (const _ of servers) expect(await readFile(import.meta.filename, 'utf8')).toContain('does not answer')
})
