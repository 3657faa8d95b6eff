/** Pictures that pages miss come first. */
import { beforeEach, expect, it } from 'vitest'
import { pictureWishesIn, planPictures } from '../../../src/db/queue/picture-plans.ts'
import { takePictures } from '../../../src/db/videos/everyone/due-pictures.ts'
import { useDatabase } from '../../support/app/database.ts'

const { sql } = useDatabase()
const wishes = pictureWishesIn(sql)
beforeEach(async () => {
  await sql`truncate pictures`
  await sql`delete from graphile_worker._private_jobs`
})

const at = (name: string) => `https://i.example/${name}.jpg`
const plan = (names: string[], is_wanted = true) =>
  planPictures(
    sql,
    names.map(name => ({ kind: 'video' as const, url: at(name), is_wanted })),
  )
const idOf = async (name: string) => {
  const [row] = await sql<{ picture_id: string }[]>`select picture_id from pictures where url = ${at(name)}`
  return row?.picture_id ?? expect.fail(name)
}
const next = async () => (await takePictures(sql, 'i.example', 1))[0]?.url
const jobs = async () => (await sql<{ key: string }[]>`select key from graphile_worker.jobs`).map(({ key }) => key)

it('a picture that a page misses is fetched before all that were planned earlier, by a job that is queued at once', async () => {
  await plan(['a', 'b', 'c'])
  await wishes.wish(await idOf('c'))
  expect(await jobs()).toEqual(['pictures:i.example'])
  expect(await next()).toBe(at('c'))
})

it('the picture of a channel, which was planned before all others, is fetched at once when a page misses it', async () => {
  await planPictures(sql, [{ kind: 'channel', url: at('face'), is_wanted: true }])
  expect(await jobs()).toEqual([])
  await wishes.wishFor('channel', at('face'))
  expect(await jobs()).toEqual(['pictures:i.example'])
})

it('a picture that was never planned is planned when a page misses it', async () => {
  await plan(['a'])
  await Promise.all([wishes.wishFor('video', at('new')), wishes.wishFor('video', at('new'))])
  expect(await jobs()).toEqual(['pictures:i.example'])
  expect(await next()).toBe(at('new'))
})

it('a picture that failed keeps its time, however often a page misses it', async () => {
  await plan(['a'])
  await sql`update pictures set failures = 2, fetch_at = now() + interval '3 hours'`
  await wishes.wish(await idOf('a'))
  await wishes.wishFor('video', at('a'))
  expect([await next(), await jobs()]).toEqual([undefined, []])
})

it('a stored picture is not fetched again because a page did not know it yet', async () => {
  await plan(['a'])
  await sql`update pictures set stored_at = now() - interval '1 day', fetch_at = null`
  await wishes.wishFor('video', at('a'))
  expect([await next(), await jobs()]).toEqual([undefined, []])
})

it('an address that cannot be fetched is not planned', async () => {
  await wishes.wishFor('video', 'javascript:alert(1)')
  expect(await sql`select from pictures`).toHaveLength(0)
})
