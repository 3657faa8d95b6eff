/**
 * Over real connections: what is being sent to a person, or read from them, ends when they are locked or deleted elsewhere; what is sent by
 * a link, when the link is revoked.
 */
import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { readdir, readlink } from 'node:fs/promises'
import { get, type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, vi } from 'vitest'
import { accountsIn } from '../../../src/db/account/accounts.ts'
import { secretsOf } from '../../../src/db/account/own-secrets.ts'
import { openAnswers } from '../../../src/routes/http/open-answers.ts'
import { type Server, serve } from '../../../src/runtime/serve.ts'
import { unlimited, useApp, withPeople } from '../../support/app/app.ts'
import { arrives } from '../../support/app/arriving.ts'
import { linkOf } from '../../support/app/links.ts'
import { lock } from '../../support/app/locks.ts'
import { follows, has, type Person, person } from '../../support/app/people.ts'
import { run } from '../../support/process/processes.ts'

/** More than the system buffers for a connection that is not read. */
const film = randomBytes(24 * 1024 * 1024)

const app = useApp({ limits: unlimited, SHARE_FILES: 'off' })
const it = withPeople(app)
let server: Server
/** Resolves when the service has let the first upload in. */
const taken = Promise.withResolvers<void>()
beforeAll(async () => {
  server = await serve(
    (request, connection) => {
      const { answer } = connection
      const noted = answer?.once.bind(answer)
      // The service notes the end of each answer that it may have to cut.
      if (answer && noted && request.method === 'POST')
        answer.once = (event, listener) => {
          taken.resolve()
          return noted(event, listener)
        }
      return app.app.fetch(request, connection)
    },
    '127.0.0.1',
    0,
  )
})
afterAll(() => server.close())

async function owner(name: string): Promise<Person> {
  const as = await person(app.sql, name)
  await follows(as, 'c', ['v1'])
  const download_path = `${as.user.user_id}/c/v1.mp4`
  await app.storage.give(download_path, film)
  await has(as, 'v1', download_path, film.length)
  return as
}

type Sender = Pick<Person, 'cookie'>
const without_cookie: Sender = { cookie: '' }

const addressOf = (as: Sender, path: string) => ({
  host: '127.0.0.1',
  port: new URL(server.url).port,
  path,
  agent: false,
  headers: { cookie: as.cookie },
})
/** Sends a request over a new connection, and reads nothing yet. */
async function open(as: Sender, path: string): Promise<IncomingMessage> {
  const [answer] = (await once(get(addressOf(as, path)), 'response')) as [IncomingMessage]
  expect(answer.statusCode).toBe(200)
  return answer
}
const bytesOf = async (answer: IncomingMessage) => Buffer.concat(await Array.fromAsync(answer as AsyncIterable<Buffer>))
/** The service closes the file although its reader has not taken all of it. */
async function cut(as: Person, ...answers: IncomingMessage[]): Promise<void> {
  await vi.waitFor(async () => expect(await handlesOf(as)).toBe(0), 20_000)
  for (const answer of answers) await expect(bytesOf(answer)).rejects.toThrow('aborted')
}
const handlesOf = async ({ user }: Person) => {
  const links = (await readdir('/proc/self/fd')).map(fd => readlink(`/proc/self/fd/${fd}`).catch(() => ''))
  return (await Promise.all(links)).filter(link => link.includes(user.user_id)).length
}

/** An upload whose body the client never ends. */
function beginUpload(as: Person): Promise<unknown> {
  const { headers, ...address } = addressOf(as, '/api/archive')
  const upload = request({
    ...address,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/octet-stream' },
  })
  const ended = new Promise(resolve => upload.on('close', () => resolve('closed')))
  upload.on('error', () => {})
  upload.write('{"channels": [')
  return ended
}

