/** Files sent over real connections: how many at once, how they end, and that none stays open. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readlink, rename, truncate, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Fetch, type Server, serve } from '../../../src/runtime/serve.ts'
import { unlimited, useApp } from '../../support/app/app.ts'
import { follows, has, type Person, person } from '../../support/app/people.ts'
import { storage_kinds } from '../../support/app/storages.ts'

/** More than the system buffers for a connection that is not read. */
const film = randomBytes(24 * 1024 * 1024)

const strict_limits = { ...unlimited, streams: { of_person: 2, at_address: 3, idle_ms: 60_000 } }
const strict_folder = useApp({ limits: strict_limits })
const strict_bucket = useApp({ limits: strict_limits, storage: 'a bucket' })
const usual = useApp({ limits: unlimited })
const impatient = useApp({ limits: { ...unlimited, streams: { of_person: 24, at_address: 120, idle_ms: 1000 } } })

async function owner(app: typeof usual): Promise<{ as: Person; file: string }> {
  const as = await person(app.sql, 'alice')
  await follows(as, 'c', ['v1'])
  const { download_path, file } = app === strict_bucket ? await inBucket() : await stored(app, as.user.user_id)
  await has(as, 'v1', download_path, film.length)
  return { as, file }
}

async function stored(app: typeof usual, folder: string): Promise<{ download_path: string; file: string }> {
  const download_path = `${folder}/c/v1.mp4`
  return { download_path, file: await app.storage.give(download_path, film) }
}

/** One file for everyone: to store it takes longer than most tests, and none changes it. */
const inBucket = () => {
  in_bucket ??= stored(strict_bucket, 'everyone')
  return in_bucket
}
let in_bucket: ReturnType<typeof stored> | undefined

const servers = new Map<object, Server>()
beforeAll(async () => {
  for (const app of [strict_folder, strict_bucket, usual, impatient])
    servers.set(app, await serve(app.app.fetch, '127.0.0.1', 0))
})
afterAll(() => Promise.all([...servers.values()].map(server => server.close())))

/** Sends a request over a new connection, and reads nothing yet. */
async function open(app: object, as: Person, headers: Record<string, string> = {}, path = '/stream/v1') {
  const { port } = new URL(servers.get(app)?.url ?? '')
  const options = { host: '127.0.0.1', port, path, agent: false, headers: { cookie: as.cookie, ...headers } }
  const [answer] = (await once(get(options), 'response')) as [IncomingMessage]
  answer.on('error', () => {})
  return answer
}

const read = async (answer: IncomingMessage) => Buffer.concat(await Array.fromAsync(answer as AsyncIterable<Buffer>))

const handlesOf = async (file: string) => {
  const links = (await readdir('/proc/self/fd')).map(fd => readlink(`/proc/self/fd/${fd}`).catch(() => ''))
  return (await Promise.all(links)).filter(link => link.startsWith(file)).length
}
const closed = (file: string) => vi.waitFor(async () => expect(await handlesOf(file)).toBe(0))

describe('a file over the wire', () => {
  it('a file arrives unchanged, whole and in part, with the usual headers', async () => {
    const { as, file } = await owner(usual)
    const whole = await open(usual, as)
    expect(whole.headers).toMatchObject({
      'content-length': String(film.length),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
      date: expect.any(String),
    })
    expect((await read(whole)).equals(film)).toBe(true)
    const part = await open(usual, as, { range: 'bytes=1000001-9000000' })
    expect([part.statusCode, part.headers['content-range']]).toEqual([206, `bytes 1000001-9000000/${film.length}`])
    expect((await read(part)).equals(film.subarray(1_000_001, 9_000_001))).toBe(true)
    const last = await open(usual, as, { range: 'bytes=-1' }, '/download/v1')
    expect((await read(last)).equals(film.subarray(-1))).toBe(true)
    await closed(file)
  })

  it('an answer keeps sending the opened file when another replaces it', async () => {
    const { as, file } = await owner(usual)
    const answer = await open(usual, as)
    await writeFile(`${file}.new`, 'another')
    await rename(`${file}.new`, file)
    expect((await read(answer)).equals(film)).toBe(true)
    await closed(file)
  })

  it('an answer is aborted when its file was truncated', async () => {
    const { as, file } = await owner(usual)
    const answer = await open(usual, as)
    await truncate(file, 1000)
    await expect(read(answer)).rejects.toThrow('aborted')
    await closed(file)
  })

  it('files are closed after 100 clients disconnect early and late', async () => {
    const { as, file } = await owner(usual)
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => open(usual, as)))
      for (const [index, answer] of answers.entries()) {
        if (index % 2) await once(answer, 'readable')
        answer.destroy()
      }
      await expect.poll(() => handlesOf(file)).toBe(0)
    }
  })

  it('a slow client gets the whole file', async () => {
    const { as, file } = await owner(usual)
    const answer = await open(usual, as)
    const parts: Buffer[] = []
    for await (const part of answer as AsyncIterable<Buffer>) {
      parts.push(part)
      if (parts.length % 50 === 0) await new Promise(resolve => setImmediate(resolve))
    }
    expect(Buffer.concat(parts).equals(film)).toBe(true)
    await closed(file)
  })
})

