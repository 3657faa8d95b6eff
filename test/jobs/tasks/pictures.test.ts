/** Fetching, converting and storing pictures: real Postgres, a real site on this machine, the real ffmpeg. */
import { readdir } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { execa } from 'execa'
import type { JobHelpers } from 'graphile-worker'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { picturesTask } from '../../../jobs/tasks/pictures.ts'
import type { TaskParts } from '../../../jobs/tasks/task-parts.ts'
import { planPictures } from '../../../src/db/queue/picture-plans.ts'
import { queueAllPictures, takePictures } from '../../../src/db/videos/everyone/due-pictures.ts'
import { retry_minutes } from '../../../src/domain/videos/fetch-pictures.ts'
import { createHostChecker } from '../../../src/feed/fetch/fetch.ts'
import { createPictureFetcher } from '../../../src/feed/fetch/fetch-picture.ts'
import { addressPolicy } from '../../../src/net/addresses.ts'
import { operatorProxy, throughProxy } from '../../../src/net/operator-proxy.ts'
import type { Files } from '../../../src/store/files.ts'
import { filesIn } from '../../../src/store/local-files.ts'
import { picturePath } from '../../../src/store/paths.ts'
import { convertPicture } from '../../../src/ytdlp/convert/convert-picture.ts'
import { useDatabase } from '../../support/app/database.ts'
import { idleParts } from '../../support/app/parts.ts'
import { siteWith } from '../../support/media/feed-site.ts'
import { toolsForTests } from '../../support/process/tools.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const { sql } = useDatabase()
const folder = newFolder()
const files = filesIn(folder)
let jpeg: Uint8Array
beforeAll(async () => {
  const args = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=640x360', '-frames:v', '1', '-f', 'mjpeg', '-']
  jpeg = (await execa(toolsForTests().ffmpeg, args, { encoding: 'buffer' })).stdout
})
beforeEach(async () => {
  await sql`truncate pictures, host_pauses`
  await sql`delete from graphile_worker._private_jobs`
})

const policy = addressPolicy(['127.0.0.1'])

function partsWith(more: Partial<TaskParts> = {}): TaskParts {
  const fetchPicture = createPictureFetcher({ policy })
  const host_limits = { host_concurrency: 2, host_pause_seconds: 0, isOurs: () => true }
  const findTools = async () => toolsForTests()
  const checkHost = createHostChecker({ policy })
  return { ...idleParts(sql), files, fetchPicture, checkHost, convertPicture, findTools, host_limits, ...more }
}

const fetchAt = (url: string, more: Partial<TaskParts> = {}, signal = new AbortController().signal) =>
  picturesTask(partsWith(more))({ host: new URL(url).host }, { abortSignal: signal } as JobHelpers)

const plan = (...urls: string[]) =>
  planPictures(
    sql,
    urls.map(url => ({ kind: 'video' as const, url, is_wanted: false })),
  )

type Row = { picture_id: string; is_stored: boolean; is_due: boolean; minutes: number | null; failures: number }
const rowsOf = () => sql<Row[]>`
  select   picture_id, stored_at is not null as is_stored, fetch_at is not null as is_due, failures,
           round(extract(epoch from fetch_at - now()) / 60)::int as minutes
  from     pictures
  order by url`
const row = async () => (await rowsOf())[0] ?? expect.fail('there is no picture')

const answers = (status: number, body: Uint8Array | string = '', headers: Record<string, string> = {}) =>
  ((_: IncomingMessage, response: ServerResponse) => response.writeHead(status, headers).end(body)) as Parameters<
    typeof siteWith
  >[0]

it('while the operator’s proxy is away, pictures wait for five minutes without a failure, and their host is not paused', async () => {
  const away = throughProxy(
    { resolve: async () => [{ address: '127.0.0.1', family: 4 }] },
    { FEED_PROXY: 'on' },
    operatorProxy('http://127.0.0.1:9'),
  )
  const urls = Array.from({ length: 8 }, (_, n) => `http://pictures.example/${n}.jpg`)
  await plan(...urls)
  const proxied = {
    fetchPicture: createPictureFetcher({ policy: away }),
    checkHost: createHostChecker({ policy: away }),
  }

  await fetchAt('http://pictures.example/', proxied)

  const rows = await rowsOf()
  expect(rows.map(({ failures, is_due }) => [failures, is_due])).toEqual(Array(8).fill([0, true]))
  expect(Math.max(...rows.map(({ minutes }) => minutes ?? 0))).toBe(5)
  expect(await sql`select from host_pauses`).toEqual([])
})

