/** The slots of all workers, shared out on a real database; and the places in the queue that people are told. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { earliestStart, skippedFlags, yieldsSlotNow } from '../../../jobs/tasks/download-slots.ts'
import { readSlotQueue } from '../../../src/db/downloads/everyone/slots.ts'
import { late_priority } from '../../../src/db/queue/queue.ts'
import { beatWorker } from '../../../src/db/service/everyone/operations.ts'
import { performDownload } from '../../../src/domain/downloads/perform-download.ts'
import { slices } from '../../../src/domain/downloads/slots.ts'
import { filesIn } from '../../../src/store/local-files.ts'
import type { Downloader } from '../../../src/ytdlp/fetch/download.ts'
import { useDatabase } from '../../support/app/database.ts'
import { entry, type Person, person } from '../../support/app/people.ts'
import { half } from '../../support/app/scene.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const { sql } = useDatabase()
const folder = newFolder()
const files = filesIn(folder)

const host_limits = { host_concurrency: 2, host_pause_seconds: 0, isOurs: () => false }
let alice: Person
let bob: Person
beforeEach(async () => {
  await sql`delete from channels`
  await sql`truncate graphile_worker._private_jobs, workers, host_pauses, rule_holds`
  ;[alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
})

/** Of a worker that has found no tools yet. */
const report = {
  ytdlp_version: null,
  ffmpeg_version: null,
  javascript: null,
  missing: null,
}

/** Workers with so many slots in all. */
async function slots(...of: number[]): Promise<void> {
  for (const [n, count] of of.entries()) await beatWorker(sql, `worker ${n}`, { ...report, slots: count })
}

