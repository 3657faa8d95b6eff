/** The status of downloads, as polled by pages and programs. */
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { statusApi } from '../../../src/routes/downloads/status.tsx'
import type { Env } from '../../../src/routes/http/context.ts'
import { useApp } from '../../support/app/app.ts'
import { follows, type Person, person } from '../../support/app/people.ts'
import { progress } from '../../support/app/samples.ts'
import { scene } from '../../support/app/scene.ts'
import { statementsOf } from '../../support/app/statements.ts'

const { ask, sql, jsonAt, textAt } = useApp()

async function aliceWith(...video_ids: string[]): Promise<Person> {
  const alice = await person(sql, 'alice')
  await follows(alice, 'kitchen', video_ids)
  return alice
}

describe('polling the status of downloads', () => {
  const poll = (as: Person, query: string, tag?: string) =>
    ask(`/api/download/status?${query}`, {
      as,
      headers: { 'hx-request': 'true', ...(tag && { 'if-none-match': tag }) },
    })
  const tagIn = (answer: Response) => answer.headers.get('etag') ?? ''

  it('a poll gets 304 from page and API while nothing changes', async () => {
    const alice = await scene(sql)
    const first = await poll(alice, 'video_id=running&video_id=waiting-1')
    const json = await ask('/api/download/status?video_id=running', { as: alice })

    const again = await poll(alice, 'video_id=running&video_id=waiting-1', tagIn(first))
    const json_again = await ask('/api/download/status?video_id=running', {
      as: alice,
      headers: { 'if-none-match': tagIn(json) },
    })

    expect([again.status, await again.text()]).toEqual([304, ''])
    expect(json_again.status).toBe(304)
    await alice.library.downloads.cancel('running')
    expect((await poll(alice, 'video_id=running&video_id=waiting-1', tagIn(first))).status).toBe(200)
    expect(
      (await ask('/api/download/status?video_id=running', { as: alice, headers: { 'if-none-match': tagIn(json) } }))
        .status,
    ).toBe(200)
  })

  it('an unchanged poll of running downloads is one statement that returns one row', async () => {
    const alice = await aliceWith('v1', 'v2')
    await alice.library.downloads.request(['v1', 'v2'])
    for (const id of ['v1', 'v2']) await alice.library.downloads.start(id, crypto.randomUUID())
    const query = 'video_id=v2&video_id=v1'
    const first = await poll(alice, query)
    const [sent, ...more] = await statementsOf(sql, () => poll(alice, query, tagIn(first)))

    expect([sent, more]).toEqual([expect.stringContaining('from video_entries'), []])
    expect(sent).toContain('sum(')
  })

  it('a poll that finds a change is one statement from page and API, and while a download waits two more: for its place, and what it waits for', async () => {
    const alice = await aliceWith('v1', 'v2')
    await alice.library.downloads.request(['v1', 'v2'])
    await alice.library.downloads.start('v1', crypto.randomUUID())
    const json = (query: string, tag: string) =>
      ask(`/api/download/status?${query}`, { as: alice, headers: { 'if-none-match': tag } })
    for (const request of [poll.bind(null, alice), json]) {
      const running = await request('video_id=v1', '')
      const waiting = await request('video_id=v1&video_id=v2', '')
      await sql`update video_entries set pinned = not pinned where user_id = ${alice.user.user_id}`
      const sent = await statementsOf(sql, () => request('video_id=v1', tagIn(running)))
      const sent_waiting = await statementsOf(sql, () => request('video_id=v1&video_id=v2', tagIn(waiting)))

      expect(sent).toEqual([expect.stringContaining('from video_entries')])
      expect(sent_waiting).toEqual([
        sent[0],
        expect.stringContaining('_private_jobs'),
        expect.stringContaining('from host_pauses'),
      ])
    }
  })

  it('a heartbeat that changes nothing a person sees leaves a poll unchanged, and new progress does not', async () => {
    const alice = await aliceWith('v1')
    await alice.library.downloads.request(['v1'])
    const claim = crypto.randomUUID()
    await alice.library.downloads.start('v1', claim)
    const beat = (percent: number) => alice.library.downloads.beat('v1', claim, { ...progress, percent })
    await beat(42)
    const first = await poll(alice, 'video_id=v1')
    await beat(42)
    const same = await poll(alice, 'video_id=v1', tagIn(first))
    await beat(43)
    const later = await poll(alice, 'video_id=v1', tagIn(first))

    expect([same.status, later.status]).toEqual([304, 200])
    expect(await later.text()).toContain('43%')
  })

  it('a poll has no version while a download waits, because its place depends on others', async () => {
    const alice = await aliceWith('v1', 'v2')
    await alice.library.downloads.request(['v1'])
    const versionOf = async (...video_ids: string[]) => (await alice.library.videos.changed(video_ids, [])).version
    expect(await versionOf('v1', 'v2')).toBeNull()
    expect(await versionOf('v2')).toMatch(/^-?\d+$/)
    expect(await versionOf('unknown')).toBeNull()
  })

  it('a program that sends no tag gets kept JSON while nothing changes, and then what changed', async () => {
    const alice = await aliceWith('v1', 'v2')
    const bob = await aliceWith('v1', 'v2')
    const statuses = async (as: Person, query: string) =>
      (await jsonAt(`/api/download/status?${query}`, { as })) as { statuses: { pinned: boolean }[] }
    const first = await statuses(alice, 'video_id=v1&video_id=v2')
    const sent = await statementsOf(sql, async () =>
      expect(await statuses(alice, 'video_id=v1&video_id=v2')).toEqual(first),
    )
    const other_order = await statuses(alice, 'video_id=v2&video_id=v1')
    await sql`update video_entries set pinned = true where user_id = ${alice.user.user_id} and video_id = 'v1'`

    expect(sent).toHaveLength(1)
    expect(other_order.statuses).toEqual(first.statuses.toReversed())
    expect((await statuses(alice, 'video_id=v1&video_id=v2')).statuses.map(({ pinned }) => pinned)).toEqual([
      true,
      false,
    ])
    expect((await statuses(bob, 'video_id=v1&video_id=v2')).statuses.map(({ pinned }) => pinned)).toEqual([
      false,
      false,
    ])
  })

  it('a change between two reads of a poll is not kept or tagged when the download is the same again after them', async () => {
    const alice = await aliceWith('v1')
    const pin = (pinned: boolean) =>
      sql`update video_entries set pinned = ${pinned} where user_id = ${alice.user.user_id} and video_id = 'v1'`
    let reads = 0
    const videos = new Proxy(alice.library.videos, {
      get:
        (all, name) =>
        async (...values: unknown[]) => {
          const is_second = ++reads === 2
          if (is_second) await pin(true)
          const read = await Reflect.get(all, name)(...values)
          if (is_second) await pin(false)
          return read
        },
    })
    const app = new Hono<Env>()
      .use((c, next) => {
        reads = 0
        c.set('library', { ...alice.library, videos })
        return next()
      })
      .route('/', statusApi(0))
    const first = await app.request('/download/status?video_id=v1')
    const headers = { 'if-none-match': tagIn(first) }
    const shown = (await first.json()) as { statuses: { pinned: boolean }[] }
    const again = await app.request('/download/status?video_id=v1')

    expect(await again.json()).toMatchObject({ statuses: [{ pinned: false }] })
    const tagged = await app.request('/download/status?video_id=v1', { headers })
    expect([shown.statuses[0]?.pinned, tagged.status]).toEqual([false, 304])
  })

  it('a tag of the JSON answer does not fit the answer for pages', async () => {
    const alice = await aliceWith('v1')
    const json = await ask('/api/download/status?video_id=v1', { as: alice })
    expect((await poll(alice, 'video_id=v1', tagIn(json))).status).toBe(200)
  })

  it('a poll gets the whole downloads page when a download changes its shelf', async () => {
    const alice = await scene(sql)
    const page = await textAt('/downloads', { as: alice })
    const tally = /name="tally" value="([^"]+)"/.exec(page)?.[1]
    expect(tally).toBe('1.3.1.2')

    const same = await (await poll(alice, `tally=${tally}&video_id=running`)).text()
    await alice.library.downloads.cancel('running')
    const moved = await (await poll(alice, `tally=${tally}&video_id=running`)).text()

    expect(same).not.toContain('hx-target="#downloads"')
    expect(moved).toContain('<hx-partial hx-target="#downloads" hx-swap="outerMorph">')
    expect(moved).toContain('name="tally" value="0.3.1.2"')
    expect(moved).not.toContain('id="row-running"')
  })
})