// They run at the same time, because each waits for the next check, up to two seconds.
describe.concurrent('when a person is locked in another process', () => {
  it('their open files end, and those of others go on', async () => {
    const [alice, bob] = [await owner('alice'), await owner('bob')]
    const [stream, download, others] = [
      await open(alice, '/stream/v1'),
      await open(alice, '/download/v1'),
      await open(bob, '/stream/v1'),
    ]

    await lock(app.sql, alice)

    await cut(alice, stream, download)
    expect((await bytesOf(others)).equals(film)).toBe(true)
  })

  it('what they watch of a video that arrives ends, and nothing more of it is sent', async ({ alice }) => {
    await follows(alice, 'c', ['v1'])
    const claim = crypto.randomUUID()
    await arrives(app.files, alice, { video_id: 'v1', claim, is_sharing: false, segment: film })
    const paths = ['/stream/v1/index.m3u8', `/stream/v1/arriving/${claim}.1/0.m4s`]
    expect(String(await bytesOf(await open(alice, '/stream/v1/index.m3u8')))).toContain(`${claim}.1/0.m4s`)
    const segment = await open(alice, paths[1] ?? '')
    expect(await handlesOf(alice)).toBe(1)

    await app.elsewhere(() => lock(app.sql, alice))

    await cut(alice, segment)
    for (const path of paths) expect((await app.ask(path, { as: alice })).status).not.toBe(200)
  })

  it('the wait of their player ends, and another one does not begin', async ({ alice }) => {
    await follows(alice, 'c', ['v1'])
    const claim = crypto.randomUUID()
    const { key, arriving } = await arrives(app.files, alice, { video_id: 'v1', claim, is_sharing: false })
    const headers = { 'backlot-seen': `${claim}.1/0.m4s` }
    const wait = () => app.ask('/stream/v1/index.m3u8', { as: alice, headers })
    const waiting = wait()
    await vi.waitFor(async () => expect(await arriving.isWanted(key)).toBe(true))

    await app.elsewhere(() => lock(app.sql, alice))

    await waiting
    expect((await wait()).status).not.toBe(200)
  })

  it('their open file ends although another program locked them', async () => {
    const alice = await owner('alice')
    const stream = await open(alice, '/stream/v1')
    const env = { DATABASE_URL: app.url, DOWNLOADS_DIR: app.folder }

    const { code, said } = await run(['node_modules/.bin/node', 'jobs/cli/people.ts', 'lock', alice.user.username], env)

    expect([code, said]).toEqual([0, expect.stringContaining(alice.user.username)])
    await cut(alice, stream)
  })

  it('their upload ends', async ({ alice }) => {
    const ended = beginUpload(alice)
    await taken.promise

    await lock(app.sql, alice)

    expect(await ended).toBe('closed')
  })
})

/** A file of which a part has been sent. */
const sending = { headersSent: true, writableEnded: false, req: { complete: true } }

it.concurrent('only what is being read or sent is cut, not the short answer to the deletion of one’s own account', async () => {
  const { record } = openAnswers(async () => new Set())
  const cut: string[] = []
  const all_cut = Promise.withResolvers<void>()
  const answers = {
    made: { ...sending, headersSent: false },
    sent: { ...sending, writableEnded: true },
    uploaded: { ...sending, headersSent: false, req: { complete: false } },
    sending,
  }
  for (const [name, state] of Object.entries(answers)) {
    const destroy = () => cut.push(name) === 2 && all_cut.resolve()
    record('alice', { ...state, writableLength: 0, once: () => {}, destroy })
  }

  await all_cut.promise
  expect(cut).toEqual(['uploaded', 'sending'])
})

it.concurrent('no answer ends while the database is away', async () => {
  const [twice, closing] = [Promise.withResolvers<void>(), new EventEmitter()]
  let checks = 0
  const { record, unread } = openAnswers(async () => {
    if (++checks === 2) twice.resolve()
    throw new Error('the database is away')
  })
  let is_cut = false
  const once = (event: 'close', listener: () => void) => closing.once(event, listener)
  record('alice', { ...sending, writableLength: 5, once, destroy: () => (is_cut = true) })

  await twice.promise
  expect([is_cut, unread('alice')]).toEqual([false, 5])
  closing.emit('close')
  expect(unread('alice')).toBe(0)
})

it.concurrent('the open files of a deleted person end', async () => {
  const alice = await owner('alice')
  const stream = await open(alice, '/stream/v1')
  await accountsIn(app.sql).remove(alice.user)
  await cut(alice, stream)
  expect(stream.complete).toBe(false)
})

describe.concurrent('what is sent by a link ends', () => {
  const opened = async (name: string) => {
    const as = await owner(name)
    const { path, link_id } = await linkOf(app, as)
    return { as, path, link_id, stream: await open(without_cookie, path) }
  }

  it('when the link is revoked in another process, and another link to the file goes on', async () => {
    const { as, link_id, stream } = await opened('alice')
    const other = await open(without_cookie, (await linkOf(app, as)).path)
    await secretsOf(app.sql, as.user.user_id).revoke(['play'], link_id)
    await vi.waitFor(async () => expect(await handlesOf(as)).toBe(1), 20_000)
    await expect(bytesOf(stream)).rejects.toThrow('aborted')
    expect((await bytesOf(other)).equals(film)).toBe(true)
  })

  it('when its owner is locked in another process', async () => {
    const { as, stream } = await opened('alice')
    await lock(app.sql, as)
    await cut(as, stream)
    expect(stream.complete).toBe(false)
  })

  it('when it expires', async () => {
    const { as, link_id, stream } = await opened('alice')
    await app.sql`update secrets set expires_at = now() where secret_id = ${link_id}`
    await cut(as, stream)
    expect(stream.complete).toBe(false)
  })
})
