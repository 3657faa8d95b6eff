import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { follows, type Person, person } from '../../support/app/people.ts'
import { fails, finishes, runs, scene } from '../../support/app/scene.ts'

const app = useApp()
const { ask, sql } = app

type Shown = { entries: { video_id: string }[]; next_cursor: string | null; tally: Record<string, number> }
const shelf = async (as: Person, query: string): Promise<Shown> =>
  (await (await ask(`/api/downloads${query}`, { as })).json()) as Shown
const ids = ({ entries }: Shown) => entries.map(({ video_id }) => video_id)
const states = async ({ library }: Person, ...video_ids: string[]) =>
  (await library.videos.statuses(video_ids)).map(({ download_status, queued }) => (queued ? 'queued' : download_status))

/** What the next page says after a form. */
async function sent(as: Person, path: string, form: Record<string, string | string[]>) {
  const answer = await ask(path, { as, form })
  expect(answer.status).toBe(303)
  const flash = answer.headers.getSetCookie().find(cookie => cookie.startsWith('flash=')) ?? ''
  return JSON.parse(Buffer.from(/flash=([^;]*)/.exec(flash)?.[1] ?? '', 'base64url').toString()) as { text: string }
}

describe('the shelves', () => {
  it('hold what runs, waits in the order of the queue, needs somebody and is on disk, each video on one', async () => {
    const alice = await scene(sql)

    expect(ids(await shelf(alice, '?standing=running'))).toEqual(['running'])
    expect(ids(await shelf(alice, '?standing=waiting'))).toEqual(['waiting-1', 'waiting-2', 'retrying'])
    expect(ids(await shelf(alice, '?standing=failed'))).toEqual(['failed'])
    expect(ids(await shelf(alice, ''))).toEqual(['done-2', 'done-1'])
    const { tally } = await shelf(alice, '')
    expect(tally).toEqual({ running: 1, waiting: 3, failed: 1, done: 2, on_disk_bytes: 9_614_000_000 })
    const page = await (await ask('/downloads', { as: alice })).text()
    const places = ['running', 'waiting-1', 'waiting-2', 'retrying', 'failed', 'done-2', 'done-1'].map(id =>
      page.indexOf(`id="row-${id}"`),
    )
    expect(places).toEqual([...places].sort((one, other) => one - other))
    expect(places[0]).toBeGreaterThan(0)
    expect(page).toContain('1 running · 3 queued · 1 failed · 2 on disk, 9.6 GB')
  })

  it('lose and double nobody who waits while others before them begin', async () => {
    const alice = await person(sql, 'alice')
    const line = ['a', 'b', 'c', 'd', 'e', 'f']
    await follows(alice, 'kitchen', line)
    for (const video_id of line) await alice.library.downloads.request([video_id])
    const first = await shelf(alice, '?standing=waiting&limit=3')
    expect(ids(first)).toEqual(['a', 'b', 'c'])

    for (const video_id of ['a', 'b']) {
      await sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs where key like ${`%:${video_id}`}))`
      await alice.library.downloads.start(video_id, crypto.randomUUID())
    }

    expect(ids(await shelf(alice, `?standing=waiting&limit=3&cursor=${first.next_cursor}`))).toEqual(['d', 'e', 'f'])
  })

  it('go by size when asked, page by page, without losing or doubling one', async () => {
    const alice = await person(sql, 'alice')
    const sizes = [5, 9, 5, 1, 7]
    await follows(
      alice,
      'kitchen',
      sizes.map((_, index) => `v${index}`),
    )
    for (const [index, size] of sizes.entries()) await finishes(alice, `v${index}`, size)

    const walked: string[] = []
    for (let cursor = ''; ; ) {
      const page = await shelf(alice, `?sort=size&limit=2&cursor=${cursor}`)
      walked.push(...ids(page))
      if (page.next_cursor === null) break
      cursor = page.next_cursor
    }

    expect(walked.slice(0, 2)).toEqual(['v1', 'v4'])
    expect(walked.slice(2, 4).sort()).toEqual(['v0', 'v2'])
    expect(walked.slice(4)).toEqual(['v3'])
  })

  it('show their beginnings on one page, and the way to fifty more', async () => {
    const alice = await person(sql, 'alice')
    const all = Array.from({ length: 73 }, (_, index) => `v${index}`)
    await follows(alice, 'kitchen', all)
    for (const id of all) await fails(alice, id, 'It failed.')

    const first = await (await ask('/downloads', { as: alice })).text()
    const next = /href="(\/downloads\?show=failed[^"]*)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const second = await (await ask(next, { as: alice })).text()

    expect(first.match(/id="row-/g)).toHaveLength(20)
    expect(second.match(/id="row-/g)).toHaveLength(50)
    expect(second).toContain('href="/downloads"')
  })

  it('count a video of two channels once', async () => {
    const alice = await scene(sql)
    await follows(alice, 'playlist', ['done-1', 'done-2', 'failed', 'running'])

    const { tally } = await shelf(alice, '')

    expect(tally).toMatchObject({ running: 1, done: 2, failed: 1 })
    expect(ids(await shelf(alice, '?standing=done'))).toHaveLength(2)
  })

  it.each(['?cursor=nonsense', '?cursor=LTF8', '?standing=elsewhere', '?limit=0'])(
    'refuse %s with a sentence',
    async query => {
      const alice = await person(sql, 'alice')
      expect((await ask(`/api/downloads${query}`, { as: alice })).status).toBe(422)
    },
  )

  it('teach somebody who has none', async () => {
    const page = await (await ask('/downloads', { as: await person(sql, 'new') })).text()
    expect(page).toContain('Press Download on any video')
  })
})

describe('cancelling several', () => {
  it('cancels those that wait, run or have failed, and tells of those that had ended', async () => {
    const alice = await scene(sql)
    const video_ids = ['running', 'waiting-1', 'failed', 'done-1', 'nope']

    const answer = await ask('/api/download/cancel-batch', { as: alice, json: { video_ids } })

    expect(await answer.json()).toEqual({
      results: [
        { video_id: 'running', result: 'cancelled' },
        { video_id: 'waiting-1', result: 'cancelled' },
        { video_id: 'failed', result: 'cancelled' },
        { video_id: 'done-1', result: 'not_waiting' },
        { video_id: 'nope', result: 'not_found' },
      ],
    })
    expect(await states(alice, 'running', 'waiting-1', 'failed', 'done-1', 'waiting-2')).toEqual([
      'pending',
      'pending',
      'pending',
      'completed',
      'queued',
    ])
    const jobs =
      await sql`select key from graphile_worker.jobs where key = ${`download:${alice.user.user_id}:waiting-1`}`
    expect(jobs).toHaveLength(0)
  })

  it('tells on the page how many went, and how many came too late', async () => {
    const alice = await scene(sql)
    const video_id = ['waiting-1', 'waiting-2', 'done-1']
    expect((await sent(alice, '/downloads/cancel', { video_id })).text).toBe('2 cancelled. 1 had already ended.')
  })

  it('cancels everything that waits, planned attempts too, and leaves what runs', async () => {
    const [alice, other] = [await scene(sql), await scene(sql)]

    expect((await sent(alice, '/downloads/cancel', { all: 'waiting' })).text).toBe('3 cancelled.')

    expect(await states(alice, 'waiting-1', 'retrying', 'running', 'failed')).toEqual([
      'pending',
      'pending',
      'downloading',
      'failed',
    ])
    const answer = await ask('/api/download/cancel-batch', { as: other, json: { all: 'waiting' } })
    expect(((await answer.json()) as { results: unknown[] }).results).toHaveLength(3)
  })

  it('clears what failed and is not tried again, and nothing else', async () => {
    const alice = await scene(sql)
    expect((await sent(alice, '/downloads/cancel', { all: 'failed' })).text).toBe('1 removed from the list.')
    expect(await states(alice, 'failed', 'retrying', 'running')).toEqual(['pending', 'queued', 'downloading'])
  })

  it.each([{}, { all: 'done' }, { video_ids: [] }])('refuses %o', async json => {
    const alice = await person(sql, 'alice')
    expect((await ask('/api/download/cancel-batch', { as: alice, json })).status).toBe(422)
  })
})

describe('trying several again', () => {
  it('asks for those with a tick alone, and for none when there is none', async () => {
    const alice = await scene(sql)
    await runs(alice, 'wanted')
    await fails(alice, 'waiting-1', 'It failed.')

    const none = await sent(alice, '/downloads/retry', { chosen: 'on' })
    expect(none.text).toContain('Select at least one video.')
    expect(await states(alice, 'failed', 'waiting-1')).toEqual(['failed', 'failed'])

    await sent(alice, '/downloads/retry', { chosen: 'on', video_id: 'failed' })
    expect(await states(alice, 'failed', 'waiting-1')).toEqual(['queued', 'failed'])
  })
})

describe('deleting several files', () => {
  it('names how many and how large before anything goes', async () => {
    const alice = await scene(sql)
    const video_id = ['done-1', 'done-2', 'failed']

    const question = await ask('/downloads/remove', { as: alice, form: { video_id } })
    expect(await question.text()).toContain('Delete 2 files (9.6 GB)?')
    expect(await states(alice, 'done-1', 'done-2')).toEqual(['completed', 'completed'])

    const { text } = await sent(alice, '/downloads/remove', { video_id: ['done-1', 'done-2'], confirmed: 'on' })
    expect(text).toBe('2 deleted.')
    expect(await states(alice, 'done-1', 'done-2', 'failed')).toEqual(['pending', 'pending', 'failed'])
  })

  it('does the same for a program, which says what it means at once', async () => {
    const alice = await scene(sql)
    const answer = await ask('/api/download/remove-batch', {
      as: alice,
      json: { video_ids: ['done-1', 'waiting-1', 'nope'] },
    })
    expect(await answer.json()).toEqual({
      results: [
        { video_id: 'done-1', result: 'removed' },
        { video_id: 'waiting-1', result: 'not_on_disk' },
        { video_id: 'nope', result: 'not_found' },
      ],
    })
    expect(await states(alice, 'waiting-1')).toEqual(['queued'])
  })
})

describe('polling', () => {
  const poll = (as: Person, query: string, tag?: string) =>
    ask(`/api/download/status?${query}`, {
      as,
      headers: { 'hx-request': 'true', ...(tag && { 'if-none-match': tag }) },
    })
  const tagIn = (answer: Response) => answer.headers.get('etag') ?? ''

  it('answers 304 while nothing changes, to a page and to a program', async () => {
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

  it('brings the whole page of downloads once something has changed its shelf', async () => {
    const alice = await scene(sql)
    const page = await (await ask('/downloads', { as: alice })).text()
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
