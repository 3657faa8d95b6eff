/** Imports as the worker works through them: line by line, politely, and on after a crash. */
import type { JobHelpers } from 'graphile-worker'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { importTask } from '../../../jobs/tasks/channels.ts'
import { startWorker } from '../../../jobs/worker/main.ts'
import type { Library } from '../../../src/db/library.ts'
import type { FeedFinder } from '../../../src/domain/channels/discovery.ts'
import { beginImport, getImport, importWithLines, retryImport } from '../../../src/domain/imports/imports.ts'
import { max_job_lines, performImport } from '../../../src/domain/imports/perform-import.ts'
import { getRule } from '../../../src/domain/rules/rules.ts'
import { DomainError } from '../../../src/errors.ts'
import { SiteRefusal } from '../../../src/feed/fetch/answer.ts'
import { feedAddressOf } from '../../../src/feed/pages/given-address.ts'
import { silent } from '../../support/app/app.ts'
import { useDatabase } from '../../support/app/database.ts'
import { idleParts } from '../../support/app/parts.ts'
import { entry, follows, type Person, person } from '../../support/app/people.ts'

const { sql, url: database_url } = useDatabase()

let alice: Person
beforeEach(async () => {
  alice = await person(sql, 'alice')
})

const findFeed: FeedFinder = async address => {
  const name = new URL(feedAddressOf(address)).pathname.slice(1)
  if (name.startsWith('gone')) throw new DomainError('feed_failed', 'The site answered 404. Check the address.')
  const feed = { channel_id: name, title: `Channel ${name}`, entries: [entry(`${name}-v1`)], skipped: 0 }
  return { rss_url: address, feed }
}
const list = (...names: string[]) => names.map(name => `https://videos.example/${name}`).join('\n')
const running = new AbortController().signal
type Stretch = Parameters<typeof performImport>[0]
/** One stretch of an import of alice, by default from sites that answer. */
const perform = (import_id: string, more: Partial<Stretch> = {}) =>
  performImport({ library: alice.library, findFeed, stopping: running, ...more }, import_id)
const begins = async (text: string) => (await beginImport(alice.library, text)).import_id
const outcomes = async ({ library }: Person, import_id: string) =>
  (await library.imports.lines(import_id, 5000))
    .toSorted((a, b) => a.position - b.position)
    .map(({ outcome, message }) => message ?? outcome)
const jobs = ({ user }: Person) =>
  sql`select attempts, max_attempts from graphile_worker.jobs where key like ${`import:${user.user_id}:%`}`

