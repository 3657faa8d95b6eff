/** All work of a locked person waits. After the person is unlocked, the work goes on in its order. */
import { beforeEach, describe, expect, it } from 'vitest'
import { queueDueFeeds } from '../../../src/db/channels/everyone/feed-plans.ts'
import { dueFeeds } from '../../../src/db/channels/everyone/feeds.ts'
import { takeListing } from '../../../src/db/channels/everyone/listings.ts'
import { queueCaptions, takeDueCaptions } from '../../../src/db/search/everyone/captions.ts'
import { forgottenBackfills, forgottenDownloads } from '../../../src/db/service/everyone/operations.ts'
import { dueLooks, queueLooks } from '../../../src/db/videos/everyone/look-plans.ts'
import { performImport } from '../../../src/domain/imports/perform-import.ts'
import { useDatabase } from '../../support/app/database.ts'
import { beginList } from '../../support/app/imports.ts'
import { lock, unlock } from '../../support/app/locks.ts'
import { follows, type Person, person, personWith } from '../../support/app/people.ts'
import { half, runs } from '../../support/app/scene.ts'

const { sql } = useDatabase()

/** What waits for a worker, in the order in which workers take it: the last part of each key. */
const queue = async ({ user }: Person, kind: string): Promise<string[]> => {
  const jobs = await sql<{ name: string }[]>`
    select   split_part(key, ':', 3) as name
    from     graphile_worker._private_jobs
    where    key like ${`${kind}:${user.user_id}:%`} and is_available
    order by priority, run_at, id`
  return jobs.map(({ name }) => name)
}
const allQueued = async (): Promise<string[]> =>
  (await sql<{ key: string }[]>`select key from graphile_worker.jobs where key is not null`).map(({ key }) => key)

beforeEach(async () => {
  await sql`delete from graphile_worker._private_jobs`
  await sql`delete from channels`
})

describe('the downloads of a locked person', () => {
  it('have no jobs, and get them back in their order with the running one first', async () => {
    const alice = await personWith(sql, 'alice', 'kitchen', ['a', 'b', 'c', 'd'])
    await alice.library.downloads.request(['a', 'b', 'c'])
    await alice.library.downloads.downloadNext('c')
    const claim = await runs(alice, 'b')

    await lock(sql, alice)
    expect(await queue(alice, 'download')).toEqual([])
    expect(await alice.library.downloads.beat('b', claim, half)).toBe('paused')
    await alice.library.downloads.handBack('b', claim, { refund: true })
    await alice.library.downloads.request(['d'])
    expect(await queue(alice, 'download')).toEqual([])

    await unlock(sql, alice)
    expect(await queue(alice, 'download')).toEqual(['b', 'c', 'a', 'd'])
    const [{ attempts } = { attempts: -1 }] = await sql<{ attempts: number }[]>`
      select download_attempts as attempts from video_entries where user_id = ${alice.user.user_id} and video_id = 'b'`
    expect(attempts).toBe(0)
  })

  it('start neither by a job that was taken before nor by a request, a retry, a resume, a repair, a probe or watch-now', async () => {
    const alice = await personWith(sql, 'alice', 'kitchen', ['a', 'b', 'c'])
    const { downloads } = alice.library
    await downloads.request(['a', 'b', 'c'])
    const claim = await runs(alice, 'b')
    await lock(sql, alice)
    await sql`update video_entries set download_requested_at = now() - interval '1 hour' where user_id = ${alice.user.user_id}`

    expect(await downloads.start('a', crypto.randomUUID())).toBeUndefined()
    await downloads.fail('b', claim, { download_error: 'It failed.', next_attempt_at: new Date() })
    await downloads.watchNow('a')
    await downloads.resumeAll()
    await downloads.cancel('c')
    await downloads.request(['c'])
    expect(await downloads.tryHost('videos.example')).toBe('nothing_waits')
    expect(await forgottenDownloads(sql, 15)).toEqual([])
    expect((await allQueued()).filter(key => key.includes(alice.user.user_id))).toEqual([])

    await unlock(sql, alice)
    expect(await queue(alice, 'download')).toEqual(expect.arrayContaining(['a', 'b', 'c']))
  })

  it('that their person paused stay paused when the person is unlocked', async () => {
    const alice = await personWith(sql, 'alice', 'kitchen', ['a', 'b'])
    await alice.library.downloads.request(['a', 'b'])
    await alice.library.downloads.pause(['a'])

    await lock(sql, alice)
    await unlock(sql, alice)

    expect(await queue(alice, 'download')).toEqual(['b'])
  })

  it('leave the downloads of others alone', async () => {
    const [alice, bob] = [await personWith(sql, 'alice', 'his', ['a']), await personWith(sql, 'bob', 'his', ['a'])]
    for (const { library } of [alice, bob]) await library.downloads.request(['a'])
    await lock(sql, alice)
    expect(await queue(bob, 'download')).toEqual(['a'])
  })
})

