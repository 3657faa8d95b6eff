/**
 * Two web processes and three workers on machines of their own, on one Postgres, with files in a bucket. The clock of one web process is
 * five minutes fast, that of one worker five minutes slow.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { password } from '../support/app/sign-in.ts'
import { allDone } from '../support/process/five-people.ts'
import { client, followAndRequest, json, publishFeed, register } from '../support/process/journey.ts'
import { startLoad } from '../support/process/load.ts'
import { type Machines, openMachines } from '../support/process/machines.ts'
import { no_network } from '../support/process/network.ts'
import { runRole, start } from '../support/process/processes.ts'
import { processesWith } from '../support/process/running.ts'
import { downloadOf, stopwatch } from '../support/process/service.ts'

if (no_network) console.warn(`Left out: many machines, because ${no_network}.`)

let all: Machines
const clocks = { web2: 300, work1: -300 }

/** A person who uses this web process only; nginx chooses one if none is named. */
async function person(name: string, at = all.url) {
  const ask = client(at)
  await register(ask, name)
  return { name, ask }
}
type Ask = Awaited<ReturnType<typeof person>>['ask']

const statusOf = (ask: Ask, video_id: string) => downloadOf(ask, video_id).status()
const done = (ask: Ask, video_ids: string[]) => allDone(video_ids.map(video_id => downloadOf(ask, video_id)))

const waits = { timeout: 60_000, interval: 200 }

async function signIn(username: string, at: string, more: { password?: string } = {}) {
  const body = new URLSearchParams({ username, password, ...more })
  const answer = await fetch(`${at}/login`, { method: 'POST', body, redirect: 'manual' })
  const [cookie = ''] = answer.headers.getSetCookie().map(line => line.split(';')[0] ?? '')
  return { status: answer.status, cookie }
}

