/** The standing that the database computes, and the pages of the shelves. */
import { expect, it } from 'vitest'
import type { DownloadStatus, Standing } from '../../../src/schema/downloads/download.ts'
import { useDatabase } from '../../support/app/database.ts'
import { follows, type Person, person } from '../../support/app/people.ts'

const { sql } = useDatabase()

/** A row with this status, with what the constraints of the table want of it. */
const put = ({ user: { user_id } }: Person, video_id: string, status: DownloadStatus, is_requested: boolean) => sql`
  update video_entries
  set    download_status       = ${status.toUpperCase()},
         download_requested_at = ${is_requested ? sql`now()` : null},
         download_claim        = ${status === 'downloading' ? sql`gen_random_uuid()` : null},
         download_heartbeat_at = ${status === 'downloading' ? sql`now()` : null},
         download_error        = ${status === 'failed' ? 'It failed.' : null},
         download_path         = ${status === 'completed' ? 'a.mp4' : null},
         file_size             = ${status === 'completed' ? 7 : null}
  where  user_id = ${user_id} and video_id = ${video_id}`

const standings: Standing[] = ['running', 'waiting', 'failed', 'done']

it.each<[DownloadStatus, boolean, Standing | undefined, boolean]>([
  ['pending', false, undefined, false],
  ['pending', true, 'waiting', true],
  ['downloading', true, 'running', false],
  ['failed', true, 'waiting', true],
  ['failed', false, 'failed', false],
  ['completed', false, 'done', false],
])(
  'a %s download, requested: %s, is on the shelf %s alone, queued: %s',
  async (status, is_requested, standing, queued) => {
    const alice = await person(sql, 'alice')
    await follows(alice, 'kitchen', ['v1'])
    await put(alice, 'v1', status, is_requested)

    const shelves = []
    for (const shelf of standings)
      if ((await alice.library.videos.idsOnShelf(shelf, 9)).includes('v1')) shelves.push(shelf)
    expect(shelves).toEqual(standing ? [standing] : [])

    const tally = await alice.library.videos.tally()
    expect(standings.filter(shelf => tally[shelf] === 1)).toEqual(shelves)
    expect(await alice.library.videos.find('v1')).toMatchObject({ download_status: status, queued })
  },
)

it('the waiting shelf is read once, page by page, planned attempts last, although all were requested at the same time', async () => {
  const alice = await person(sql, 'alice')
  const video_ids = ['v1', 'v2', 'v3', 'v4', 'v5']
  await follows(alice, 'kitchen', video_ids)
  await alice.library.downloads.request(video_ids)
  const key = (video_id: string) => `download:${alice.user.user_id}:${video_id}`
  await sql`update graphile_worker._private_jobs set run_at = now() + interval '1 hour' where key = ${key('v2')}`
  // Every time the same, so that only the last key tells the rows apart.
  await sql`update graphile_worker._private_jobs set run_at = '2026-01-01' where key = any(${['v1', 'v3', 'v4'].map(key)})`
  await sql`select graphile_worker.remove_job(${key('v5')})`

  const read: string[] = []
  let cursor: string | undefined
  do {
    const page = await alice.library.videos.shelf({ standing: 'waiting', sort: 'newest', limit: 1, cursor })
    read.push(...page.entries.map(({ video_id }) => video_id))
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  expect(read.toSorted()).toEqual(video_ids)
  expect(read.at(-1)).toBe('v2')
})

it('a cursor of one order is refused by a shelf in another order', async () => {
  const alice = await person(sql, 'alice')
  await follows(alice, 'kitchen', ['v1', 'v2'])
  for (const video_id of ['v1', 'v2']) await put(alice, video_id, 'completed', false)
  const page = await alice.library.videos.shelf({ standing: 'done', sort: 'size', limit: 1 })
  const cursor = page.next_cursor ?? ''
  expect((await alice.library.videos.shelf({ standing: 'done', sort: 'size', limit: 1, cursor })).entries).toHaveLength(
    1,
  )
  for (const standing of standings)
    await expect(alice.library.videos.shelf({ standing, sort: 'newest', limit: 1, cursor })).rejects.toMatchObject({
      code: 'invalid',
    })
})

it('every page shows how many downloads of its person run or wait, whether keys work, and whether a channel is followed', async () => {
  const [alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
  const states = { idle: ['pending', false], waits: ['pending', true], runs: ['downloading', true] } as const
  const ends = { again: ['failed', true], failed: ['failed', false], done: ['completed', false] } as const
  const all = Object.entries({ ...states, ...ends })
  await follows(
    alice,
    'kitchen',
    all.map(([id]) => id),
  )
  for (const [id, [status, is_requested]] of all) await put(alice, id, status, is_requested)
  expect(await alice.library.videos.onEveryPage()).toEqual({
    active_downloads: 3,
    keyboard_shortcuts: true,
    follows_any: true,
  })
  expect(await alice.library.videos.active()).toBe(3)

  await sql`update users set keyboard_shortcuts = false where id = ${bob.user.user_id}`
  expect(await bob.library.videos.onEveryPage()).toEqual({
    active_downloads: 0,
    keyboard_shortcuts: false,
    follows_any: false,
  })
})

it('a page of an account that is gone is refused', async () => {
  const alice = await person(sql, 'alice')
  await sql`delete from users where id = ${alice.user.user_id}`
  await expect(alice.library.videos.onEveryPage()).rejects.toThrow('is gone')
})