describe('a picture at a site', () => {
  it('a picture is fetched once and stored in two sizes', async () => {
    const site = await siteWith(answers(200, jpeg))
    await plan(`${site.url}/a.jpg`)
    await fetchAt(site.url)
    await fetchAt(site.url)

    const { picture_id, ...state } = await row()
    expect(state).toEqual({ is_stored: true, is_due: false, failures: 0, minutes: null })
    const stored = await Promise.all(
      (['small', 'large'] as const).map(size => files.read(picturePath(picture_id, size))),
    )
    expect(stored.map(bytes => Buffer.from(bytes ?? []).toString('latin1', 8, 12))).toEqual(['WEBP', 'WEBP'])
    expect(site.asked).toEqual(['/a.jpg'])
  })

  it('a picture behind a redirect is fetched', async () => {
    const site = await siteWith((request, response) => {
      if (request.url === '/a.jpg') response.writeHead(302, { location: '/b.jpg' }).end()
      else response.writeHead(200).end(jpeg)
    })
    await plan(`${site.url}/a.jpg`)
    await fetchAt(site.url)
    expect((await row()).is_stored).toBe(true)
  })

  it.each([404, 410])('a picture that is answered with %d is given up at once', async status => {
    const site = await siteWith(answers(status))
    await plan(`${site.url}/a.jpg`)
    await fetchAt(site.url)
    expect(await row()).toMatchObject({ is_stored: false, is_due: false, failures: 1 })
  })

  it('a site that fails gets growing pauses, and then the picture is given up', async () => {
    const site = await siteWith(answers(500))
    await plan(`${site.url}/a.jpg`)
    const seen: (number | null)[] = []
    for (const _ of [...retry_minutes, 0]) {
      await sql`update pictures set fetch_at = now()`
      await fetchAt(site.url)
      seen.push((await row()).minutes)
    }
    expect(seen).toEqual([...retry_minutes, null])
    expect(await row()).toMatchObject({ is_stored: false, is_due: false })
  })

  it('429 pauses the host for pictures and for nothing else, and no attempt is used up', async () => {
    const site = await siteWith(answers(429, '', { 'retry-after': '600' }))
    await plan(`${site.url}/a.jpg`, `${site.url}/b.jpg`, `${site.url}/c.jpg`)
    await fetchAt(site.url)
    await fetchAt(site.url)

    const host = new URL(site.url).host
    expect(await sql`select host, user_id from host_pauses`).toEqual([{ host: `pictures:${host}`, user_id: null }])
    expect(site.asked.filter(path => path !== '/').length).toBeLessThanOrEqual(2)
    expect((await rowsOf()).map(({ failures }) => failures)).toEqual([0, 0, 0])
    expect(await queueAllPictures(sql)).toBe(0)
  })

  it('many failures of a host in a row pause it for pictures', async () => {
    const site = await siteWith(answers(500))
    await plan(...Array.from({ length: 30 }, (_, at) => `${site.url}/${at}.jpg`))
    await fetchAt(site.url)
    expect(site.asked.length).toBeLessThan(10)
    expect(await sql`select from host_pauses`).toHaveLength(1)
  })

  it.each([429, 500])('addresses that answer %d never pause a host whose root is well', async status => {
    const site = await siteWith((request, response) =>
      response.writeHead(request.url === '/' ? 200 : status, { 'retry-after': '600' }).end(),
    )
    await plan(...Array.from({ length: 30 }, (_, at) => `${site.url}/${at}.jpg`))
    await fetchAt(site.url)
    // A refusal ends the run, and a fault delays no other picture.
    if (status === 429) expect(site.asked.length).toBeLessThan(10)
    else expect(site.asked.filter(url => url !== '/')).toHaveLength(30)
    expect(site.asked.filter(url => url === '/')).toHaveLength(1)
    expect(await sql`select from host_pauses`).toHaveLength(0)
  })

  it('refused addresses never pause a host, because a feed can name any address', async () => {
    const site = await siteWith((request, response) =>
      request.url?.startsWith('/good') ? response.writeHead(200).end(jpeg) : response.writeHead(403).end(),
    )
    await plan(...Array.from({ length: 15 }, (_, at) => `${site.url}/${at}.jpg`), `${site.url}/good.jpg`)
    await fetchAt(site.url)
    expect(site.asked).toHaveLength(16)
    expect(await sql`select from pictures where stored_at is not null`).toHaveLength(1)
    expect(await sql`select from host_pauses`).toHaveLength(0)
  })

  it.each([
    ['a refused address', undefined],
    ['another host that answers 429', 429],
    ['another host that answers 500', 500],
  ])('a redirect to %s never pauses the host that redirected', async (_, status) => {
    const other = status && (await siteWith(answers(status, '', { 'retry-after': '600' })))
    const site = await siteWith(answers(302, '', { location: other ? `${other.url}/a.jpg` : 'http://10.9.9.9/' }))
    await plan(...Array.from({ length: 10 }, (_, at) => `${site.url}/${at}.jpg`))
    await fetchAt(site.url)
    expect(site.asked).toHaveLength(10)
    expect(await sql`select from host_pauses`).toHaveLength(0)
    expect((await rowsOf()).map(({ failures }) => failures)).toEqual(Array(10).fill(1))
  })

  it('jobs of hosts that failed come after those of all others', async () => {
    await plan('https://bad.example/1.jpg', 'https://good.example/1.jpg')
    await sql`insert into host_pauses (host, until, reason) values ('pictures:bad.example', now(), 'It failed.')`
    await queueAllPictures(sql)
    const jobs = await sql`select key from graphile_worker.jobs order by priority, key`
    expect(jobs.map(({ key }) => key)).toEqual(['pictures:good.example', 'pictures:bad.example'])
  })

  it('no more than two pictures are converted at once, however many hosts there are', async () => {
    let [running, most] = [0, 0]
    const convertCounted: typeof convertPicture = async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise(resolve => setImmediate(resolve))
      running -= 1
      return { small: jpeg, large: jpeg }
    }
    const sites = await Promise.all(Array.from({ length: 4 }, () => siteWith(answers(200, jpeg))))
    await plan(...sites.flatMap(({ url }) => [1, 2, 3].map(at => `${url}/${at}.jpg`)))
    const task = picturesTask(partsWith({ convertPicture: convertCounted }))
    const { signal } = new AbortController()
    await Promise.all(sites.map(({ url }) => task({ host: new URL(url).host }, { abortSignal: signal } as JobHelpers)))
    expect((await rowsOf()).map(({ is_stored }) => is_stored)).toEqual(Array(12).fill(true))
    expect(most).toBeLessThanOrEqual(2)
  })
})

