/** The pass that plans missing pictures and finds unused ones. */
import { beforeEach, describe, expect, it } from 'vitest'
import { planPictures } from '../../../../src/db/queue/picture-plans.ts'
import { continuePass, deleteUnused } from '../../../../src/db/videos/everyone/due-pictures.ts'
import { useDatabase } from '../../../support/app/database.ts'
import { entry, follows, type Person, person } from '../../../support/app/people.ts'

const { sql } = useDatabase()

let [alice, bob]: [Person, Person] = [{} as Person, {} as Person]
beforeEach(async () => {
  await sql`truncate users cascade`
  await sql`truncate picture_pass`
  ;[alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
  await follows(alice, 'kitchen', ['v1', 'v2', 'v3'])
  await follows(bob, 'kitchen', ['v3', 'v4'])
  await bob.library.channels.save(
    {
      channel_id: 'cellar',
      title: 'Cellar',
      rss_url: 'https://videos.example/cellar',
      image_url: 'https://i.example/cellar.png',
    },
    [entry('w1', { thumbnail_url: null })],
  )
  // As before the first release with pictures.
  await sql`truncate pictures`
})

/** A whole pass, so many rows at a time. Returns how many parts it had. */
async function pass(rows = 100): Promise<number> {
  let parts = 0
  while (await continuePass(sql, rows)) parts += 1
  return parts
}
const planned = async () =>
  (await sql<{ name: string }[]>`select kind || ' ' || url as name from pictures order by kind, url`).map(
    ({ name }) => name,
  )

const everything = [
  'channel https://i.example/cellar.png',
  ...['v1', 'v2', 'v3', 'v4'].map(id => `video https://videos.example/${id}.jpg`),
]

const passDaysAgo = (days: number) => sql`update picture_pass set started_at = now() - ${days} * interval '1 day'`
const usedDaysAgo = (days: number) => sql`update pictures set used_at = now() - ${days} * interval '1 day'`

describe('planning', () => {
  it.each([1, 2, 100])('a pass that reads %d rows at a time plans every picture once', async rows => {
    await pass(rows)
    expect(await planned()).toEqual(everything)
    expect(await continuePass(sql, 100)).toBeUndefined()
  })

  it('a pass that is interrupted continues at its place', async () => {
    await continuePass(sql, 100)
    await continuePass(sql, 2)
    const [place] = await sql<{ kind: string; last_id: number }[]>`select kind, last_id from picture_pass`
    expect([place?.kind, (place?.last_id ?? 0) > 0]).toEqual(['video', true])
    await pass()
    expect(await planned()).toEqual(everything)
  })

  it('two workers do not read the same part', async () => {
    const parts = await Promise.all([continuePass(sql, 1), continuePass(sql, 1)])
    expect(parts.filter(part => part?.read === 1).length).toBeGreaterThan(0)
    await pass(1)
    expect(await planned()).toEqual(everything)
  })

  it('the next pass begins a week after the start of the former one', async () => {
    await pass()
    await passDaysAgo(6)
    expect(await continuePass(sql, 100)).toBeUndefined()
    await passDaysAgo(8)
    expect(await continuePass(sql, 100)).toBeDefined()
  })
})

describe('deleting', () => {
  const removed: string[] = []
  const remove = async (picture_id: string) => void removed.push(picture_id)
  beforeEach(() => {
    removed.length = 0
  })

  it('a picture that two passes did not find is deleted with its files; used ones stay', async () => {
    await pass()
    const [gone] = await sql<{ picture_id: string }[]>`select picture_id from pictures where url like '%/v1.jpg'`
    await sql`delete from video_entries where video_id = 'v1'`
    await usedDaysAgo(30)
    await passDaysAgo(8)
    await pass()
    expect(await deleteUnused(sql, 100, remove)).toBe(1)
    expect(removed).toEqual([gone?.picture_id])
    expect(await planned()).toEqual(everything.filter(name => !name.includes('v1')))
  })

  it('nothing is deleted while a pass runs', async () => {
    await usedDaysAgo(30)
    await continuePass(sql, 1)
    expect(await deleteUnused(sql, 100, remove)).toBe(0)
  })

  it('a picture that one pass did not find stays, because what uses it may be restored', async () => {
    await pass()
    await sql`delete from video_entries where video_id = 'v1'`
    await usedDaysAgo(10)
    await passDaysAgo(8)
    await pass()
    expect(await deleteUnused(sql, 100, remove)).toBe(0)
  })

  it('a picture that is planned again before it is deleted stays', async () => {
    await pass()
    await sql`delete from video_entries`
    await sql`update channels set image_url = null`
    await usedDaysAgo(30)
    await planPictures(sql, [{ kind: 'video', url: 'https://videos.example/v1.jpg', is_wanted: false }])
    expect(await deleteUnused(sql, 2, remove)).toBe(2)
    expect(await deleteUnused(sql, 100, remove)).toBe(2)
    expect(await planned()).toEqual(['video https://videos.example/v1.jpg'])
  })

  it('a picture whose files cannot be removed is tried again', async () => {
    await pass()
    await sql`delete from video_entries`
    await usedDaysAgo(30)
    const fails = () => Promise.reject(new Error('the disk is away'))
    await expect(deleteUnused(sql, 100, fails)).rejects.toThrow('the disk is away')
    expect(await planned()).toHaveLength(5)
  })
})
