/** Whose turn it is: between users, between a click and a rule, and between the downloads of one host. On a real graphile-worker. */
import { Logger, type Runner, run, type Task } from 'graphile-worker'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { earliestStart } from '../../../jobs/tasks/download-slots.ts'
import { blockedFlags, type HostLimits } from '../../../src/db/downloads/everyone/hosts.ts'
import { hostFlag } from '../../../src/db/queue/flags.ts'
import { useDatabase } from '../../support/app/database.ts'
import { entry, follows, type Person, person } from '../../support/app/people.ts'

const { sql, url } = useDatabase({ connections: 8 })
const runners: Runner[] = []
beforeEach(() => sql`truncate graphile_worker._private_jobs`)
afterEach(async () => {
  await Promise.all(runners.splice(0).map(runner => runner.stop()))
})

/** The first `count` jobs that a worker takes, in the order it takes them. */
async function taken(count: number, concurrency = 1): Promise<string[]> {
  const order: string[] = []
  const [enough, let_go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const download: Task = async (_, { job }) => {
    order.push(job.key ?? '')
    if (order.length === count) enough.resolve()
    if (order.length >= count) await let_go.promise
  }
  const runner = await work({ download }, concurrency)
  await enough.promise
  const stopped = runner.stop()
  let_go.resolve()
  await stopped
  runners.splice(0)
  return order.slice(0, count)
}

async function work(taskList: Record<string, Task>, concurrency: number, forbiddenFlags?: () => Promise<string[]>) {
  const runner = await run({
    connectionString: url,
    taskList,
    parsedCronItems: [],
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    ...(forbiddenFlags && { forbiddenFlags }),
    preset: {
      worker: { concurrentJobs: concurrency, completeJobBatchDelay: 0, failJobBatchDelay: 0, pollInterval: 100 },
    },
  })
  runners.push(runner)
  return runner
}

const ids = (count: number, prefix = 'v') => Array.from({ length: count }, (_, n) => `${prefix}${n}`)
const waitsFor = async (who: Person, video_ids: string[]) => {
  await follows(who, 'kitchen', video_ids)
  await who.library.downloads.request(video_ids)
}
const whose = (order: string[], who: Person) => order.map(key => key.includes(who.user.user_id))

describe('users', () => {
  it('a user with 1,000 queued downloads does not delay another user’s first', async () => {
    const [alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
    await waitsFor(alice, ids(1000))
    await waitsFor(bob, ['his'])

    const order = await taken(4, 2)

    expect(whose(order, bob)).toContain(true)
  })

  it('a user who comes late takes turns from the current round on', async () => {
    const [alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
    await waitsFor(alice, ids(30))
    await taken(10)
    await waitsFor(bob, ids(30, 'his'))

    const order = whose(await taken(10), bob)

    expect(order.filter(Boolean).length).toBeGreaterThanOrEqual(4)
    expect(order.filter(Boolean).length).toBeLessThanOrEqual(6)
  })

  it('a user’s downloads run in the order they were requested', async () => {
    const alice = await person(sql, 'alice')
    await waitsFor(alice, ids(5))
    await follows(alice, 'more', ['w0'])
    await alice.library.downloads.request(['w0'])

    const order = (await taken(6)).map(key => key.split(':').at(-1))

    expect(order).toEqual(['v0', 'v1', 'v2', 'v3', 'v4', 'w0'])
  })

  it('a user can queue 1,000 downloads at once', async () => {
    const alice = await person(sql, 'alice')
    await follows(alice, 'kitchen', ids(1000))
    await alice.library.downloads.request(ids(1000))

    const [row] = await sql`select count(*) from graphile_worker.jobs where key like 'download:%'`
    expect(row?.count).toBe(1000)
  })
})

describe('a rule', () => {
  it('a rule’s download runs after downloads that people clicked, even later ones', async () => {
    const [alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
    await follows(alice, 'kitchen', ['ruled'])
    await alice.library.downloads.request(['ruled'], 'rule')
    await waitsFor(bob, ids(3))

    const order = await taken(4)

    expect(order.at(-1)).toContain(':ruled')
  })

  it('a click on a video moves a rule’s download of it forward', async () => {
    const alice = await person(sql, 'alice')
    await follows(alice, 'kitchen', ['first', 'second'])
    await alice.library.downloads.request(['first', 'second'], 'rule')

    const asked = await alice.library.downloads.request(['second'])

    expect([...asked]).toEqual([['second', 'already_queued']])
    expect((await taken(2)).map(key => key.split(':').at(-1))).toEqual(['second', 'first'])
  })
})

describe('a host', () => {
  const host_limits = (more: Partial<HostLimits> = {}): HostLimits => ({
    host_concurrency: 2,
    host_pause_seconds: 0,
    isOurs: () => false,
    ...more,
  })
  /** Videos of one channel, all on that host. */
  async function onHost(who: Person, host: string, video_ids: string[]) {
    const videos = video_ids.map(id => entry(id, { video_url: `https://${host}/${id}` }))
    await who.library.channels.save({ channel_id: host, title: host, rss_url: `https://${host}/feed` }, videos)
    await who.library.downloads.request(video_ids)
  }
  const claim = (who: Person, video_id: string, rules: HostLimits) =>
    who.library.downloads.start(video_id, crypto.randomUUID(), earliestStart(rules))
  let count = 0
  const newHost = () => `host${++count}.example`

  it('a host never gets more downloads at once than allowed, however many workers and users there are', async () => {
    const [alice, bob, host] = [await person(sql, 'alice'), await person(sql, 'bob'), newHost()]
    await onHost(alice, host, ids(6))
    await onHost(bob, host, ids(6))

    const started = await Promise.all([alice, bob].flatMap(who => ids(6).map(id => claim(who, id, host_limits()))))

    expect(started.filter(answer => answer && !answer.free_at)).toHaveLength(2)
    expect(started.filter(answer => answer?.free_at)).toHaveLength(10)
  })

  it('a download that waits for its host stays queued, loses no attempt and runs later', async () => {
    const [alice, host] = [await person(sql, 'alice'), newHost()]
    await onHost(alice, host, ids(2))
    await claim(alice, 'v0', host_limits({ host_concurrency: 1 }))
    const before = await alice.library.videos.find('v1')

    const answer = await claim(alice, 'v1', host_limits({ host_concurrency: 1 }))

    expect(answer?.free_at?.getTime()).toBeGreaterThan(Date.now())
    expect(await alice.library.videos.find('v1')).toEqual({ ...before, queue_position: null })
    const [job] = await sql`select run_at from graphile_worker.jobs where key like ${`%${alice.user.user_id}:v1`}`
    expect(job?.run_at).toEqual(answer?.free_at)
  })

  it('a host gets a pause between two downloads', async () => {
    const [alice, host] = [await person(sql, 'alice'), newHost()]
    const rules = host_limits({ host_pause_seconds: 30 })
    await onHost(alice, host, ids(2))
    const began = Date.now()
    const run = crypto.randomUUID()
    await alice.library.downloads.start('v0', run, earliestStart(rules))

    const while_running = await claim(alice, 'v1', rules)
    await alice.library.downloads.finish(
      'v0',
      run,
      { download_path: 'a/b.mp4', file_size: 1 },
      async () => {},
      async () => {},
    )
    const after_it = await claim(alice, 'v1', rules)

    for (const answer of [while_running, after_it]) {
      const seconds = ((answer?.free_at?.getTime() ?? 0) - began) / 1000
      expect(seconds).toBeGreaterThan(28)
      expect(seconds).toBeLessThan(35)
    }
    expect(await blockedFlags(sql, rules)).toContain(hostFlag(host))
    expect(await blockedFlags(sql, host_limits())).not.toContain(hostFlag(host))
  })

  it('a host of the operator’s own has no limit and no pause', async () => {
    const [alice, host] = [await person(sql, 'alice'), newHost()]
    const rules = host_limits({ host_concurrency: 1, host_pause_seconds: 30, isOurs: name => name === host })
    await onHost(alice, host, ids(3))

    const started = await Promise.all(ids(3).map(id => claim(alice, id, rules)))

    expect(started.map(answer => answer?.free_at)).toEqual([undefined, undefined, undefined])
    expect(await blockedFlags(sql, rules)).not.toContain(hostFlag(host))
  })

  it('workers skip the jobs of a paused host and take the next ones', async () => {
    const [alice, host] = [await person(sql, 'alice'), newHost()]
    await onHost(alice, host, ids(20))
    await onHost(alice, newHost(), ['free'])
    await sql`insert into host_pauses (host, until, reason) values (${host}, now() + interval '1 hour', 'asked')`
    const took: string[] = []

    await work({ download: async (_, { job }) => void took.push(job.key ?? '') }, 2, async () =>
      blockedFlags(sql, host_limits()),
    )

    await vi.waitFor(async () => {
      const [waiting] =
        await sql`select count(*), max(attempts) as attempts from graphile_worker.jobs where key like 'download:%'`
      expect(waiting).toEqual({ count: 20, attempts: 0 })
    })
    expect(took).toEqual([expect.stringContaining(':free')])
  })

  it.each([
    ['https://www.youtube.com/watch?v=1', 'youtube.com'],
    ['https://m.youtube.com/watch?v=1', 'youtube.com'],
    ['HTTPS://Videos.Example:8443/a?b@c', 'videos.example'],
    ['https://user:pa@ss@videos.example/x', 'videos.example'],
    ['http://[::1]:80/x', '[::1]'],
    ['https://videos.example', 'videos.example'],
    ['https://videos.example\\@youtube.com/x', 'videos.example'],
  ])('of %s is %s', async (video_url, host) => {
    const alice = await person(sql, 'alice')
    await alice.library.channels.save({ channel_id: 'c', title: 'c', rss_url: 'https://videos.example/f' }, [
      entry('v', { video_url }),
    ])
    const [row] = await sql`select video_host from video_entries where user_id = ${alice.user.user_id}`
    expect(row?.video_host).toBe(host)
  })
})
