import { describe, expect, it } from 'vitest'
import { all_sites } from '../../../src/db/downloads/pauses.ts'
import { forgottenDownloads } from '../../../src/db/service/everyone/operations.ts'
import { useDatabase } from '../../support/app/database.ts'
import { entry, follows, type Person, person } from '../../support/app/people.ts'
import { half, runs } from '../../support/app/scene.ts'

const { sql } = useDatabase()

/** The videos that have a job, in the order in which workers take them. */
const queue = async ({ user }: Person): Promise<string[]> => {
  const jobs = await sql<{ video_id: string }[]>`
    select   split_part(key, ':', 3) as video_id
    from     graphile_worker._private_jobs
    where    key like ${`download:${user.user_id}:%`} and is_available
    order by priority, run_at, id`
  return jobs.map(({ video_id }) => video_id)
}
const waitingFor = async (...video_ids: string[]): Promise<Person> => {
  const alice = await person(sql, 'alice')
  await follows(alice, 'kitchen', video_ids)
  await alice.library.downloads.request(video_ids)
  return alice
}
const pausedAmong = async ({ library }: Person, ...video_ids: string[]) =>
  (await library.videos.statuses(video_ids)).filter(({ paused_at }) => paused_at).map(({ video_id }) => video_id)

describe('a paused download', () => {
  it('has no job and no place until it is resumed, and is then the last of its person', async () => {
    const alice = await waitingFor('a', 'b', 'c')

    expect(await alice.library.downloads.pause(['a', 'unknown'])).toEqual(['a'])
    expect(await queue(alice)).toEqual(['b', 'c'])
    expect(await alice.library.videos.status('a')).toMatchObject({ queued: true, queue_position: null })

    expect(await alice.library.downloads.resume(['a', 'b'])).toEqual(['a'])
    expect(await queue(alice)).toEqual(['b', 'c', 'a'])
    expect(await pausedAmong(alice, 'a', 'b')).toEqual([])
  })

  it('is not started by a worker that took its job before', async () => {
    const alice = await waitingFor('a')
    await alice.library.downloads.pause(['a'])

    expect(await alice.library.downloads.start('a', crypto.randomUUID())).toBeUndefined()
  })

  it('gets no job by the repair of lost jobs', async () => {
    const alice = await waitingFor('a', 'b')
    await alice.library.downloads.pause(['a'])
    await sql`select graphile_worker.remove_job(${`download:${alice.user.user_id}:b`})`
    await sql`update video_entries set download_requested_at = now() - interval '1 hour' where user_id = ${alice.user.user_id}`

    const forgotten = (await forgottenDownloads(sql, 15)).filter(({ user_id }) => user_id === alice.user.user_id)
    expect(forgotten.map(({ video_id }) => video_id)).toEqual(['b'])
  })

  it('ends its run at the next heartbeat, and waits for the person when the run hands it back or fails', async () => {
    const alice = await waitingFor('a', 'b')
    const [a, b] = [await runs(alice, 'a'), await runs(alice, 'b')]
    await alice.library.downloads.pause(['a', 'b'])

    expect(await alice.library.downloads.beat('a', a, half)).toBe('paused')
    await alice.library.downloads.handBack('a', a, { refund: true })
    const later = new Date(Date.now() + 60_000)
    await alice.library.downloads.fail('b', b, { download_error: 'It failed.', next_attempt_at: later })

    expect(await pausedAmong(alice, 'a', 'b')).toEqual(['a', 'b'])
    const jobs = await sql`
      select from graphile_worker._private_jobs where key like ${`download:${alice.user.user_id}:%`} and run_at > now()`
    expect(jobs).toHaveLength(0)
    await alice.library.downloads.resume(['a', 'b'])
    expect(await queue(alice)).toEqual(expect.arrayContaining(['a', 'b']))
  })

  it('is no longer paused when it is cancelled and requested again', async () => {
    const alice = await waitingFor('a')
    await alice.library.downloads.pause(['a'])
    await alice.library.downloads.cancel('a')
    await alice.library.downloads.request(['a'])

    expect(await pausedAmong(alice, 'a')).toEqual([])
    expect(await queue(alice)).toEqual(['a'])
  })

  it('cannot be paused or resumed by another person', async () => {
    const alice = await waitingFor('a')
    const bob = await person(sql, 'bob')

    expect(await bob.library.downloads.pause(['a'])).toEqual([])
    await bob.library.downloads.pauseSite(all_sites)
    expect(await queue(alice)).toEqual(['a'])
    await alice.library.downloads.pause(['a'])
    await bob.library.downloads.resumeAll()
    expect(await pausedAmong(alice, 'a')).toEqual(['a'])
  })
})