describe('the older videos of a locked person', () => {
  it('rest without a job, and the run that had begun loses its claim without using up an attempt', async () => {
    const alice = await personWith(sql, 'alice', 'kitchen', [])
    await follows(alice, 'garden', [])
    const { backfills } = alice.library
    const claim = crypto.randomUUID()
    await backfills.begin('kitchen', 'videos.example')
    await backfills.begin('garden', 'videos.example')
    await backfills.start('kitchen', claim)

    await lock(sql, alice)
    await sql`update backfills set requested_at = now() - interval '1 hour' where user_id = ${alice.user.user_id}`
    expect(await backfills.beat('kitchen', claim)).toBe(false)
    expect(await backfills.start('garden', crypto.randomUUID())).toBeUndefined()
    expect(await forgottenBackfills(sql, 15)).toEqual([])
    expect(await queue(alice, 'backfill')).toEqual([])

    await unlock(sql, alice)
    expect(await queue(alice, 'backfill')).toEqual(['kitchen', 'garden'])
    expect(await backfills.start('kitchen', crypto.randomUUID())).toMatchObject({ attempt: 1 })
  })
})

describe('an import of a locked person', () => {
  const lines = ['one', 'two', 'three'].map(name => ({ address: `https://videos.example/${name}`, title: null }))

  it('requests nothing, has no job, and goes on when the person is unlocked', async () => {
    const alice = await person(sql, 'alice')
    const import_id = await beginList(alice, lines)
    await lock(sql, alice)
    expect(await queue(alice, 'import')).toEqual([])

    const findFeed = () => Promise.reject(new Error('a site was asked'))
    const parts = { library: alice.library, findFeed, stopping: new AbortController().signal }
    expect(await performImport(parts, import_id)).toBe('resting')
    expect(await alice.library.imports.find(import_id)).toMatchObject({ waiting: 3, finished_at: null })

    await unlock(sql, alice)
    expect(await queue(alice, 'import')).toEqual([import_id])
  })

  it('stops after the line that it was at', async () => {
    const alice = await person(sql, 'alice')
    const many = Array.from({ length: 100 }, (_, at) => ({ address: `https://videos.example/${at}`, title: null }))
    const import_id = await beginList(alice, many)
    await sql`delete from graphile_worker._private_jobs`
    let asked = 0
    const findFeed = async (rss_url: string) => {
      if (++asked === 1) await lock(sql, alice)
      return { rss_url, feed: { channel_id: new URL(rss_url).pathname, title: '', entries: [], skipped: 0 } }
    }

    await performImport({ library: alice.library, findFeed, stopping: new AbortController().signal }, import_id)

    expect(asked).toBeLessThan(many.length)
    expect(await queue(alice, 'import')).toEqual([])
  })
})

describe('nothing is requested from a site for a locked person alone', () => {
  const rss_url = 'https://videos.example/kitchen.xml'
  const pace = { max_feeds: 10, apart_ms: 0 }
  const dueNow = () => sql`update channels set next_fetch_at = now() - interval '1 minute'`

  it('a feed rests, and is due at once when the person is unlocked', async () => {
    const alice = await personWith(sql, 'alice', 'kitchen', [])
    await dueNow()
    await lock(sql, alice)
    expect(await queueDueFeeds(sql, pace)).toBe(0)
    expect(await dueFeeds(sql, [{ rss_url }])).toEqual([undefined])

    await unlock(sql, alice)
    expect(await queueDueFeeds(sql, pace)).toBe(1)
  })

  it('a feed that another person follows too is read, and its videos are saved for both', async () => {
    const [alice] = [await personWith(sql, 'alice', 'kitchen', []), await personWith(sql, 'bob', 'kitchen', [])]
    await dueNow()
    await lock(sql, alice)
    expect(await queueDueFeeds(sql, pace)).toBe(1)
    const [feed] = await dueFeeds(sql, [{ rss_url }])
    expect(feed?.followers).toHaveLength(2)
  })

  it('looks, listings and captions rest', async () => {
    const alice = await personWith(sql, 'alice', 'kitchen', ['a'])
    const known = { isKnownHost: () => true }
    const host = 'videos.example'
    await sql`update video_entries set look_at = now() - interval '1 minute'`
    await sql`update channels set list_at = now() - interval '1 minute'`
    await sql`update users set captions_of_all = true, captions_at = now() - interval '1 minute' where id = ${alice.user.user_id}`
    await lock(sql, alice)

    expect([await queueLooks(sql, known), await queueCaptions(sql, known)]).toEqual([0, 0])
    expect(await dueLooks(sql, host)).toEqual([])
    expect(await takeListing(sql, host, () => false)).toBeUndefined()
    expect(await takeDueCaptions(sql, host)).toBeUndefined()

    await unlock(sql, alice)
    expect([await queueLooks(sql, known), await queueCaptions(sql, known)]).toEqual([1, 1])
    expect(await dueLooks(sql, host)).toHaveLength(1)
  })
})
