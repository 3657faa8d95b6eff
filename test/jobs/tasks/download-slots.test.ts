/** The slots of all workers, shared out on a real database; and the places in the queue that people are told. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { earliestStart, skippedFlags, yieldReasonOf } from '../../../jobs/tasks/download-slots.ts'
import { readSlotQueue } from '../../../src/db/downloads/everyone/slots.ts'
import { late_priority } from '../../../src/db/queue/queue.ts'
import { beatWorker } from '../../../src/db/service/everyone/operations.ts'
import { performDownload } from '../../../src/domain/downloads/perform-download.ts'
import { slices, type YieldReason } from '../../../src/domain/downloads/slots.ts'
import { filesIn } from '../../../src/store/local-files.ts'
import type { Downloader } from '../../../src/ytdlp/run/download.ts'
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
  await sql`truncate graphile_worker._private_jobs, workers, turns_given, host_pauses, rule_holds`
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
const way = (video_id: string, is_slow = false) => yieldReasonOf(sql, host_limits)(claims.get(video_id) ?? '', is_slow)
const inOrder = async () =>
  (
    await sql<{ key: string }[]>`
      select key from graphile_worker.jobs where key like 'download:%' and locked_at is null and run_at <= now() order by priority, run_at, id`
  ).map(({ key }) => key.split(':').at(-1))

describe('skipped jobs', () => {
  it('a person whom many hosts refused adds few flags, so that those of other people still fit', async () => {
    await sql`
      insert into host_pauses (host, user_id, until, reason)
      select n || '.paused.example', ${alice.user.user_id}, now() + interval '1 hour', 'asked' from generate_series(1, 500) n`
    await sql`
      insert into rule_holds (user_id, host, reason, failures, next_probe_at)
      select ${alice.user.user_id}, n || '.held.example', 'silent', 3, now() + interval '1 hour' from generate_series(1, 500) n`
    await sql`
      insert into host_pauses (host, user_id, until, reason)
      values ('b.example', ${bob.user.user_id}, now() + interval '1 minute', 'asked')`
    await sql`
      insert into rule_holds (user_id, host, reason, failures, next_probe_at)
      values (${bob.user.user_id}, 'b.example', 'silent', 3, now() + interval '1 minute')`

    const flags = await skippedFlags(sql, host_limits)

    expect(flags.length).toBeLessThan(50)
    expect(flags).toContain(`host:b.example@${bob.user.user_id}`)
    expect(flags).toContain(`rule:${bob.user.user_id}:b.example`)
  })
})

describe('slots', () => {
  it('one person gets all slots while no one else waits', async () => {
    await slots(2)
    await wants(alice, ['a1', 'a2'])
    expect([await starts(alice, 'a1'), await starts(alice, 'a2')]).toEqual([true, true])
  })

  it('one person never gets all slots while another waits, however many workers claim at once', async () => {
    await slots(2, 2)
    const hers = Array.from({ length: 8 }, (_, n) => `a${n}`)
    await wants(alice, hers)
    await wants(bob, ['b1'])

    const started = await Promise.all(hers.map(id => starts(alice, id)))

    expect(started.filter(Boolean)).toHaveLength(3)
    expect(await skippedFlags(sql, host_limits)).toContain(`user:${alice.user.user_id}`)
    expect(await starts(bob, 'b1')).toBe(true)
  })

  it('slots of dead workers do not count', async () => {
    await slots(2, 2)
    await sql`update workers set heartbeat_at = now() - interval '1 minute' where id = 'worker 1'`
    await wants(alice, ['a1', 'a2'])
    await wants(bob, ['b1'])
    expect([await starts(alice, 'a1'), await starts(alice, 'a2')]).toEqual([true, false])
  })

  it('no slot is kept for a person whose host is paused', async () => {
    await slots(2)
    await wants(alice, ['a1', 'a2'])
    await wants(bob, ['b1'])
    await sql`insert into host_pauses (host, until, reason) values ('b1.example', now() + interval '1 hour', 'asked')`
    expect([await starts(alice, 'a1'), await starts(alice, 'a2')]).toEqual([true, true])
    await ran('a1', 9999)
    expect(await way('a1', true)).toBeUndefined()
  })

  it('a person counts once among those who wait, however many hosts their downloads need', async () => {
    await slots(9)
    await wants(alice, ['a1', 'a2'], () => 'full.example')
    await starts(alice, 'a1')
    const ids = Array.from({ length: 50 }, (_, n) => `b${n}`)
    await wants(bob, [...ids, 'b_full'], id => (id === 'b_full' ? 'full.example' : `${id}.example`))

    const { waiting } = await readSlotQueue(sql, { flags: async () => [], alive_s: 15, after_yield_s: 20 })

    const of = (who: Person, video_host: string | null) => ({ user_id: who.user.user_id, video_host, is_late: false })
    expect(waiting).toHaveLength(3)
    expect(waiting).toEqual(expect.arrayContaining([of(alice, 'full.example'), of(bob, 'full.example'), of(bob, null)]))
  })

  it('the places of one host are shared like slots', async () => {
    await slots(9)
    await wants(alice, ['a1', 'a2'], () => 'h.example')
    await wants(bob, ['b1'], () => 'h.example')
    expect([await starts(alice, 'a1'), await starts(alice, 'a2'), await starts(bob, 'b1')]).toEqual([true, false, true])
  })

  it('a person who holds all slots yields one when another person arrives', async () => {
    await slots(2)
    await wants(alice, ['a1', 'a2'])
    await starts(alice, 'a1')
    await starts(alice, 'a2')
    await ran('a1', slices.min_s + 9)
    expect(await way('a1')).toBeUndefined()
    await wants(bob, ['b1'])
    expect([await way('a1'), await way('a2')]).toEqual<(YieldReason | undefined)[]>(['share', undefined])
  })
})

describe('a download that yields its slot', () => {
  it('a yielded download stays ahead of late retries of rules', async () => {
    await wants(alice, ['a1'])
    await wants(bob, ['b1'])
    await starts(alice, 'a1')
    await sql`update graphile_worker._private_jobs set priority = ${late_priority} where key like '%:b1'`
    const yielded = { pause_s: 0, kept_bytes: null, is_restarted: false }
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
  const run = (reason: YieldReason, download: Downloader) =>
    performDownload(
      { library: alice.library, files, download, stopping: never, check_ms: 50, yieldReasonOf: async () => reason },
      'a1',
    )

  it('a yielded download runs after other people’s next ones and before its person’s others, and resumes with its attempt', async () => {
    await wants(alice, ['a1', 'a2'])
    await wants(bob, ['b1', 'b2'])
    await sql`delete from graphile_worker._private_jobs where key like '%:a1'`

    expect(await run('share', drips(5_000_000))).toBe('handed_back')

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

  it('after a yield, other people’s downloads start first for a moment', async () => {
    await slots(1)
    await wants(alice, ['a1', 'a2'])
    await starts(alice, 'a1')
    await wants(bob, ['b1'])
    await alice.library.downloads.handBack('a1', claims.get('a1') ?? '', {
      refund: true,
      yielded: { pause_s: 0, kept_bytes: null, is_restarted: false },
    })
    expect([await starts(alice, 'a1'), await starts(alice, 'a2'), await starts(bob, 'b1')]).toEqual([
      false,
      false,
      true,
    ])
  })

  it('a slow download waits longer each time it yields', async () => {
    await wants(alice, ['a1'])
    const pauses = []
    for (let turn = 0; turn < 3; turn++) {
      const claim = crypto.randomUUID()
      await alice.library.downloads.start('a1', claim)
      const run = { yields: turn }
      const { slowPause } = await import('../../../src/domain/downloads/slots.ts')
      const yielded = { pause_s: slowPause(run.yields), kept_bytes: 1, is_restarted: false }
      await alice.library.downloads.handBack('a1', claim, { refund: true, yielded })
      const [job] =
        await sql`select extract(epoch from run_at - now())::int as wait_s from graphile_worker.jobs where key like '%:a1'`
      pauses.push(job?.wait_s)
    }
    for (const [n, expected] of [60, 120, 240].entries()) expect(Math.abs(pauses[n] - expected)).toBeLessThan(5)
  })

  it('a download that its site restarted three times keeps its slot to the end', async () => {
    await slots(2)
    await wants(alice, ['a1', 'a2'])
    for (let turn = 0; turn < 4; turn++) {
      await sql`delete from graphile_worker._private_jobs where key like '%:a1'`
      expect(await run('slice', drips(turn === 0 ? 9_000_000 : 100))).toBe('handed_back')
      await sql`update video_entries set download_kept_bytes = 9000000 where video_id = 'a1'`
    }
    await sql`truncate turns_given`
    await starts(alice, 'a1')
    await starts(alice, 'a2')
    await ran('a1', 9999)
    await ran('a2', 70)
    await wants(bob, ['b1'])
    expect([await way('a1', true), await way('a2')]).toEqual([undefined, 'share'])
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