/** Each on a host of its own, unless told. */
async function wants(who: Person, video_ids: string[], hostOf = (id: string) => `${id}.example`): Promise<void> {
  const videos = video_ids.map(id => entry(id, { video_url: `https://${hostOf(id)}/${id}` }))
  const channel = { channel_id: video_ids.join(), title: 'c', rss_url: `https://videos.example/${video_ids.join()}` }
  await who.library.channels.save(channel, videos)
  await who.library.downloads.request(video_ids)
}
const claims = new Map<string, string>()
/** Takes it up as a worker does: its job is locked while it runs. */
async function starts(who: Person, video_id: string) {
  const claim = crypto.randomUUID()
  const started = await who.library.downloads.start(video_id, claim, earliestStart(host_limits))
  if (!started || started.free_at) return false
  claims.set(video_id, claim)
  await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'x' where key like ${`%:${video_id}`}`
  await who.library.downloads.beat(video_id, claim, half)
  return true
}
const ran = (video_id: string, seconds: number) =>
  sql`update video_entries set download_started_at = now() - ${seconds} * interval '1 second' where video_id = ${video_id}`
const yields = (video_id: string) => yieldsSlotNow(sql, host_limits)(claims.get(video_id) ?? '')
const inOrder = async () =>
  (
    await sql<{ key: string }[]>`
      select key from graphile_worker.jobs where key like 'download:%' and locked_at is null and run_at <= now() order by priority, run_at, id`
  ).map(({ key }) => key.split(':').at(-1))

describe('skipped jobs', () => {
  it('flags of held rules are limited, and those of paused hosts name no person', async () => {
    await sql`
      insert into host_pauses (host, user_id, until, reason)
      values ('b.example', ${bob.user.user_id}, now() + interval '1 minute', 'asked'),
             ('c.example', null, now() + interval '1 minute', 'asked')`
    await sql`
      insert into rule_holds (user_id, host, reason, failures, next_probe_at)
      select ${alice.user.user_id}, n || '.held.example', 'silent', 3, now() + interval '1 hour' from generate_series(1, 500) n`

    const flags = await skippedFlags(sql, host_limits)

    expect(flags.filter(flag => flag.startsWith('host:'))).toEqual(['host:c.example'])
    expect(flags.filter(flag => flag.startsWith('rule:'))).toHaveLength(200)
  })
})

describe('slots', () => {
  it('one person gets all slots while no one else waits', async () => {
    await slots(2)
    await wants(alice, ['a1', 'a2'])
    expect([await starts(alice, 'a1'), await starts(alice, 'a2')]).toEqual([true, true])
  })

  it('workers skip the downloads of a person who has all slots but one while another waits', async () => {
    await slots(2, 2)
    await wants(alice, ['a1', 'a2', 'a3', 'a4'])
    const skipped = async () => (await skippedFlags(sql, host_limits)).filter(flag => flag.startsWith('user:'))
    for (const id of ['a1', 'a2']) await starts(alice, id)
    await wants(bob, ['b1'])
    expect(await skipped()).toEqual([])
    await starts(alice, 'a3')
    expect(await skipped()).toEqual([`user:${alice.user.user_id}`])
    await starts(bob, 'b1')
    expect(await skipped()).toEqual([])
  })

  it('slots of dead workers do not count', async () => {
    await slots(2, 2)
    await sql`update workers set heartbeat_at = now() - interval '1 minute' where id = 'worker 1'`
    await wants(alice, ['a1', 'a2'])
    await starts(alice, 'a1')
    await wants(bob, ['b1'])
    expect(await skippedFlags(sql, host_limits)).toEqual([`user:${alice.user.user_id}`])
  })

  it.each<[why: string, pause: () => Promise<unknown>]>([
    [
      'whose host is paused',
      () => sql`insert into host_pauses (host, until, reason) values ('b1.example', now() + interval '1 hour', 'x')`,
    ],
    [
      'for whom alone the host is paused',
      () => sql`
        insert into host_pauses (host, user_id, until, reason)
        values ('b1.example', ${bob.user.user_id}, now() + interval '1 hour', 'x')`,
    ],
    [
      'whose downloads are paused',
      () => sql`insert into download_pauses (user_id, host) values (${bob.user.user_id}, '')`,
    ],
    ['whose download is paused', () => bob.library.downloads.pause(['b1'])],
    ['who is locked', () => sql`update users set locked_at = now() where id = ${bob.user.user_id}`],
    ['whose rule requested it', () => sql`update video_entries set download_asked_by = 'rule' where video_id = 'b1'`],
    [
      'whose video another download fetches',
      () => sql`update video_entries set address_hash = ${crypto.randomUUID()} where video_id in ('a1', 'b1')`,
    ],
  ])('no slot is kept for a person %s', async (_, pause) => {
    await slots(2)
    await wants(alice, ['a1', 'a2'])
    await wants(bob, ['b1'])
    for (const id of ['a1', 'a2']) await starts(alice, id)
    await ran('a1', 9999)
    expect(await yields('a1')).toBe(true)

    await pause()

    expect(await yields('a1')).toBe(false)
    const { waiting } = await readSlotQueue(sql, 15)
    expect(waiting.filter(({ user_id }) => user_id === bob.user.user_id)).toEqual([])
    await sql`update users set locked_at = null`
  })

  it('a person counts once for each host among those who wait, however many downloads wait', async () => {
    await slots(9)
    await wants(alice, ['a1', 'a2'], () => 'full.example')
    await starts(alice, 'a1')
    const ids = Array.from({ length: 50 }, (_, n) => `b${n}`)
    await wants(bob, [...ids, 'b_full'], id => (id === 'b_full' ? 'full.example' : 'other.example'))

    const { waiting } = await readSlotQueue(sql, 15)

    const of = (who: Person, video_host: string) => ({ user_id: who.user.user_id, video_host })
    expect(waiting).toHaveLength(3)
    expect(waiting).toEqual(
      expect.arrayContaining([of(alice, 'full.example'), of(bob, 'full.example'), of(bob, 'other.example')]),
    )
  })

  it('a person who holds all places of a host yields one when another person waits for that host', async () => {
    await slots(9)
    await wants(alice, ['a1', 'a2'], () => 'h.example')
    for (const id of ['a1', 'a2']) await starts(alice, id)
    await ran('a1', slices.min_s + 9)
    await wants(bob, ['b0'])
    expect(await yields('a1')).toBe(false)
    await wants(bob, ['b1'], () => 'h.example')
    expect(await yields('a1')).toBe(true)
  })

  it('a person who holds all slots yields one when another person arrives', async () => {
    await slots(2)
    await wants(alice, ['a1', 'a2'])
    await starts(alice, 'a1')
    await starts(alice, 'a2')
    await ran('a1', slices.min_s + 9)
    expect(await yields('a1')).toBe(false)
    await wants(bob, ['b1'])
    expect([await yields('a1'), await yields('a2')]).toEqual([true, false])
  })
})

describe('a download that yields its slot', () => {
  it('a yielded download stays ahead of late retries of rules', async () => {
    await wants(alice, ['a1'])
    await wants(bob, ['b1'])
    await starts(alice, 'a1')
    await sql`update graphile_worker._private_jobs set priority = ${late_priority} where key like '%:b1'`
    const yielded = { kept_bytes: null, is_restarted: false }
    await alice.library.downloads.handBack('a1', claims.get('a1') ?? '', { refund: true, yielded })
    expect(await inOrder()).toEqual(['a1', 'b1'])
  })

  const never = new AbortController().signal
  /** Downloads this much and then waits until it is aborted. */
  const drips =
    (bytes: number): Downloader =>
    async ({ folder, signal, onProgress }) => {
      await writeFile(join(folder, 'video.mp4.part'), 'half')
      onProgress({ ...half, downloaded_bytes: bytes })
      signal.throwIfAborted()
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
  const run = (download: Downloader) =>
    performDownload(
      { library: alice.library, files, download, stopping: never, check_ms: 50, yieldsSlot: async () => true },
      'a1',
    )

  it('a yielded download runs after other people’s next ones and before its person’s others, and resumes with its attempt', async () => {
    await wants(alice, ['a1', 'a2'])
    await wants(bob, ['b1', 'b2'])
    await sql`delete from graphile_worker._private_jobs where key like '%:a1'`

    expect(await run(drips(5_000_000))).toBe('handed_back')

    expect(await alice.library.videos.find('a1')).toMatchObject({
      download_status: 'pending',
      queued: true,
      attempts: 0,
    })
    const order = await inOrder()
    expect(order.indexOf('a1')).toBeGreaterThan(order.indexOf('b1'))
    expect(order.indexOf('a1')).toBeLessThan(order.indexOf('b2'))
    let left = ''
    const resumes: Downloader = async ({ folder }) => {
      left = await readFile(join(folder, 'video.mp4.part'), 'utf8')
      await writeFile(join(folder, 'video.mp4'), 'whole')
      return { file: join(folder, 'video.mp4'), file_size: 5 }
    }
    await performDownload({ library: alice.library, files, download: resumes, stopping: never }, 'a1')
    expect(left).toBe('half')
  })

  it('a download that its site restarted three times keeps its slot to the end', async () => {
    await slots(2)
    await wants(alice, ['a1', 'a2'])
    for (let turn = 0; turn < 4; turn++) {
      await sql`delete from graphile_worker._private_jobs where key like '%:a1'`
      expect(await run(drips(turn === 0 ? 9_000_000 : 100))).toBe('handed_back')
      await sql`update video_entries set download_kept_bytes = 9000000 where video_id = 'a1'`
    }
    await starts(alice, 'a1')
    await starts(alice, 'a2')
    await ran('a1', 9999)
    await ran('a2', 70)
    await wants(bob, ['b1'])
    expect([await yields('a1'), await yields('a2')]).toEqual([false, true])
  })
})

describe('a place in the queue', () => {
  const place = async (who: Person, video_id: string) => (await who.library.videos.find(video_id))?.queue_position
  /** What a worker says when it gives a sign of life. */
  const beat = async () => {
    await beatWorker(sql, 'w', { ...report, slots: 2 }, await skippedFlags(sql, host_limits))
  }

  it('the place in the queue counts all waiting downloads when all can run', async () => {
    await wants(alice, ['a1', 'a2', 'a3'])
    await wants(bob, ['b1'])
    await beat()
    expect([await place(alice, 'a1'), await place(bob, 'b1'), await place(alice, 'a3')]).toEqual([1, 2, 4])
  })

  it('the place in the queue does not count downloads of a paused host', async () => {
    await wants(alice, ['a1', 'a2'], () => 'rests.example')
    await wants(bob, ['b1', 'b2'])
    await sql`insert into host_pauses (host, until, reason) values ('rests.example', now() + interval '1 hour', 'asked')`
    await beat()
    expect([await place(bob, 'b1'), await place(bob, 'b2')]).toEqual([1, 2])
  })

  it('the place in the queue counts downloads of a busy host only for downloads of the same host', async () => {
    await slots(9)
    await wants(alice, ['r1', 'r2', 'a1', 'a2'], () => 'full.example')
    await starts(alice, 'r1')
    await starts(alice, 'r2')
    await wants(bob, ['b1'])
    await beat()
    expect(await place(bob, 'b1')).toBe(1)
    expect([await place(alice, 'a1'), await place(alice, 'a2')]).toEqual([1, 3])
  })

  it('the place in the queue does not count downloads of a person who has a fair share of the slots', async () => {
    await slots(2)
    await wants(alice, ['r1', 'a1', 'a2'])
    await starts(alice, 'r1')
    await wants(bob, ['b1'])
    await sql`update graphile_worker._private_jobs set priority = 9 where key like '%:b1'`
    await beat()
    expect(await place(bob, 'b1')).toBe(1)
  })

  it('the place in the queue does not count downloads planned for later', async () => {
    await wants(alice, ['a1'])
    await wants(bob, ['b1'])
    await sql`update graphile_worker._private_jobs set run_at = now() + interval '1 hour' where key like '%:a1'`
    await beat()
    expect([await place(bob, 'b1'), await place(alice, 'a1')]).toEqual([1, null])
  })

  it('the place in the queue does not count jobs that workers skipped before they died', async () => {
    await wants(alice, ['a1'])
    await wants(bob, ['b1'])
    await beat()
    await sql`update workers set passed_over = array['host:a1.example'], heartbeat_at = now() - interval '1 minute'`
    expect(await place(bob, 'b1')).toBe(2)
  })
})
