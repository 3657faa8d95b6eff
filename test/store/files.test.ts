/** What every kind of storage does. What only one of them does is tested with that one. */
import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeSource, piecesOf } from '../../src/runtime/sending.ts'
import { UserId } from '../../src/schema/values/user.ts'
import type { Files } from '../../src/store/files.ts'
import { subtitlePath } from '../../src/store/paths.ts'
import { openTestStorage, storage_kinds, type TestStorage } from '../support/app/storages.ts'
import { finished, kept, newRun, stageCopy } from '../support/app/stored.ts'

/** Its length, 251, divides no part, so every part begins differently. */
const pattern = Buffer.from(Array.from({ length: 251 }, (_, n) => (n * 7) % 251))

describe.each(storage_kinds)('%s', kind => {
  let storage: TestStorage
  let files: Files
  beforeAll(async () => {
    storage = await openTestStorage(kind)
    files = storage.files
  })
  afterAll(() => storage.close())

  /** What this machine still has of a person. */
  const left = async (user_id: string) =>
    (await readdir(storage.folder, { recursive: true })).filter(name => name.includes(user_id))
  const userOf = (place: string) => UserId.parse(place.split('/')[0])

  async function partOf(place: string, first: number, last: number) {
    const file = await files.open(place)
    if (!file) return undefined
    const pieces = piecesOf(file.source, first, last)
    const read: Uint8Array[] = []
    for (let missing = last - first + 1; missing > 0; missing -= read.at(-1)?.length ?? 0)
      read.push(await pieces.next())
    await pieces.end()
    return Buffer.concat(read)
  }
  const textOf = async (place: string, length: number) => (await partOf(place, 0, length - 1))?.toString()

  it('a file is put into its place once, even when that is repeated', async () => {
    const { place, stage } = await finished(files, 'a video')
    const staged = await stage()
    expect(await files.exists(place)).toBe(false)
    await staged.put()
    await staged.put()

    expect(staged.file_size).toBe(7)
    expect(await files.exists(place)).toBe(true)
    expect(await textOf(place, 7)).toBe('a video')
  })

  it('a file that a run never wrote is not stored', async () => {
    await expect(files.stage('/nowhere/video.mp4', 'elsewhere/v1.mp4')).rejects.toThrow('ENOENT')
  })

  it('a file that is dropped never appears', async () => {
    const { run, place, stage } = await finished(files)
    await (await stage()).drop()
    await files.forgetWork(run)
    expect(await files.exists(place)).toBe(false)
  })

  it('an open file says its size, its time and a tag that changes with it', async () => {
    // The storage may know times in whole seconds only.
    const before = Date.now() - 2000
    const place = await kept(files, 'first')
    const first = await files.open(place)
    expect(first).toMatchObject({ size: 5, etag: expect.stringMatching(/^"[^"]+"$/) })
    expect(first?.modified_at.getTime()).toBeGreaterThanOrEqual(before)
    expect(first?.modified_at.getTime()).toBeLessThanOrEqual(Date.now() + 1)
    await files.write(place, Buffer.from('second one'))
    const second = await files.open(place)
    expect(second?.etag).not.toBe(first?.etag)
    for (const file of [first, second]) if (file) await closeSource(file.source)
  })

  it('any part of a file of many megabytes can be read', async () => {
    // A bucket gets it in two parts, of which the first has 2 ** 24 bytes.
    const bytes = Buffer.alloc(17 * 2 ** 20 + 5, pattern)
    const place = await kept(files, bytes)
    for (const [first, last] of [
      [0, bytes.length - 1],
      [2 ** 24 - 3, 2 ** 24 + 3],
      [bytes.length - 1, bytes.length - 1],
    ] as const)
      expect((await partOf(place, first, last))?.equals(bytes.subarray(first, last + 1))).toBe(true)
  })

  it('an empty file is stored as one', async () => {
    const place = await kept(files, '')
    const file = await files.open(place)
    expect(file?.size).toBe(0)
    if (file) await closeSource(file.source)
  })

  it.each(['50% off? #1 + ö', 'ドラマ/第一話', 'a b&c=d;e', '..', '<x>"y"', `${'%2F'.repeat(20)}`])(
    'a video with the id %j is stored, copied and removed with its subtitles',
    async id => {
      const ids = { channel_id: id, video_id: id }
      const place = await kept(files, 'odd', ids)
      const { place: copy, staged } = await stageCopy(files, place, ids)
      await staged?.put()

      expect(await textOf(copy, 3)).toBe('odd')
      await files.remove(place)
      expect([await files.exists(place), await files.exists(subtitlePath(place, 'en'))]).toEqual([false, false])
      expect([await files.exists(copy), await files.exists(subtitlePath(copy, 'en'))]).toEqual([true, true])
    },
  )

  it('a copy stays when the first file is removed', async () => {
    const bytes = Buffer.alloc(1_000_000, pattern)
    const first = await kept(files, bytes)
    const { place: copy, staged } = await stageCopy(files, first)
    expect(await files.exists(copy)).toBe(false)
    await files.remove(first)
    await staged?.put()

    expect(staged?.file_size).toBe(bytes.length)
    expect(await files.exists(first)).toBe(false)
    expect((await partOf(copy, 0, bytes.length - 1))?.equals(bytes)).toBe(true)
    expect(await files.exists(subtitlePath(copy, 'en'))).toBe(true)
  })

  it('there is no copy of a file that is missing', async () => {
    expect((await stageCopy(files, 'someone/kitchen/gone.mp4')).staged).toBeUndefined()
  })

  it('removing a file keeps other videos whose names begin the same', async () => {
    const place = await kept(files)
    const others = [
      place.replace('v1', 'v10'),
      place.replace('v1', 'v1.de'),
      subtitlePath(place.replace('v1', 'v1.x'), 'en'),
    ]
    for (const other of others) await files.write(other, Buffer.from('kept'))
    await files.remove(place)
    await files.remove(place)
    expect(await files.exists(subtitlePath(place, 'en'))).toBe(false)
    expect(await Promise.all(others.map(files.exists))).toEqual([true, true, true])
  })

  it('a deleted file comes back from the bin with its subtitles', async () => {
    const place = await kept(files, 'back again')
    await files.discard(place)
    expect(await files.recover(place)).toBe(true)
    expect(await textOf(place, 10)).toBe('back again')
    expect(await files.exists(subtitlePath(place, 'en'))).toBe(true)
  })

  it('several files of several folders go into the bin and come back together, and a missing one keeps none of the others there', async () => {
    const places = [await kept(files, 'one'), await kept(files, 'two')]
    const in_one_folder = (places[0] ?? '').replace('v1', 'v2')
    await files.write(in_one_folder, Buffer.from('three'))
    const missing = in_one_folder.replace('v2', 'v3')
    await files.discard(...places, missing, in_one_folder)
    expect(await files.recover(...places, missing, in_one_folder)).toBe(false)
    const sizes = [...places, in_one_folder].map(async place => (await files.read(place))?.length)
    expect(await Promise.all(sizes)).toEqual(['one'.length, 'two'.length, 'three'.length])
    expect(await files.exists(subtitlePath(places[1] ?? '', 'en'))).toBe(true)
    expect(await files.recover()).toBe(true)

    await files.remove(...places, missing)
    expect(await Promise.all([...places, in_one_folder].map(files.exists))).toEqual([false, false, true])
    expect(await files.exists(subtitlePath(places[0] ?? '', 'en'))).toBe(false)
  })

  it('a purged file does not come back', async () => {
    const place = await kept(files)
    await files.discard(place)
    await files.purge(place)
    await files.purge(place)
    expect(await files.recover(place)).toBe(false)
    expect((await left(userOf(place))).filter(name => name.startsWith('.bin'))).toEqual([])
  })

  it('forgetting a user removes finished, unfinished and deleted files, and none of others', async () => {
    const [place, deleted, other] = [await kept(files), await kept(files), await kept(files)]
    const user_id = userOf(place)
    const binned = deleted.replace(userOf(deleted), user_id)
    await files.write(binned.replace('v1', 'v2'), Buffer.from('deleted'))
    await files.discard(binned.replace('v1', 'v2'))
    await files.workFolder({ ...newRun(), user_id })
    await files.forgetUser(user_id)

    expect(await files.exists(place)).toBe(false)
    expect(await files.recover(binned.replace('v1', 'v2'))).toBe(false)
    expect(await files.exists(other)).toBe(true)
    expect(await left(user_id)).toEqual([])
  })

  it('small files are written while others are removed with their folders', async () => {
    // A bucket has no folders. The bucket of the tests has them, and removes an empty one while another file is written into it, so one
    // file stays in each.
    const count = kind === 'a folder' ? 200 : 40
    for (const n of kind === 'a folder' ? [] : [0, 1, 2, 3])
      await files.write(`.pictures/00/${n}/kept.small`, new Uint8Array([3]))
    const paths = Array.from({ length: count }, (_, at) => `.pictures/00/${at % 4}/${at}.small`)
    await Promise.all(
      paths.map(async path => {
        await files.write(path, new Uint8Array([1]))
        await files.remove(path)
        await files.write(path, new Uint8Array([2]))
      }),
    )
    const read = await Promise.all(paths.map(path => files.read(path)))
    expect(read.filter(bytes => bytes?.[0] === 2)).toHaveLength(paths.length)
  })

  it.each(['../v1.mp4', 'ann/../../v1.mp4', '/etc/hostname', '.', '', 'a\u0000b'])(
    'no file is at the path %j',
    async path => {
      expect([await files.open(path), await files.read(path), await files.localPath(path)]).toEqual([
        undefined,
        undefined,
        undefined,
      ])
      expect(await files.exists(path)).toBe(false)
      await files.remove(path)
    },
  )
})