describe('a paused site', () => {
  const twoSites = async () => {
    const alice = await person(sql, 'alice')
    await alice.library.channels.save(
      { channel_id: 'mixed', title: 'Mixed', rss_url: 'https://videos.example/mixed.xml' },
      [entry('here'), entry('there', { video_url: 'https://other.example/there' })],
    )
    return alice
  }

  it('keeps its downloads waiting, also those requested later, until it is resumed', async () => {
    const alice = await twoSites()
    await alice.library.downloads.request(['there'])
    await alice.library.downloads.pauseSite('other.example')
    expect(await queue(alice)).toEqual([])
    await alice.library.downloads.pauseSite('videos.example')
    await alice.library.downloads.request(['here'])

    expect(await queue(alice)).toEqual([])
    expect(await pausedAmong(alice, 'here', 'there')).toEqual(['here', 'there'])
    expect(await alice.library.videos.siteNotices()).toMatchObject([
      { host: 'other.example', waiting: 1, paused_at: expect.any(Date) },
      { host: 'videos.example', waiting: 1, paused_at: expect.any(Date) },
    ])

    await alice.library.downloads.resumeSite('videos.example')
    expect(await queue(alice)).toEqual(['here'])
  })

  it('all sites are paused at once, and "resume all" resumes also single downloads and sites', async () => {
    const alice = await twoSites()
    await alice.library.downloads.request(['here', 'there'])
    await alice.library.downloads.pause(['here'])
    await alice.library.downloads.pauseSite('other.example')
    await alice.library.downloads.pauseSite(all_sites)

    expect((await alice.library.videos.siteNotices())[0]).toMatchObject({ host: '' })
    await alice.library.downloads.resumeAll()
    expect((await queue(alice)).toSorted()).toEqual(['here', 'there'])
    expect(await alice.library.videos.siteNotices()).toEqual([])
  })
})

describe('a pause of all downloads', () => {
  it('keeps their order, also of those that one request queued, which can still be taken back', async () => {
    const alice = await person(sql, 'alice')
    await follows(alice, 'kitchen', ['a', 'b', 'c', 'd', 'earlier'])
    const requested_at = new Date()
    await alice.library.downloads.request(['earlier'], 'person', new Date(requested_at.getTime() - 5000))
    await alice.library.downloads.request(['d', 'c', 'b', 'a'], 'person', requested_at)
    await alice.library.downloads.downloadNext('b')
    const shown = async () =>
      (await alice.library.videos.shelf({ standing: 'waiting', sort: 'newest', limit: 10 })).entries.map(
        ({ video_id }) => video_id,
      )

    await alice.library.downloads.pauseSite(all_sites)
    expect(await shown()).toEqual(['b', 'earlier', 'd', 'c', 'a'])

    await alice.library.downloads.resumeAll()
    expect(await queue(alice)).toEqual(['b', 'earlier', 'd', 'c', 'a'])
    expect((await alice.library.downloads.cancelRequest(requested_at)).toSorted()).toEqual(['a', 'b', 'c', 'd'])
  })

  it('keeps the order of more than a thousand downloads of one request', async () => {
    const alice = await person(sql, 'alice')
    const video_ids = Array.from({ length: 1100 }, (_, nth) => `v${nth}`)
    await follows(alice, 'kitchen', video_ids)
    await alice.library.downloads.request(video_ids.toReversed())
    const before = await queue(alice)

    await alice.library.downloads.pauseSite(all_sites)
    await alice.library.downloads.resumeAll()

    expect(await queue(alice)).toEqual(before)
  })
})

describe('"Download next"', () => {
  it('puts a download before the others of its person, and changes no place of anybody else', async () => {
    const alice = await waitingFor('a', 'b', 'c', 'd')
    const places = () => sql`
      select   priority, run_at
      from     graphile_worker._private_jobs
      where    key like ${`download:${alice.user.user_id}:%`}
      order by priority, run_at`
    const before = await places()

    expect(await alice.library.downloads.downloadNext('c')).toBe(true)

    expect(await queue(alice)).toEqual(['c', 'a', 'b', 'd'])
    expect(await places()).toEqual(before)
    expect(await alice.library.downloads.downloadNext('unknown')).toBe(false)
  })

  it('resumes a paused download, and puts one of a rule before those that a person requested', async () => {
    const alice = await waitingFor('a', 'b')
    await follows(alice, 'ruled', ['r'])
    await alice.library.downloads.request(['r'], 'rule')
    await alice.library.downloads.pause(['b'])

    await alice.library.downloads.downloadNext('b')
    expect(await queue(alice)).toEqual(['b', 'a', 'r'])
    await alice.library.downloads.downloadNext('r')
    expect(await queue(alice)).toEqual(['r', 'b', 'a'])
  })
})
