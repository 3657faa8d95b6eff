/** How workers recover from dead ones. `e2e/faults.test.ts` kills real processes. */
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repairQueue } from '../../../jobs/tasks/housekeeping.ts'
import { beatWorker, listenForLostClaims } from '../../../src/db/service/everyone/operations.ts'
import { recover } from '../../../src/domain/downloads/recovery.ts'
import { preparing } from '../../../src/domain/downloads/watch-run.ts'
import { filesIn } from '../../../src/store/local-files.ts'
import { silent } from '../../support/app/app.ts'
import { useDatabase } from '../../support/app/database.ts'
import { follows, type Person, person } from '../../support/app/people.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const { sql } = useDatabase()
const folder = newFolder()
const files = filesIn(folder)
const parts = () => ({ sql, files, log: silent })

/** Alice, and a run of hers that was last heard of a while ago. */
async function silentRun(): Promise<{ alice: Person; claim: string }> {
  const alice = await person(sql, 'alice')
  await follows(alice, 'kitchen', ['v1'])
  await alice.library.downloads.request(['v1'])
  const claim = crypto.randomUUID()
  await alice.library.downloads.start('v1', claim)
  await sql`
    update video_entries set download_heartbeat_at = now() - interval '1 minute' where user_id = ${alice.user.user_id}`
  return { alice, claim }
}

const statusOf = async ({ library }: Person) => (await library.videos.statuses(['v1']))[0]

describe('silent runs and workers', () => {
  it('a run counts as dead only when a second check finds it silent as well', async () => {
    const [dead, back] = [await silentRun(), await silentRun()]
    await beatWorker(sql, 'pool-dead')
    await beatWorker(sql, 'pool-back')
    await sql`update workers set heartbeat_at = now() - interval '1 minute' where id like 'pool-%'`

    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const pauses: number[] = []
    const looking = recover(parts(), ms => {
      pauses.push(ms)
      first.resolve()
      return second.promise
    })
    await first.promise
    await back.alice.library.downloads.beat('v1', back.claim, preparing)
    await beatWorker(sql, 'pool-back')
    second.resolve()
    await looking

    expect(pauses).toEqual([5000])
    expect(await statusOf(dead.alice)).toMatchObject({ download_status: 'pending', queued: true })
    expect(await statusOf(back.alice)).toMatchObject({ download_status: 'downloading' })
    expect(await sql`select id from workers where id like 'pool-%'`).toEqual([{ id: 'pool-back' }])
  })

  it('the partial file of a dead run is left to the next run, even when two workers notice at once', async () => {
    const { alice, claim } = await silentRun()
    const run = { user_id: alice.user.user_id, video_id: 'v1', claim }
    await writeFile(join(await files.workFolder(run), 'video.mp4.part'), 'half')

    let noticed = 0
    const both = Promise.withResolvers<void>()
    const untilBoth = () => {
      noticed += 1
      if (noticed === 2) both.resolve()
      return both.promise
    }
    await Promise.all([recover(parts(), untilBoth), recover(parts(), untilBoth)])

    const next = await files.workFolder({ ...run, claim: crypto.randomUUID() })
    expect(await readdir(next)).toEqual(['video.mp4.part'])
    await files.forgetWork({ user_id: alice.user.user_id, video_id: 'v1' })
  })
})

describe('repairing the queue', () => {
  const long_ago = "now() - interval '1 minute'"
  const jobs = ({ user }: Person) => sql`
    select locked_at is null as free from graphile_worker.jobs where key = ${`download:${user.user_id}:v1`}`

  it.each([
    ['gone', 'delete from graphile_worker._private_jobs'],
    ['used up', 'update graphile_worker._private_jobs set attempts = max_attempts'],
    [
      'held by an unknown worker',
      `update graphile_worker._private_jobs set locked_at = ${long_ago}, locked_by = 'nobody'`,
    ],
  ])('a waiting download whose job is %s gets a new job', async (_, damage) => {
    const alice = await person(sql, 'alice')
    await follows(alice, 'kitchen', ['v1'])
    await alice.library.downloads.request(['v1'])
    await sql.unsafe(
      `update video_entries set download_requested_at = ${long_ago} where user_id = '${alice.user.user_id}'`,
    )
    await sql.unsafe(`${damage} where key = 'download:${alice.user.user_id}:v1'`)

    await repairQueue(parts())

    expect(await jobs(alice)).toEqual([{ free: true }])
    const [{ attempts } = { attempts: -1 }] = await sql<{ attempts: number }[]>`
      select attempts from graphile_worker.jobs where key = ${`download:${alice.user.user_id}:v1`}`
    expect(attempts).toBe(0)
  })

  it('only folders that no run needs are removed', async () => {
    const { alice, claim } = await silentRun()
    const folders = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222', claim, 'left']
    const work = join(folder, '.work', alice.user.user_id, 'v1')
    for (const name of folders) await mkdir(join(work, name), { recursive: true })
    const hours_ago = new Date(Date.now() - 2 * 3_600_000)
    for (const name of folders.slice(1)) await utimes(join(work, name), hours_ago, hours_ago)

    await repairQueue(parts())

    expect((await readdir(work)).toSorted()).toEqual([folders[0], claim, 'left'].toSorted())
  })
})

describe('a claim that is lost', () => {
  it.each([
    ['by cancelling', ({ library }: Person) => library.downloads.cancel('v1')],
    ['with its channel', ({ library }: Person) => library.channels.remove('kitchen')],
    ['with its owner', ({ user }: Person) => sql`delete from users where id = ${user.user_id}`],
  ])('a listener learns that a claim is lost: %s', async (_, lose) => {
    const { alice, claim } = await silentRun()
    const lost: string[] = []
    const unlisten = await listenForLostClaims(sql, each => lost.push(each))

    await lose(alice)

    await expect.poll(() => lost).toContain(claim)
    await unlisten()
  })
})