describe('the status', () => {
  it('the status is JSON for programs and a fragment for htmx', async () => {
    const alice = await aliceWith('v1', 'v2')
    await alice.library.downloads.request(['v1'])
    const htmx = { 'hx-request': 'true' }

    const one = await ask('/api/download/status/v1', { as: alice })
    const many = await ask('/api/download/status?video_id=v1&video_id=v2&video_id=nowhere', { as: alice })
    const cell = await ask('/api/download/status/v1', { as: alice, headers: htmx })
    const cells = await ask('/api/download/status?video_id=v1&video_id=v2', { as: alice, headers: htmx })

    expect(await one.json()).toMatchObject({ video_id: 'v1', queued: true })
    const { statuses } = (await many.json()) as { statuses: { video_id: string }[] }
    expect(statuses.map(({ video_id }) => video_id).toSorted()).toEqual(['v1', 'v2'])
    expect(await cell.text()).toContain('Queued')
    expect((await cells.text()).match(/<hx-partial [^>]*#download-v[12]/g)).toHaveLength(2)
    expect(cells.headers.get('content-type')).toContain('text/html')
    // One address has two answers, so caches need Vary.
    for (const { headers } of [one, many, cell, cells]) expect(headers.get('vary')).toContain('HX-Request')
  })

  it('the status shows the progress of a running download', async () => {
    const alice = await aliceWith('v1')
    await alice.library.downloads.request(['v1'])
    const claim = crypto.randomUUID()
    await alice.library.downloads.start('v1', claim)
    const progress = {
      phase: 'downloading',
      percent: 42.4,
      downloaded_bytes: 42,
      total_bytes: 99,
      speed: 7,
      eta_seconds: 70,
    } as const
    await alice.library.downloads.beat('v1', claim, progress)

    const answer = await ask('/api/download/status/v1', { as: alice })
    const page = await textAt('/downloads', { as: alice })

    expect(await answer.json()).toMatchObject({ download_status: 'downloading', queued: false, attempts: 1, progress })
    expect(page).toContain('42% · 1:10 left')
    expect(page).toContain('hx-get="/api/download/status"')
  })
})

describe('the place in the queue', () => {
  it('the place in the queue counts the downloads of all users, in the order they will run', async () => {
    await sql`delete from graphile_worker._private_jobs`
    const alice = await aliceWith('v1', 'v2', 'v3')
    const bob = await person(sql, 'bob')
    await follows(bob, 'garage', ['b1'])
    for (const id of ['v1', 'v2']) await alice.library.downloads.request([id])
    await bob.library.downloads.request(['b1'])
    const place = async (owner: Person, id: string) => (await owner.library.videos.statuses([id]))[0]?.queue_position

    const order = await sql<{ key: string }[]>`
      select key from graphile_worker.jobs where task_identifier = 'download' order by priority, run_at, id`
    for (const [n, { key }] of order.entries()) {
      const id = key.split(':').at(-1) ?? ''
      expect([key, await place(key.includes(bob.user.user_id) ? bob : alice, id)]).toEqual([key, n + 1])
    }
    expect(order).toHaveLength(3)
    expect(await place(alice, 'v3')).toBeNull()

    const status = await ask('/api/download/status/v1', { as: alice })
    expect(await status.json()).toMatchObject({ queue_position: 1 })
    const cell = await ask('/api/download/status/v1', { as: alice, headers: { 'hx-request': 'true' } })
    expect(await cell.text()).toContain('Up next')
  })
})