const locksHeld = async () => {
  const [row] =
    await all.sql`select count(*) as held from pg_locks where locktype = 'advisory' and objid in (7001, 7002)`
  return row?.held
}
/** Whether a process works in the folder of a run. The checkout, whose programs workers run, may be anywhere. */
const isOfRun = ({ args }: { args: string }) =>
  args
    .split(all.folder)
    .slice(1)
    .some(path => /^\S*\/work\//.test(path))
const workersAlive = async () => {
  const [row] = await all.sql`
    select count(*) as alive from workers where report is not null and heartbeat_at > now() - interval '15 seconds'`
  return row?.alive
}

/** A list of half a megabyte that names one channel. */
function upload(address: string): RequestInit {
  const body = new FormData()
  const lines = Array.from(
    { length: 5000 },
    () => 'no address at all, only a line of some text that is counted and left out',
  )
  body.set('file', new Blob([[address, ...lines].join('\n')]), 'list.txt')
  return { method: 'POST', body }
}

const requestsFor = (name: string) => all.media.requests.filter(({ search }) => search.includes(`film=${name}&`))
const webAt = (nth: number) => all.webs[nth]?.running.url ?? ''

describe.skipIf(no_network)('many machines', () => {
  beforeAll(async () => {
    all = await openMachines(clocks, { WORKER_CONCURRENCY: '1' })
  })
  afterAll(() => all?.close())

  it('a file that several people want is fetched once, and all workers together keep to the limit of a host', async () => {
    const alone = await person('alone', webAt(0))
    const feed = publishFeed(all.media, { Alone: '/plain.mp4?film=alone&drip=60000' }, '/alone.xml')
    await done(alone.ask, await followAndRequest(alone.ask, feed))
    const once = requestsFor('alone').length

    const names = ['ann', 'ben', 'cem', 'dua']
    const shared = publishFeed(
      all.media,
      Object.fromEntries([1, 2].map(n => [`Shared ${n}`, `/plain.mp4?film=shared${n}&drip=60000`])),
      '/shared.xml',
    )
    const wanted = await Promise.all(
      names.map(async (name, nth) => {
        const { ask } = await person(name, webAt(nth % 2))
        const own = publishFeed(all.media, { Own: `/plain.mp4?film=${name}&drip=60000` }, `/${name}.xml`)
        return { ask, video_ids: [...(await followAndRequest(ask, shared)), ...(await followAndRequest(ask, own))] }
      }),
    )
    await Promise.all(wanted.map(({ ask, video_ids }) => done(ask, video_ids)))

    const films = [...names, 'shared1', 'shared2']
    expect(Object.fromEntries(films.map(film => [film, requestsFor(film).length]))).toEqual(
      Object.fromEntries(films.map(film => [film, once])),
    )
    // Each worker runs one download, so two at once are of two workers.
    expect(all.media.most_at_once).toBe(2)
    const hosts = new Set(all.media.requests.filter(({ search }) => search.includes('film=')).map(({ from }) => from))
    expect(hosts.size).toBeGreaterThan(1)
  })

  it('a session is valid on every web process, and ends on all of them', async () => {
    await person('mover', webAt(0))
    const { cookie } = await signIn('mover', webAt(0))
    const seenBy = (web: string) => fetch(`${web}/api/channels`, { headers: { cookie } }).then(({ status }) => status)
    expect([await seenBy(webAt(0)), await seenBy(webAt(1))]).toEqual([200, 200])

    await fetch(`${webAt(1)}/logout`, { method: 'POST', headers: { cookie } })

    expect(await seenBy(webAt(1))).toBe(401)
    await vi.waitFor(async () => expect(await seenBy(webAt(0))).toBe(401), { timeout: 20_000, interval: 100 })
  })

  it('a feed that is due is fetched once, though three workers plan, and is due again by the clock of the database', async () => {
    const paths = Array.from({ length: 6 }, (_, nth) => `/due${nth}.xml`)
    const { ask } = await person('planner')
    for (const path of paths) {
      const feed = publishFeed(all.media, { [path]: `/plain.mp4?film=${path}&drip=0` }, path)
      expect((await ask('/api/channels', json({ url: feed }))).status).toBe(201)
    }
    const fetched = () => paths.map(at => all.media.requests.filter(({ path }) => path === at).length)
    const before = fetched()
    await all.sql`update channels set next_fetch_at = now() where rss_url like ${`${all.media.url}/due%`}`

    const nextFetches = () => all.sql<{ minutes: number }[]>`
      select   extract(epoch from next_fetch_at - now())::float / 60 as minutes
      from     channels
      where    rss_url like ${`${all.media.url}/due%`}`
    await vi.waitFor(
      async () => {
        await all.sql`select graphile_worker.add_job('housekeeping') from generate_series(1, 3)`
        for (const { minutes } of await nextFetches()) expect(minutes).toBeGreaterThan(1)
      },
      { timeout: 60_000, interval: 1000 },
    )

    expect(fetched()).toEqual(before.map(times => times + 1))
    for (const { minutes } of await nextFetches()) expect(minutes).toBeGreaterThan(14)
  })

  it('tries to sign in are counted over both web processes', async () => {
    await person('guessed', webAt(0))
    const tries: number[] = []
    for (let nth = 0; nth < 12; nth++)
      tries.push((await signIn('guessed', webAt(nth % 2), { password: 'wrong' })).status)
    expect(tries).toEqual([...Array(10).fill(401), 429, 429])
  })

  it('a worker that is cut off loses its download to another one, holds no lock, and works again afterwards', async () => {
    const { ask } = await person('cut')
    const free = all.media.holdAfter(50_000, 'film=cut')
    const feed = publishFeed(all.media, { Cut: '/plain.mp4?film=cut&drip=0' }, '/cut.xml')
    const [video_id = ''] = await followAndRequest(ask, feed)
    await vi.waitFor(
      async () => expect((await statusOf(ask, video_id)).progress?.percent ?? 0).toBeGreaterThan(5),
      waits,
    )
    const doomed = all.workers.find(({ machine }) => machine.address === requestsFor('cut').at(-1)?.from)
    if (!doomed) throw new Error(`no worker has the address ${requestsFor('cut').at(-1)?.from}`)
    await start('', {
      entry: 'test/support/process/held-lock.ts',
      env: { ...all.env, DATABASE_URL: all.direct_url },
      inside: doomed.machine.inside,
    })
    const before = requestsFor('cut').length

    await doomed.machine.cutOff()
    free()
    const [seconds, locked_s] = [
      stopwatch('a download of a worker that is cut off, until it is complete'),
      stopwatch('the locks of a machine that is cut off'),
    ]
    await Promise.all([
      done(ask, [video_id]).then(seconds),
      vi.waitFor(async () => expect(await locksHeld()).toBe(0), waits).then(locked_s),
    ])

    const { file_size } = await statusOf(ask, video_id)
    const body = Buffer.from(await (await ask(`/stream/${video_id}`)).arrayBuffer())
    expect([body.length, body.subarray(4, 8).toString()]).toEqual([file_size, 'ftyp'])
    expect(
      new Set(
        requestsFor('cut')
          .slice(before)
          .map(({ from }) => from),
      ).has(doomed.machine.address),
    ).toBe(false)

    const [asked, keys] = [requestsFor('cut').length, await all.bucket.keys()]
    await doomed.machine.reconnect()
    await vi.waitFor(async () => expect(await workersAlive()).toBe(3), { timeout: 90_000, interval: 300 })
    await vi.waitFor(async () => expect((await processesWith(all.folder)).filter(isOfRun)).toEqual([]), waits)
    expect([requestsFor('cut').length, await all.bucket.keys()]).toEqual([asked, keys])
    expect((await statusOf(ask, video_id)).download_status).toBe('completed')
  })

  it('a restart of one process after the other loses no request', async () => {
    const people = await Promise.all(
      ['one', 'two', 'three', 'four', 'five', 'six'].map(async name => {
        const { ask } = await person(`restart-${name}`)
        const feed = publishFeed(all.media, { Film: '/plain.mp4?film=restart&drip=0' }, '/restart.xml')
        const [video_id = ''] = await followAndRequest(ask, feed)
        await done(ask, [video_id])
        const bytes = (await statusOf(ask, video_id)).file_size ?? 0
        const requests = [
          { path: '/' },
          { path: `/api/download/status/${video_id}` },
          { path: `/stream/${video_id}`, init: { headers: { range: 'bytes=1000-50999' } }, bytes: 50_000 },
          { path: `/watch/${video_id}` },
          { path: `/videos/${video_id}/later`, init: { method: 'POST' } },
          { path: `/stream/${video_id}`, bytes },
          { path: '/import', init: upload(feed) },
        ]
        return { ask, requests }
      }),
    )
    const load = startLoad(people)
    const seconds = stopwatch('a restart of two web processes and three workers')
    for (const member of [...all.webs, ...all.workers]) await member.restart()
    seconds()
    const { faults, ...figures } = await load.stop()
    console.log('requests meanwhile:', figures)
    expect(faults).toEqual([])
  })

  it('a worker and a migration that get the address of PgBouncer say what they need', async () => {
    const env = { ...all.env, DATABASE_URL: all.pooled_url }
    const ended = await Promise.all(['worker', 'migrate'].map(role => runRole(role, env)))
    for (const { code, said } of ended)
      expect([code, said]).toEqual([1, expect.stringContaining('the address of Postgres itself')])
  })
})
