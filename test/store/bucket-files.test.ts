/** What only object storage does. What it shares with a folder is in `files.test.ts`. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { piecesOf } from '../../src/runtime/sending.ts'
import { UserId } from '../../src/schema/values/user.ts'
import { bucketClient, bucketSettings } from '../../src/store/bucket/client.ts'
import * as requests from '../../src/store/bucket/requests.ts'
import { filesInBucket } from '../../src/store/bucket-files.ts'
import type { Files } from '../../src/store/files.ts'
import { diskFailure } from '../../src/ytdlp/failures/failure.ts'
import type { Bucket, Step } from '../support/app/bucket.ts'
import { openTestStorage, type TestStorage } from '../support/app/storages.ts'
import { finished as finishedIn } from '../support/app/stored.ts'

let storage: TestStorage
let bucket: Bucket
let files: Files
beforeAll(async () => {
  storage = await openTestStorage('a bucket')
  if (!storage.bucket) throw new Error('there is no bucket')
  bucket = storage.bucket
  files = inBucket(bucket.variables)
})
afterEach(() => {
  bucket.before = undefined
})
afterAll(() => storage.close())

/** With pauses of a millisecond between attempts. */
function inBucket(variables: Bucket['variables']): Files {
  const settings = bucketSettings(variables)
  if (!settings) throw new Error('this is no bucket')
  return filesInBucket(bucketClient(settings, 1), join(storage.folder, 'work'))
}

const finished = (bytes?: string | Uint8Array, of = files) => finishedIn(of, bytes)

/** Stores a file of a new person. Returns its place. */
async function stored(bytes?: string | Uint8Array): Promise<string> {
  const { place, stage } = await finished(bytes)
  await (await stage()).put()
  return place
}

const textAt = async (place: string) => Buffer.from((await files.read(place)) ?? []).toString()

/** A signal that is aborted when the first part is sent, which is never answered. */
function stoppingAtAPart(): AbortSignal {
  const stopping = new AbortController()
  bucket.before = (c, next) => {
    if (!c.query.partNumber) return next()
    stopping.abort(new Error('stopping'))
    return new Promise(() => {})
  }
  return stopping.signal
}

/** Answers the first requests of this method with an error. */
const failing =
  (method: string, times: number, status: number, code: string): Step =>
  async (c, next) => {
    if (c.method !== method || times-- <= 0) return next()
    c.status = status
    c.type = 'application/xml'
    c.body = `<Error><Code>${code}</Code></Error>`
  }

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    fault => diskFailure(fault),
  )

it('the objects are at their places below the prefix, and no part of an upload is left', async () => {
  const place = await stored()
  expect(await bucket.keys()).toContain(place)
  expect(await bucket.uploads()).toEqual([])
})

it('a large file is sent in parts of which several are on their way at once', async () => {
  const { place, stage } = await finished(Buffer.alloc(50 * 2 ** 20))
  let [now, most] = [0, 0]
  bucket.before = async (c, next) => {
    if (!c.query.partNumber) return next()
    most = Math.max(most, ++now)
    await next()
    now--
  }
  await (await stage()).put()
  expect(most).toBe(4)
  expect((await files.open(place))?.size).toBe(50 * 2 ** 20)
})

it.each([
  [503, 'SlowDown'],
  [500, 'InternalError'],
  [429, ''],
])('a request that is answered %i %s is sent again', async (status, code) => {
  const { place, stage } = await finished()
  bucket.before = failing('PUT', 3, status, code)
  await (await stage()).put()
  expect(await files.exists(place)).toBe(true)
})

it('a part whose connection breaks is sent again from its beginning', async () => {
  const bytes = Buffer.alloc(5_000_000, 'abcdefg')
  const { place, stage } = await finished(bytes)
  let breaks = 2
  bucket.before = async (c, next) => {
    if (c.method === 'PUT' && breaks-- > 0) bucket.breakConnections()
    await next()
  }
  await (await stage()).put()
  expect(Buffer.from((await files.read(place)) ?? []).equals(bytes)).toBe(true)
})

it('an upload that fails leaves no parts behind', async () => {
  const { stage } = await finished()
  bucket.before = failing('PUT', 100, 503, 'SlowDown')
  await expect(stage()).rejects.toThrow('503 SlowDown')
  expect(await bucket.uploads()).toEqual([])
})

it('an upload that is ended early stops at once and leaves no parts behind', async () => {
  const { file, place } = await finished(Buffer.alloc(33 * 2 ** 20))
  await expect(files.stage(file, place, [], { signal: stoppingAtAPart() })).rejects.toThrow('stopping')
  expect(await bucket.uploads()).toEqual([])
})

