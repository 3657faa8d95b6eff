/** The commands of `npm run jobs`. test/e2e/roles.test.ts runs them as a process. */
import { beforeEach, expect, it } from 'vitest'
import { commands, type JobArguments } from '../../../jobs/cli/commands.ts'
import { queueDueFeeds } from '../../../src/db/channels/everyone/feed-plans.ts'
import { planPictures } from '../../../src/db/queue/picture-plans.ts'
import { pausePictures } from '../../../src/db/videos/everyone/due-pictures.ts'
import { filesIn } from '../../../src/store/local-files.ts'
import { useDatabase } from '../../support/app/database.ts'
import { follows, type Person, person } from '../../support/app/people.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const { sql } = useDatabase()
const files = filesIn(newFolder())
beforeEach(() => Promise.all([sql`truncate graphile_worker._private_jobs`, sql`truncate users cascade`]))

const ask = async (name: string, given: Partial<JobArguments> = {}) => {
  const answer = await commands[name]?.({ sql, files }, { id: '', limit: 200, ...given })
  if (!answer) throw new Error(`there is no ${name}`)
  return { rows: answer.rows as Record<string, unknown>[], text: answer.text }
}

async function aliceWaitsFor(...video_ids: string[]): Promise<Person> {
  const alice = await person(sql, 'alice')
  await follows(alice, 'kitchen', video_ids)
  await alice.library.downloads.request(video_ids)
  // A worker runs this job at once.
  await sql`delete from graphile_worker._private_jobs where key is null`
  return alice
}

async function refreshIsDue() {
  await sql`update channels set next_fetch_at = now()`
  await queueDueFeeds(sql, { max_feeds: 10, apart_ms: 0 })
}

async function failed(who: Person, video_id: string, next_attempt_at: Date | null = null) {
  const claim = crypto.randomUUID()
  await who.library.downloads.start(video_id, claim)
  await who.library.downloads.fail(video_id, claim, { download_error: 'It failed.', next_attempt_at })
}

it('npm run jobs lists each job with its user and subject, the next first', async () => {
  const alice = await aliceWaitsFor('v1', 'v2')
  await refreshIsDue()

  const { rows } = await ask('list')

  expect(rows.map(({ task, about, state }) => [task, about, state])).toEqual(
    expect.arrayContaining([
      ['download', `${alice.user.username}: Video v1`, 'waiting'],
      ['download', `${alice.user.username}: Video v2`, 'waiting'],
      ['refresh-feed', 'https://videos.example/kitchen.xml', 'waiting'],
    ]),
  )
  expect(rows.filter(({ task }) => task === 'download').map(({ about }) => String(about).slice(-2))).toEqual([
    'v1',
    'v2',
  ])
})

it('npm run jobs can list the jobs of one task or state', async () => {
  const alice = await aliceWaitsFor('v1', 'v2')
  await failed(alice, 'v1', new Date(Date.now() + 60_000))
  await refreshIsDue()

  expect((await ask('list', { task: 'download' })).rows).toHaveLength(2)
  expect((await ask('list', { state: 'later' })).rows.map(({ about }) => about)).toEqual([
    `${alice.user.username}: Video v1`,
  ])
  expect((await ask('list', { limit: 1 })).rows).toHaveLength(1)
  expect(await ask('list', { task: 'download', state: 'over' })).toEqual({
    rows: [],
    text: 'There is no such job.',
  })
  expect((await ask('counts')).rows).toEqual([
    { task: 'download', state: 'later', jobs: 1 },
    { task: 'download', state: 'waiting', jobs: 1 },
    { task: 'refresh-feed', state: 'waiting', jobs: 1 },
  ])
})

it('npm run jobs says which person loads older videos of which channel, and cancels that', async () => {
  const alice = await person(sql, 'alice')
  await follows(alice, 'kitchen', [])
  await alice.library.backfills.begin('kitchen', 'videos.example')
  const [job] = (await ask('list')).rows
  expect(job).toMatchObject({ task: 'load-older', about: `${alice.user.username}: kitchen` })

  await ask('cancel', { id: String(job?.id) })

  expect((await ask('list')).text).toBe('The queue is empty.')
  expect(await alice.library.backfills.find('kitchen')).toMatchObject({ state: 'cancelled' })
})

it('npm run jobs can run a waiting job now, and cancel one', async () => {
  const alice = await aliceWaitsFor('v1')
  await failed(alice, 'v1', new Date(Date.now() + 60_000))
  const [job] = (await ask('list')).rows
  const id = String(job?.id)

  await ask('retry', { id })
  expect((await ask('list', { state: 'waiting' })).rows).toHaveLength(1)
  await ask('cancel', { id })

  expect((await ask('list')).text).toBe('The queue is empty.')
  expect(await alice.library.videos.find('v1')).toMatchObject({ download_status: 'pending', queued: false })
  await expect(ask('show', { id })).rejects.toThrow(`There is no job ${id}.`)
})

it('npm run jobs retries all failed downloads of all users, and no others', async () => {
  const [alice, bob] = [await aliceWaitsFor('v1', 'v2', 'v3'), await aliceWaitsFor('v1')]
  await failed(alice, 'v1')
  await failed(alice, 'v2')
  await failed(bob, 'v1')

  const { text } = await ask('retry-failed')

  expect(text).toBe('3 downloads queued again.')
  expect(await alice.library.videos.find('v2')).toMatchObject({ download_status: 'pending', queued: true, attempts: 0 })
  expect((await ask('retry-failed')).text).toBe('No download has failed.')
})

it('npm run jobs shows for every host its pause and latest error', async () => {
  const alice = await aliceWaitsFor('v1', 'v2')
  await failed(alice, 'v1')
  await sql`insert into host_pauses (host, until, reason) values ('videos.example', now() + interval '1 hour', 'asked')`

  const { rows } = await ask('hosts')

  expect(rows).toEqual([
    expect.objectContaining({ host: 'videos.example', rests_until: expect.any(Date), latest_error: 'It failed.' }),
  ])
})

it('the hosts of pictures are listed with what is stored, waits and was given up, and a pause of one can be lifted', async () => {
  await sql`truncate pictures, host_pauses`
  expect((await ask('pictures')).text).toBe('No picture was planned.')
  const url = (name: string) => ({ kind: 'video' as const, url: `https://i.example/${name}.jpg`, is_wanted: false })
  await planPictures(sql, ['a', 'b', 'c', 'd'].map(url))
  await sql`update pictures set fetch_at = null, stored_at = now() where url like '%/a.jpg'`
  await sql`update pictures set fetch_at = null, failures = 6 where url like '%/b.jpg'`
  expect((await ask('pictures')).rows).toEqual([{ host: 'i.example', stored: 1, waiting: 2, given_up: 1 }])

  await pausePictures(sql, 'i.example', { reason: 'It asks us to slow down.' })
  expect((await ask('pauses')).rows).toMatchObject([{ host: 'i.example', what: 'pictures', who: 'everyone' }])
  await ask('lift', { id: 'i.example' })
  expect((await ask('pauses')).rows).toEqual([])
})