describe('an import', () => {
  it('an import gives the result of each line, and a retry tries only the failed ones', async () => {
    await follows(alice, 'known', [])
    const asked: string[] = []
    const reader: FeedFinder = address => {
      asked.push(address)
      return findFeed(address)
    }
    const import_id = await begins(`${list('new', 'gone', 'known.xml')}\nfile:///words`)

    const stretch = { findFeed: reader }
    expect(await perform(import_id, stretch)).toBe('finished')

    const words = 'Only addresses that start with http:// or https:// are fetched.'
    const gone = 'The site answered 404. Check the address.'
    expect(asked.filter(address => address.startsWith('https:'))).toEqual([
      'https://videos.example/new',
      'https://videos.example/gone',
    ])
    expect(await outcomes(alice, import_id)).toEqual(['added', gone, 'already', words])
    expect(await getImport(alice.library, import_id)).toMatchObject({
      kind: 'addresses',
      total: 4,
      waiting: 0,
      added: 1,
      already: 1,
      failed: 2,
      finished_at: expect.any(Date),
    })

    expect(await retryImport(alice.library, import_id)).toMatchObject({ waiting: 2, failed: 0, finished_at: null })
    const again: FeedFinder = address => findFeed(`https://videos.example/back-${address.length}`)
    await perform(import_id, { findFeed: again })
    expect(await outcomes(alice, import_id)).toEqual(['added', 'added', 'already', 'added'])
  })

  it('channels that are found at the same time are saved in one statement, and two lines of one channel are saved as one', async () => {
    const import_id = await begins(list('a', 'b', 'c', 'd').replaceAll('videos.', 'v.'))
    const names = ['e', 'f', 'g', 'g'].map((name, n) => `https://${n}.example/${name}`)
    const other = await beginImport(alice.library, names.join('\n'))
    const saves: number[] = []
    const { channels } = alice.library
    const library = {
      ...alice.library,
      channels: {
        ...channels,
        saveAll: (feeds: Parameters<typeof channels.saveAll>[0]) => {
          saves.push(feeds.length)
          return channels.saveAll(feeds)
        },
      },
    }

    await perform(import_id, { library })
    expect(saves).toEqual([2, 2])
    saves.length = 0
    await perform(other.import_id, { library })

    // The statement of all four is refused, because it has a channel twice. Then each is saved alone.
    expect(saves).toEqual([4, 1, 1, 1, 1])
    expect(await alice.library.channels.list()).toHaveLength(7)
    expect((await outcomes(alice, other.import_id)).toSorted()).toEqual(['added', 'added', 'added', 'already'])
  })

  it('a rule that cannot be applied fails its own line only, and the lines saved with it count as added', async () => {
    await follows(alice, 'ruled', [])
    await alice.library.rules.save('ruled', { ...(await getRule(alice.library, 'ruled')), auto_download: true })
    const import_id = await begins(['new', 'ruled', 'other'].map(name => `https://${name}.example/${name}`).join('\n'))
    const fault = new TypeError('a fault of ours')
    const faults: unknown[] = []
    const toJudge = (channel_id: string) =>
      channel_id === 'ruled' ? Promise.reject(fault) : alice.library.rules.toJudge(channel_id)
    const rules = { ...alice.library.rules, toJudge }

    await perform(import_id, { library: { ...alice.library, rules }, onFault: one => faults.push(one) })

    const words = 'Something went wrong on our side. Try again later.'
    expect(await outcomes(alice, import_id)).toEqual(['added', words, 'added'])
    expect(faults).toEqual([fault])
  })

  it('imports that run at the same time try at most two lines of one host at once, and people take turns there', async () => {
    const people = [await person(sql, 'alice'), await person(sql, 'bob'), await person(sql, 'carol')]
    const counts = [20, 2, 2]
    const ended: string[] = []
    let [here, max_here] = [0, 0]
    const reader: FeedFinder = async (address, whose = '') => {
      max_here = Math.max(max_here, ++here)
      await new Promise(resolve => setTimeout(resolve, 5))
      here--
      ended.push(whose)
      return findFeed(address)
    }
    const work = people.map(async ({ library }, at) => {
      const names = Array.from({ length: counts[at] ?? 0 }, (_, n) => `t${n}`)
      const { import_id } = await beginImport(library, list(...names))
      return { library, import_id }
    })
    const begun = await Promise.all(work)

    const results = await Promise.all(
      begun.map(({ library, import_id }) => perform(import_id, { library, findFeed: reader })),
    )

    expect(results).toEqual(['finished', 'finished', 'finished'])
    expect(max_here).toBe(2)
    const [alice, ...others] = people.map(({ user }) => user.user_id)
    for (const other of others) expect(ended.lastIndexOf(other)).toBeLessThan(ended.lastIndexOf(alice ?? '') - 4)
  })

  it('a line that waits for a turn at its host is not tried after the worker stops', async () => {
    const bob = await person(sql, 'bob')
    const [first, second] = await Promise.all(
      [alice, bob].map(({ library }) => beginImport(library, list('a', 'b', 'c'))),
    )
    const slow = Promise.withResolvers<void>()
    const tried: string[] = []
    const reader: FeedFinder = async (address, whose = '') => {
      tried.push(whose)
      await slow.promise
      return findFeed(address)
    }
    const stopping = new AbortController()
    const run = (library: Library, import_id = '') =>
      perform(import_id, { library, findFeed: reader, stopping: stopping.signal })
    const work = run(alice.library, first?.import_id)
    await vi.waitFor(() => expect(tried).toHaveLength(2))
    const begins = Promise.withResolvers<void>()
    // The last thing that is read before the lines are tried.
    const pauses = () => bob.library.imports.pauses().finally(() => setImmediate(begins.resolve))
    const other = run({ ...bob.library, imports: { ...bob.library.imports, pauses } }, second?.import_id)
    await begins.promise

    stopping.abort()

    expect(await Promise.all([work, other])).toEqual(['more', 'more'])
    slow.resolve()
    await vi.waitFor(async () => expect(await outcomes(alice, first?.import_id ?? '')).toContain('added'))
    expect(tried).toEqual(Array(2).fill(alice.user.user_id))
    expect(await outcomes(bob, second?.import_id ?? '')).toEqual(Array(3).fill('waiting'))
  })

  it('failed lines come first, and an unfollowed channel has no link', async () => {
    const import_id = await begins(list('a', 'b', 'gone'))
    await perform(import_id)
    await alice.library.channels.remove('a')
    const { lines } = await importWithLines(alice.library, import_id, 2)
    expect(lines.map(({ address, channel_id }) => [address, channel_id])).toEqual([
      ['https://videos.example/gone', null],
      ['https://videos.example/a', null],
    ])
  })

  it.each([
    ['says until when', (host: string) => new SiteRefusal(429, 60, host), 1],
    ['only says 429', (host: string) => new SiteRefusal(429, undefined, host), 5],
  ])('asks few at once, fewer of one host, and none any longer of one that %s', async (_, busy_words, minutes) => {
    const six = [1, 2, 3, 4, 5, 6]
    const others = Array.from({ length: 30 }, (_, n) => n)
    const host = `busy-${minutes}.example`
    const text = [...six.map(n => `https://${host}/b${n}`), ...others.map(n => `https://h${n}.example/h${n}`)].join(
      '\n',
    )
    const import_id = await begins(text)
    let [now, most, here, max_here, asked_busy] = [0, 0, 0, 0, 0]
    const reader: FeedFinder = async address => {
      const busy = address.includes('busy')
      most = Math.max(most, ++now)
      if (busy) max_here = Math.max(max_here, ++here)
      await new Promise(resolve => setTimeout(resolve, 5))
      now--
      if (!busy) return findFeed(address)
      here--
      if (++asked_busy > 2) throw busy_words(host)
      return findFeed(address)
    }
    const stretch = { findFeed: reader }

    expect(await perform(import_id, stretch)).toBe('more')

    expect(most).toBe(24)
    expect(max_here).toBe(2)
    expect(asked_busy).toBeLessThanOrEqual(4)
    expect(await getImport(alice.library, import_id)).toMatchObject({ added: 32, failed: 0, waiting: 4 })
    const [job] = await sql`
      select extract(epoch from run_at - now())::float / 60 as minutes
      from   graphile_worker.jobs
      where  key like ${`import:${alice.user.user_id}:%`}`
    expect(job?.minutes).toBeGreaterThan(minutes - 0.5)
    expect(job?.minutes).toBeLessThanOrEqual(minutes)

    asked_busy = 0
    expect(await perform(import_id, stretch)).toBe('more')
    expect(asked_busy).toBe(0)
    await sql`update host_pauses set until = now() where host = ${`feeds:${host}`}`
    await sql`update import_lines set not_before = null`
    expect(await perform(import_id)).toBe('finished')
    expect(await getImport(alice.library, import_id)).toMatchObject({ added: 36, failed: 0 })
  })

  const refusal_words = 'strict.example asks us to slow down (429). Try again later.'
  const strict: (retry_after_s: number) => FeedFinder = retry_after_s => async () => {
    throw new SiteRefusal(429, retry_after_s, 'strict.example')
  }

  it('a line fails when its site asks for more than an hour, and the others are tried again in minutes', async () => {
    const import_id = await begins(list('known', 'x', 'y', 'z').replaceAll('videos', 'strict'))

    expect(await perform(import_id, { findFeed: strict(7200) })).toBe('more')
    expect(await outcomes(alice, import_id)).toEqual([refusal_words, refusal_words, 'waiting', 'waiting'])
  })

  it('lines fail when their site still asks to wait an hour after the import began', async () => {
    const import_id = await begins(list('known', 'x', 'y', 'z').replaceAll('videos', 'strict'))
    await sql`update imports set created_at = now() - interval '59 minutes 30 seconds' where id = ${import_id}`

    expect(await perform(import_id, { findFeed: strict(60) })).toBe('finished')
    expect(await outcomes(alice, import_id)).toEqual(Array(4).fill(refusal_words))
  })

  it('hundreds of lines of a paused site do not delay the lines of other sites', async () => {
    const names = Array.from({ length: 300 }, (_, n) => `r${n}`)
    const text = `${list(...names).replaceAll('videos', 'resting')}\nhttps://awake.example/last`
    const import_id = await begins(text)
    const reader: FeedFinder = async address => {
      if (address.includes('resting')) throw new SiteRefusal(429, 600, 'resting.example')
      return findFeed(address)
    }

    expect(await perform(import_id, { findFeed: reader })).toBe('more')

    expect(await getImport(alice.library, import_id)).toMatchObject({ added: 1, waiting: 300, failed: 0 })
  })

  it('an import continues after a crash, and tries no finished line again', async () => {
    const import_id = await begins(list('a', 'b', 'c', 'd', 'e'))
    const asked: string[] = []
    const crashing: FeedFinder = async address => {
      asked.push(address)
      // As the database does when it goes away: nothing can be noted any longer.
      if (asked.length === 3) throw Object.assign(new Error('gone'), { code: 'CONNECTION_CLOSED' })
      return findFeed(address)
    }
    const run = (reader: FeedFinder) =>
      importTask({ sql, log: silent, findFeed: reader })({ user_id: alice.user.user_id, import_id }, {
        abortSignal: running,
      } as JobHelpers)

    await expect(run(crashing)).rejects.toThrow('gone')
    const done = (await alice.library.imports.lines(import_id, 10)).filter(({ outcome }) => outcome === 'added')
    asked.length = 0
    await run(async address => {
      asked.push(address)
      return findFeed(address)
    })

    expect(done.length).toBeGreaterThanOrEqual(2)
    expect(done.length).toBeLessThan(5)
    for (const { address } of done) expect(asked).not.toContain(address)
    expect(await outcomes(alice, import_id)).toEqual(Array(5).fill('added'))
  })

  it('an import that breaks waits for the lines under way', async () => {
    const import_id = await begins(list('slow', 'breaks', 'later'))
    const slow = Promise.withResolvers<void>()
    const broke = Promise.withResolvers<void>()
    const asked: string[] = []
    const reader: FeedFinder = async address => {
      asked.push(address)
      if (address.endsWith('slow')) await slow.promise
      if (address.endsWith('breaks')) {
        broke.resolve()
        throw Object.assign(new Error('gone'), { code: 'CONNECTION_CLOSED' })
      }
      return findFeed(address)
    }
    const work = perform(import_id, { findFeed: reader })
    const noted = work.catch(() => outcomes(alice, import_id))

    await broke.promise
    slow.resolve()

    await expect(work).rejects.toThrow('gone')
    expect(await noted).toEqual(['added', 'waiting', 'waiting'])
    expect(asked).toHaveLength(2)
  })

  it('an import is queued again when the worker stops, without waiting for a slow site', async () => {
    // A host of its own: the line that never ends keeps a turn there.
    const import_id = await begins(list('slow', 'quick').replaceAll('videos.', 'hangs.'))
    const stopping = new AbortController()
    const slow: FeedFinder = address => (address.endsWith('slow') ? new Promise(() => {}) : findFeed(address))
    const work = perform(import_id, { findFeed: slow, stopping: stopping.signal })
    await vi.waitFor(async () => expect(await outcomes(alice, import_id)).toEqual(['waiting', 'added']))
    stopping.abort()
    expect(await work).toBe('more')
    expect(await jobs(alice)).toHaveLength(1)
  })

  it('a long import lets others have their turn, and a line that breaks affects no other', async () => {
    const faults: unknown[] = []
    const import_id = await begins(list('a', 'broken', 'c', 'd', 'e', 'f', 'g', 'h'))
    let time = 0
    const reader: FeedFinder = async address => {
      time += 4000
      if (address.endsWith('broken')) throw new TypeError('a fault of ours')
      return findFeed(address)
    }
    const stretch = { findFeed: reader, now: () => time, onFault: (fault: unknown) => faults.push(fault) }

    expect(await perform(import_id, stretch)).toBe('more')
    expect((await getImport(alice.library, import_id)).waiting).toBeGreaterThan(2)
    while ((await perform(import_id, stretch)) === 'more') expect(await jobs(alice)).toHaveLength(1)

    expect(await getImport(alice.library, import_id)).toMatchObject({ added: 7, failed: 1 })
    expect(faults).toEqual([new TypeError('a fault of ours')])
  })

  it('a sixth import is refused while five are running, and the oldest finished ones are deleted', async () => {
    for (let n = 0; n < 24; n++) {
      const import_id = await begins(list(`n${n}`))
      await perform(import_id)
    }
    expect(await alice.library.imports.list()).toHaveLength(20)
    for (let n = 0; n < 5; n++) await beginImport(alice.library, list('x'))
    await expect(beginImport(alice.library, list('x'))).rejects.toMatchObject({ code: 'conflict' })
    await beginImport((await person(sql, 'bob')).library, list('x'))
    const [{ count } = { count: 0 }] =
      await sql`select count(*) as count from imports where user_id = ${alice.user.user_id}`
    expect(count).toBeLessThanOrEqual(20)
  })
})

it('an import of hundreds of channels does not delay another person’s short one', async () => {
  const bob = await person(sql, 'bob')
  const names = Array.from({ length: max_job_lines + 100 }, (_, n) => `c${n}`)
  const long = await beginImport(alice.library, list(...names))
  const short = await beginImport(bob.library, list('b1', 'b2'))
  const endOf = async ({ library }: Person, import_id: string) => (await getImport(library, import_id)).finished_at
  const worker = await startWorker({ ...idleParts(sql), findFeed }, { database_url, concurrency: 1 })
  try {
    await vi.waitFor(async () => expect(await endOf(alice, long.import_id)).not.toBeNull(), {
      timeout: 60_000,
      interval: 100,
    })
  } finally {
    await worker.stop()
  }
  const [hers, his] = [await endOf(alice, long.import_id), await endOf(bob, short.import_id)]
  expect(his).not.toBeNull()
  expect(Number(his)).toBeLessThan(Number(hers))
  expect(await getImport(alice.library, long.import_id)).toMatchObject({
    total: names.length,
    added: names.length,
    failed: 0,
  })
  expect(await alice.library.channels.list()).toHaveLength(names.length)
  expect(await jobs(alice)).toHaveLength(0)
})