it('a copy that is ended early leaves no parts behind', async () => {
  const from = { download_path: await stored(), languages: [] }
  const { run, place } = await finished()
  const copy = files.stageCopy(from, place, await files.workFolder(run), { signal: stoppingAtAPart() })
  await expect(copy).rejects.toThrow('stopping')
  expect(await bucket.uploads()).toEqual([])
})

it('no file of a missing bucket counts as missing', async () => {
  const place = 'someone/kitchen/v1.mp4'
  const elsewhere = inBucket({ ...bucket.variables, DOWNLOADS_DIR: 's3://nothing/here' })
  for (const work of [elsewhere.open, elsewhere.exists, elsewhere.read, elsewhere.recover, elsewhere.remove])
    await expect(work(place)).rejects.toMatchObject({ code: 'STORAGE_AWAY' })
})

it('no file counts as missing when a proxy answers 404 in place of the storage', async () => {
  const { place } = await finished()
  bucket.before = async c => {
    c.status = 404
    c.body = '404 page not found'
  }
  for (const work of [files.open, files.exists, files.read])
    await expect(work(place)).rejects.toMatchObject({ code: 'STORAGE_AWAY' })
})

it('the words of an error name no file and no server', async () => {
  const { place } = await finished()
  const unreachable = inBucket({ ...bucket.variables, AWS_ENDPOINT_URL_S3: 'http://storage.invalid' })
  bucket.before = failing('HEAD', 100, 403, 'AccessDenied')
  const faults = await Promise.all(
    [files, unreachable].map(of => of.open(place).then(String, (fault: Error) => fault.message)),
  )
  expect(faults).toEqual([
    'The object storage answered 403 to HEAD of an object.',
    expect.stringMatching(/^The object storage does not answer(: [A-Z_]+)?\.$/),
  ])
})

it('an answer that breaks off is requested again', async () => {
  const place = await stored('as a whole')
  let breaks = 1
  bucket.before = async (c, next) => {
    if (c.method !== 'GET' || breaks-- <= 0) return next()
    c.respond = false
    c.res.writeHead(200, { 'content-length': '10' })
    c.res.write('as a', () => c.res.destroy())
  }
  expect(await textAt(place)).toBe('as a whole')
})