describe('hostile answers', () => {
  it('an SVG named .jpg is given up, and never decoded', async () => {
    const site = await siteWith(
      answers(200, '<svg xmlns="http://www.w3.org/2000/svg"/>', { 'content-type': 'image/jpeg' }),
    )
    await plan(`${site.url}/a.jpg`)
    await fetchAt(site.url, { convertPicture: () => expect.fail('it was decoded') })
    expect(await row()).toMatchObject({ is_stored: false, is_due: false })
  })

  it('a file of more than 5 MB is given up', async () => {
    const site = await siteWith((_, response) => {
      response.writeHead(200)
      response.write(jpeg)
      response.end(Buffer.alloc(6 * 1024 * 1024))
    })
    await plan(`${site.url}/a.jpg`)
    await fetchAt(site.url)
    expect(await row()).toMatchObject({ is_stored: false, is_due: false })
  })

  it('a picture that redirects inside is not fetched', async () => {
    const inside = await siteWith(answers(200, jpeg))
    const site = await siteWith(answers(302, '', { location: `${inside.url}/secret.jpg` }))
    await plan(`${site.url}/a.jpg`)
    const fetchPicture = createPictureFetcher({ policy: addressPolicy([`127.0.0.1:${site.port}`]) })
    await fetchAt(site.url, { fetchPicture })
    expect((await row()).is_stored).toBe(false)
    expect([site.asked, inside.asked]).toEqual([['/a.jpg'], []])
  })

  it('addresses of other schemes and too long ones are not planned', async () => {
    await plan(
      'javascript:alert(1)',
      'file:///etc/passwd',
      'data:image/png;base64,x',
      `https://i.example/${'x'.repeat(2048)}`,
    )
    expect(await rowsOf()).toEqual([])
  })
})

