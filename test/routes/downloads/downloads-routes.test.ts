/** The shelves of downloads, and changes to several downloads at once, by page and API. */
import { describe, expect } from 'vitest'
import { useApp, withPeople } from '../../support/app/app.ts'
import { follows, type Person, person } from '../../support/app/people.ts'
import { fails, finishes, runs, scene } from '../../support/app/scene.ts'
import { flashOf } from '../../support/app/sign-in.ts'

const app = useApp()
const { ask, sql, jsonAt, textAt } = app
const it = withPeople(app)

type Shown = { entries: { video_id: string }[]; next_cursor: string | null; tally: Record<string, number> }
const shelf = async (as: Person, query: string): Promise<Shown> =>
  (await jsonAt(`/api/downloads${query}`, { as })) as Shown
const ids = ({ entries }: Shown) => entries.map(({ video_id }) => video_id)
const states = async ({ library }: Person, ...video_ids: string[]) =>
  (await library.videos.statuses(video_ids)).map(({ download_status, queued }) => (queued ? 'queued' : download_status))

/** Sends a form, and returns the message on the next page. */
async function sent(as: Person, path: string, form: Record<string, string | string[]>) {
  const answer = await ask(path, { as, form })
  expect(answer.status).toBe(303)
  return flashOf(answer) as { text: string }
}