it('every failure of the storage is one that downloads know', async () => {
  const { stage } = await finished()
  const failures: unknown[] = []
  for (const [status, code] of [
    [503, 'SlowDown'],
    [403, 'AccessDenied'],
    [507, 'XMinioStorageFull'],
    [400, 'KeyTooLongError'],
  ] as const) {
    bucket.before = failing('POST', 100, status, code)
    failures.push(await failureOf(stage()))
  }
  expect(failures).toMatchObject([
    { kind: 'outage', sentence: expect.stringContaining('does not answer') },
    { kind: 'local', sentence: expect.stringContaining('refuses') },
    { kind: 'local', reason: 'no_room' },
    { kind: 'local', sentence: expect.stringContaining('cannot store') },
  ])
  const away = inBucket({ ...bucket.variables, AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1' })
  expect(await failureOf((await finished('', away)).stage())).toMatchObject({ kind: 'outage' })
})

it('a wrong secret key is refused by the storage', async () => {
  const wrong = inBucket({ ...bucket.variables, AWS_SECRET_ACCESS_KEY: 'wrong' })
  expect(await failureOf((await finished('', wrong)).stage())).toMatchObject({
    detail: expect.stringContaining('SignatureDoesNotMatch'),
  })
})

it('a file whose completion was not answered is complete when it is put again', async () => {
  const { place, stage } = await finished('once')
  const staged = await stage()
  let lost = false
  bucket.before = async (c, next) => {
    await next()
    if (c.method !== 'POST' || lost) return
    lost = true
    bucket.breakConnections()
  }
  await staged.put()
  expect([lost, await textAt(place)]).toEqual([true, 'once'])
})

it('an upload that the storage has lost fails, even when an older file is at its key', async () => {
  const { file, place, stage } = await finished('older')
  await (await stage()).put()
  await writeFile(file, 'newer')
  const staged = await stage()
  await staged.drop()
  expect(await failureOf(staged.put())).toMatchObject({ kind: 'outage' })
  expect(await textAt(place)).toBe('older')
})

it('uploads of dead runs are aborted after a day, and younger ones go on', async () => {
  const { place, stage } = await finished()
  const staged = await stage()
  const now = Date.now()
  const [housekeeping, later] = [inBucket(bucket.variables), inBucket(bucket.variables)]
  await housekeeping.forgetAbandoned(new Set(), new Date(now))
  expect(await bucket.uploads()).toHaveLength(1)
  await staged.put()
  expect(await files.exists(place)).toBe(true)

  await (await finished()).stage()
  await later.forgetAbandoned(new Set(), new Date(now + 25 * 3_600_000))
  expect(await bucket.uploads()).toEqual([])
})

it('uploads of other programs in the same bucket are never aborted', async () => {
  const settings = bucketSettings(bucket.variables)
  if (!settings) throw new Error('this is no bucket')
  const client = bucketClient(settings)
  const user_id = crypto.randomUUID()
  const others = [
    `${settings.prefix}reports/2026.csv`,
    `tests/one-more/${user_id}/c/v1.mp4`,
    `tests/${user_id}/c/v1.mp4`,
  ]
  const uploads = await Promise.all(others.map(key => requests.startUpload(client, key, 'other')))
  const in_a_week = new Date(Date.now() + 7 * 24 * 3_600_000)
  await inBucket(bucket.variables).forgetAbandoned(new Set(), in_a_week)
  await files.forgetUser(UserId.parse(user_id))
  expect(await bucket.uploads()).toHaveLength(others.length)
  for (const upload of uploads) await requests.abort(client, upload)
})

it('with a server that cannot list uploads, housekeeping goes on and a user can be forgotten', async () => {
  const user_id = UserId.parse(crypto.randomUUID())
  await files.write(`${user_id}/c/1.mp4`, Buffer.from('x'))
  bucket.before = async (c, next) => {
    if (c.query.uploads === undefined) return next()
    Object.assign(c, { status: 501, body: '<Error><Code>NotImplemented</Code></Error>' })
  }
  await inBucket(bucket.variables).forgetAbandoned(new Set(), new Date())
  await files.forgetUser(user_id)
  expect((await bucket.keys()).filter(key => key.startsWith(user_id))).toEqual([])
  bucket.before = undefined
})

it('forgetting a user deletes the files of all pages of a list, and none of another prefix', async () => {
  const user_id = UserId.parse(crypto.randomUUID())
  const neighbour = inBucket({ ...bucket.variables, DOWNLOADS_DIR: `${bucket.variables.DOWNLOADS_DIR}-more` })
  await neighbour.write(`${user_id}/c/1.mp4`, Buffer.from('theirs'))
  for (const n of [1, 2, 3, 4, 5]) await files.write(`${user_id}/c/${n}.mp4`, Buffer.from('x'))
  bucket.before = inPagesOf(2)
  await files.forgetUser(user_id)
  expect((await bucket.keys()).filter(key => key.startsWith(user_id))).toEqual([])
  expect(await neighbour.exists(`${user_id}/c/1.mp4`)).toBe(true)
})

/** The pages of s3rver need a cipher that OpenSSL no longer has. A token is the last key of the page before. */
const inPagesOf =
  (most: number): Step =>
  async (c, next) => {
    if (c.query['list-type'] === undefined) return next()
    const { prefix = '', 'continuation-token': after = '' } = c.query
    const { prefix: below } = bucketSettings(bucket.variables) ?? { prefix: '' }
    const keys = (await bucket.keys()).map(key => below + key).filter(key => key.startsWith(prefix) && key > after)
    const page = keys.slice(0, most)
    const token = keys.length > most ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    c.type = 'application/xml'
    c.body = `<ListBucketResult>${token}${page.map(key => `<Contents><Key>${key}</Key></Contents>`).join('')}</ListBucketResult>`
  }

it('housekeeping lists the uploads once an hour', async () => {
  const housekeeping = inBucket(bucket.variables)
  const lists = async (now: number) => {
    const before = bucket.requests.length
    await housekeeping.forgetAbandoned(new Set(), new Date(now))
    return bucket.requests.length - before
  }
  expect([await lists(0), await lists(60_000), await lists(3_600_000)]).toEqual([1, 0, 1])
})

it('a reader gets the whole file although the storage breaks the connection', async () => {
  const bytes = Buffer.alloc(16_000_000, Buffer.from(Array.from({ length: 251 }, (_, n) => (n * 7) % 251)))
  const file = await files.open(await stored(bytes))
  if (!file) throw new Error('there is no file')
  const pieces = piecesOf(file.source, 1, bytes.length - 1)
  const read: Uint8Array[] = []
  for (let missing = bytes.length - 1; missing > 0; missing -= read.at(-1)?.length ?? 0) {
    if (read.length === 3 || read.length === 50) bucket.breakConnections()
    read.push(await pieces.next())
  }
  await pieces.end()
  expect(Buffer.concat(read).equals(bytes.subarray(1))).toBe(true)
})

it('a reader of a file that is removed meanwhile gets an error', async () => {
  const place = await stored()
  const file = await files.open(place)
  await files.remove(place)
  await expect(file && piecesOf(file.source, 0, 6).next()).rejects.toThrow('404')
})

it('forgetting a user aborts the uploads of that user only', async () => {
  const [one, other] = [await finished(), await finished()]
  await one.stage()
  const kept = await other.stage()
  await files.forgetUser(UserId.parse(one.place.split('/')[0]))
  expect(await bucket.uploads()).toHaveLength(1)
  await kept.put()
})