describe('the worker', () => {
  it('without tools pictures wait, and no attempt is used up', async () => {
    const site = await siteWith(answers(200, jpeg))
    await plan(`${site.url}/a.jpg`)
    await fetchAt(site.url, { findTools: async () => ({ missing: 'ffmpeg is not installed.' }) })
    expect(await row()).toMatchObject({ is_stored: false, is_due: true, failures: 0 })
    expect(site.asked).toEqual([])
    expect(await sql`select from graphile_worker.jobs`).toHaveLength(0)
  })

  it('on a full disk pictures wait', async () => {
    const site = await siteWith(answers(200, jpeg))
    await plan(`${site.url}/a.jpg`)
    await fetchAt(site.url, { room: { min_free_bytes: Number.MAX_SAFE_INTEGER, quota_bytes: 0 } })
    expect([(await row()).is_due, site.asked]).toEqual([true, []])
  })

  it('two workers never take the same picture, and the pictures of a dead one are due again', async () => {
    await plan(...Array.from({ length: 20 }, (_, at) => `https://i.example/${at}.jpg`))
    const [one, two] = await Promise.all([takePictures(sql, 'i.example', 15), takePictures(sql, 'i.example', 15)])
    const taken = [...one, ...two].map(({ picture_id }) => picture_id)
    expect([taken.length, new Set(taken).size]).toEqual([20, 20])
    expect(await takePictures(sql, 'i.example', 15)).toEqual([])
    await sql`update pictures set fetch_at = fetch_at - interval '5 minutes'`
    expect(await takePictures(sql, 'i.example', 15)).toHaveLength(15)
  })

  it('wanted pictures are taken first', async () => {
    await plan('https://i.example/old.jpg')
    await sql`update pictures set fetch_at = now() - interval '1 day'`
    await planPictures(sql, [{ kind: 'channel', url: 'https://i.example/new.jpg', is_wanted: true }])
    const [first] = await takePictures(sql, 'i.example', 1)
    expect(first).toMatchObject({ kind: 'channel', url: 'https://i.example/new.jpg' })
  })

  it('the pictures of channels are taken before those of videos that wait longer', async () => {
    await planPictures(sql, [{ kind: 'video', url: 'https://i.example/video.jpg', is_wanted: true }])
    await planPictures(sql, [{ kind: 'channel', url: 'https://i.example/face.jpg', is_wanted: true }])
    expect((await takePictures(sql, 'i.example', 2)).map(({ kind }) => kind)).toEqual(['channel', 'video'])
  })

  it('a worker that stops hands its pictures back', async () => {
    const stop = new AbortController()
    const site = await siteWith(() => stop.abort(new Error('the worker stops')))
    await plan(...Array.from({ length: 5 }, (_, at) => `${site.url}/${at}.jpg`))
    await fetchAt(site.url, {}, stop.signal)
    expect((await rowsOf()).map(({ failures, minutes }) => [failures, minutes])).toEqual(Array(5).fill([0, 0]))
  })

  it('a disk that fails uses up an attempt, and the others are still stored', async () => {
    const site = await siteWith(answers(200, jpeg))
    await plan(`${site.url}/a.jpg`, `${site.url}/b.jpg`)
    let writes = 0
    const write: Files['write'] = async (path, bytes) => {
      writes += 1
      if (writes === 1) throw new Error('ENOSPC')
      return files.write(path, bytes)
    }
    await fetchAt(site.url, { files: { ...files, write } })
    expect((await rowsOf()).map(({ is_stored }) => is_stored).toSorted()).toEqual([false, true])
  })

  it('a picture that was deleted while it was fetched leaves no files', async () => {
    const site = await siteWith(async (_, response) => {
      await sql`delete from pictures`
      response.writeHead(200).end(jpeg)
    })
    await plan(`${site.url}/gone.jpg`)
    const own = filesIn(join(folder, 'own'))
    await fetchAt(site.url, { files: own })
    expect(await readdir(join(folder, 'own', '.pictures'))).toEqual([])
  })

  it('one job is queued for each host with due pictures, and none while one waits', async () => {
    await plan('https://i.example/1.jpg', 'https://i.example/2.jpg', 'https://j.example/1.jpg')
    await planPictures(sql, [{ kind: 'video', url: 'https://k.example/1.jpg', is_wanted: false }])
    await sql`update pictures set fetch_at = now() + interval '1 hour' where host = 'k.example'`
    expect(await queueAllPictures(sql)).toBe(2)
    expect(await queueAllPictures(sql)).toBe(0)
    const jobs = await sql`select key from graphile_worker.jobs order by key`
    expect(jobs).toEqual([{ key: 'pictures:i.example' }, { key: 'pictures:j.example' }])
  })
})