describe('the shelves', () => {
  it('the shelves list running, waiting, failed and finished downloads, each video once, waiting ones in queue order', async () => {
    const alice = await scene(sql)

    expect(ids(await shelf(alice, '?standing=running'))).toEqual(['running'])
    expect(ids(await shelf(alice, '?standing=waiting'))).toEqual(['waiting-1', 'waiting-2', 'retrying'])
    expect(ids(await shelf(alice, '?standing=failed'))).toEqual(['failed'])
    expect(ids(await shelf(alice, ''))).toEqual(['done-2', 'done-1'])
    const { tally } = await shelf(alice, '')
    expect(tally).toEqual({ running: 1, waiting: 3, failed: 1, done: 2, on_disk_bytes: 9_614_000_000 })
    const page = await textAt('/downloads', { as: alice })
    const places = ['running', 'waiting-1', 'waiting-2', 'retrying', 'failed', 'done-2', 'done-1'].map(id =>
      page.indexOf(`id="row-${id}"`),
    )
    expect(places).toEqual([...places].sort((one, other) => one - other))
    expect(places[0]).toBeGreaterThan(0)
    expect(page).toContain('9.6 GB on disk')
    for (const [name, count] of Object.entries({ Running: 1, Queued: 3, Failed: 1, 'On disk': 2 }))
      expect(page).toContain(`${name} <span class="count">${count}</span>`)
  })

  it('the pages of a shelf skip and repeat no waiting download when earlier ones start', async ({ alice }) => {
    const queue = ['a', 'b', 'c', 'd', 'e', 'f']
    await follows(alice, 'kitchen', queue)
    for (const video_id of queue) await alice.library.downloads.request([video_id])
    const first = await shelf(alice, '?standing=waiting&limit=3')
    expect(ids(first)).toEqual(['a', 'b', 'c'])

    for (const video_id of ['a', 'b']) {
      await sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs where key like ${`%:${video_id}`}))`
      await alice.library.downloads.start(video_id, crypto.randomUUID())
    }

    expect(ids(await shelf(alice, `?standing=waiting&limit=3&cursor=${first.next_cursor}`))).toEqual(['d', 'e', 'f'])
  })

  it('finished downloads can be listed by size, page by page, each once', async ({ alice }) => {
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

  it('the downloads page shows the beginning of a shelf, and fifty downloads on the page of that shelf', async () => {
    const alice = await person(sql, 'alice')
    const all = Array.from({ length: 73 }, (_, index) => `v${index}`)
    await follows(alice, 'kitchen', all)
    for (const id of all) await fails(alice, id, 'It failed.')

    const first = await textAt('/downloads', { as: alice })
    const next = /href="(\/downloads\?show=failed[^"]*)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const second = await textAt(next, { as: alice })

    expect(first.match(/id="row-/g)).toHaveLength(20)
    expect(second.match(/id="row-/g)).toHaveLength(50)
    expect(second).toContain('href="/downloads"')
  })

  it('every page shows how many downloads run or wait, and those of others are not counted', async () => {
    const [alice, bob] = [await scene(sql), await person(sql, 'bob')]
    await follows(alice, 'playlist', ['running'])
    const shown = async (as: Person) =>
      /id="active-downloads"[^>]*>(\d*)/.exec(await textAt('/settings', { as, headers: { accept: 'text/html' } }))?.[1]

    expect(await shown(alice)).toBe('4')
    expect(await shown(bob)).toBe('')
  })

  it('the shelves count a video of two channels once', async () => {
    const alice = await scene(sql)
    await follows(alice, 'playlist', ['done-1', 'done-2', 'failed', 'running'])

    const { tally } = await shelf(alice, '')

    expect(tally).toMatchObject({ running: 1, done: 2, failed: 1 })
    expect(ids(await shelf(alice, '?standing=done'))).toHaveLength(2)
  })

  it.each(['?cursor=nonsense', '?cursor=LTF8', '?standing=elsewhere', '?limit=0'])(
    'the shelves answer %s with 422',
    async query => {
      const alice = await person(sql, 'alice')
      expect((await ask(`/api/downloads${query}`, { as: alice })).status).toBe(422)
    },
  )

  it('the downloads page explains how to download to a person without downloads', async () => {
    expect(await textAt('/downloads', { as: await person(sql, 'new') })).toContain('Press Download on any video')
  })
})

describe('cancelling several', () => {
  it('a batch cancels waiting, running and failed downloads, and reports the others', async () => {
    const alice = await scene(sql)
    const video_ids = ['running', 'waiting-1', 'failed', 'done-1', 'nope']

    expect(await jsonAt('/api/download/cancel-batch', { as: alice, json: { video_ids } })).toEqual({
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

  it('the page says how many downloads were cancelled and how many had ended', async () => {
    const alice = await scene(sql)
    const video_id = ['waiting-1', 'waiting-2', 'done-1']
    expect((await sent(alice, '/downloads/cancel', { video_id })).text).toBe('2 cancelled. 1 had already ended.')
  })

  it('cancelling all waiting downloads includes planned attempts and leaves running downloads', async () => {
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

  it('clearing failed downloads leaves those with a planned attempt', async () => {
    const alice = await scene(sql)
    expect((await sent(alice, '/downloads/cancel', { all: 'failed' })).text).toBe('1 removed from the list.')
    expect(await states(alice, 'failed', 'retrying', 'running')).toEqual(['pending', 'queued', 'downloading'])
  })

  it.each([{}, { all: 'done' }, { video_ids: [] }])('cancelling several refuses %o', async json => {
    const alice = await person(sql, 'alice')
    expect((await ask('/api/download/cancel-batch', { as: alice, json })).status).toBe(422)
  })
})

describe('trying several again', () => {
  it('retrying several requests only the selected downloads, and none without a selection', async () => {
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
  it('deleting several files asks with their number and size, and deletes after the confirmation', async () => {
    const alice = await scene(sql)
    const video_id = ['done-1', 'done-2', 'failed']

    expect(await textAt('/downloads/remove', { as: alice, form: { video_id } })).toContain('Delete 2 files (9.6 GB)?')
    expect(await states(alice, 'done-1', 'done-2')).toEqual(['completed', 'completed'])

    const { text } = await sent(alice, '/downloads/remove', { video_id: ['done-1', 'done-2'], confirmed: 'on' })
    expect(text).toBe('2 files deleted (9.6 GB).')
    expect(await states(alice, 'done-1', 'done-2', 'failed')).toEqual(['pending', 'pending', 'failed'])
  })

  it('the API deletes several files without asking, and reports the result of each video', async () => {
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