describe.each(storage_kinds)('open files of %s', kind => {
  const strict = kind === 'a folder' ? strict_folder : strict_bucket

  it('a user with too many open files gets 429 with the time to wait, until one is closed', async () => {
    const [{ as: alice, file }, { as: bob }] = [await owner(strict), await owner(strict)]
    const [first, second] = [await open(strict, alice), await open(strict, alice, { range: 'bytes=5-' })]

    const third = await open(strict, alice, {}, '/download/v1')

    expect([third.statusCode, third.headers['retry-after']]).toEqual([429, '5'])
    expect(String(await read(third))).toContain('Close some, then try again')
    const his = await open(strict, bob)
    expect(his.statusCode).toBe(200)
    first.destroy()
    await vi.waitFor(async () => {
      const again = await open(strict, alice)
      again.destroy()
      expect(again.statusCode).toBe(200)
    })
    for (const answer of [second, his]) answer.destroy()
    await closed(file)
  })

  it('an address with too many open files gets 429, whichever users they belong to', async () => {
    const owners = [await owner(strict), await owner(strict)]
    const answers = []
    for (const { as } of [...owners, ...owners]) answers.push(await open(strict, as))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 429])
    for (const answer of answers) answer.destroy()
    for (const { file } of owners) await closed(file)
  })

  it('a HEAD, a 304 and a 416 do not count as open files', async () => {
    const { as } = await owner(strict)
    const held = [await open(strict, as), await open(strict, as)]
    const etag = held[0]?.headers.etag ?? ''
    expect((await open(strict, as, { 'if-none-match': etag })).statusCode).toBe(304)
    expect((await open(strict, as, { range: 'bytes=99999999-' })).statusCode).toBe(416)
    expect((await strict.ask('/stream/v1', { as, method: 'HEAD' })).status).toBe(200)
    for (const answer of held) answer.destroy()
  })
})

describe('open files', () => {
  it('a player that seeks 100 times in two videos is never refused', async () => {
    const { as, file } = await owner(usual)
    const statuses = new Set<number | undefined>()
    const player = async (step: number) => {
      for (let seek = 0; seek < 100; seek++) {
        const answer = await open(usual, as, { range: `bytes=${seek * step}-` })
        statuses.add(answer.statusCode)
        await once(answer, 'readable')
        answer.destroy()
      }
    }
    await Promise.all([player(100_000), player(200_000)])
    expect([...statuses]).toEqual([206])
    await closed(file)
  })

  it('a client that reads nothing for too long is disconnected, and a slow one is not', async () => {
    const { as, file } = await owner(impatient)
    const [stalled, slow] = [await open(impatient, as), await open(impatient, as, { range: 'bytes=0-999999' })]
    await vi.waitFor(async () => expect(await handlesOf(file)).toBe(0))
    await expect(read(stalled)).rejects.toThrow('aborted')
    expect((await read(slow)).length).toBe(1_000_000)
  })

  it('a closed connection closes its files, including those of pipelined requests', async () => {
    const { as, file } = await owner(usual)
    const { port } = new URL(servers.get(usual)?.url ?? '')
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => {})
    socket.pause()
    const asked = `GET /stream/v1 HTTP/1.1\r\nHost: localhost\r\nCookie: ${as.cookie}\r\n\r\n`
    socket.write(asked.repeat(15))
    await vi.waitFor(async () => expect(await handlesOf(file)).toBe(15))
    socket.destroy()
    await closed(file)
  })

  it('without a socket, as on Deno, a stalled client is disconnected, too', async () => {
    const { as, file } = await owner(impatient)
    const answer = await impatient.ask('/stream/v1', { as })
    const reader = answer.body?.getReader()
    const { value } = (await reader?.read()) ?? {}
    // One piece is being sent while the next is read, so a stalled client costs two.
    expect(value?.length).toBeLessThanOrEqual(128 * 1024)
    await closed(file)
    await expect(reader?.read()).rejects.toThrow('took nothing')
  })
})

describe('unread answers', () => {
  /** Ten megabytes of JSON. */
  const path = '/api/history/c?limit=200'
  async function longDescriptions(app: typeof usual) {
    const as = await person(app.sql, 'alice')
    const ids = Array.from({ length: 200 }, (_, n) => `v${n}`)
    await follows(as, 'c', ids)
    await app.sql`update video_entries set description = repeat('x', 50000) where user_id = ${as.user.user_id}`
    return as
  }

  it('a user with too many unread megabytes gets 429, until they are read or closed', async () => {
    const [alice, bob] = [await longDescriptions(usual), await longDescriptions(usual)]
    const answers: IncomingMessage[] = []
    for (let n = 0; n < 6; n++) answers.push(await open(usual, alice, {}, path))

    const statuses = answers.map(({ statusCode }) => statusCode)
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 429])
    expect(answers.at(-1)?.headers['retry-after']).toBe('5')
    const his = await open(usual, bob, {}, path)
    expect([his.statusCode, (await read(his)).length > 10_000_000]).toEqual([200, true])
    for (const answer of answers) answer.destroy()
    await vi.waitFor(async () => {
      const again = await open(usual, alice, {}, path)
      expect([again.statusCode, (await read(again)).length > 10_000_000]).toEqual([200, true])
    })
  })

  it('an answer of which nothing is read for too long is aborted', async () => {
    const as = await longDescriptions(usual)
    const ended = Promise.withResolvers<void>()
    const timeouts = { headersTimeout: 15_000, requestTimeout: 15_000, connectionsCheckingInterval: 1000, timeout: 300 }
    const fetch: Fetch = async (request, connection) => {
      const { socket } = connection.answer as unknown as ServerResponse
      connection.answer?.once('close', ended.resolve)
      // On a busy machine the answer itself may take longer than that.
      socket?.setTimeout(0)
      const answer = await usual.app.fetch(request, connection)
      socket?.setTimeout(timeouts.timeout)
      return answer
    }
    servers.set(as, await serve(fetch, '127.0.0.1', 0, timeouts))
    const answer = await open(as, as, {}, path)
    await ended.promise
    await expect(read(answer)).rejects.toThrow('aborted')
  })
})
