/** Downloading many videos at once, by page and API. */
import { describe, expect } from 'vitest'
import { all_sites } from '../../../src/db/downloads/pauses.ts'
import { useApp, withPeople } from '../../support/app/app.ts'
import { entry, type Person, person } from '../../support/app/people.ts'
import { finishes, runs } from '../../support/app/scene.ts'
import { flashOf } from '../../support/app/sign-in.ts'

const app = useApp({ USER_QUOTA_GB: 50 })
const { ask, sql, jsonAt, textAt } = app
const it = withPeople(app)
const day = 86_400_000
const start_of_year = Date.UTC(new Date().getUTCFullYear(), 0, 1)

/** Follows a channel with this many videos, one published each day, the last one yesterday. `v0` is the newest. */
async function withVideos(alice: Person, count: number, channel_id = 'kitchen', prefix = 'v') {
  const channel = { channel_id, title: 'Slow Kitchen', rss_url: `https://videos.example/${channel_id}.xml` }
  const videos = Array.from({ length: count }, (_, nth) =>
    entry(`${prefix}${nth}`, { published_at: new Date(Date.now() - (nth + 1) * day), duration_seconds: 600 }),
  )
  await alice.library.channels.save(channel, videos)
}

const queued = async ({ library }: Person) =>
  (await library.videos.shelf({ standing: 'waiting', sort: 'newest', limit: 200 })).entries.map(v => v.video_id)
const outlook = async (as: Person, query = '') =>
  (await jsonAt(`/api/downloads/outlook${query}`, { as })) as Record<string, { count: number; bytes: number }>
const inBatch = (as: Person, json: unknown) => ask('/api/download/batch', { as, json })

describe('the figures', () => {
  it('the menu and the API count what can be queued, and estimate its size', async ({ alice }) => {
    await withVideos(alice, 31)
    await alice.library.viewings.record('v3', { seen: true })
    await alice.library.viewings.record('v4', { not_for_me: true })

    const figures = await outlook(alice, '?channel_id=kitchen')

    const this_year = Array.from({ length: 31 }, (_, nth) => Date.now() - (nth + 1) * day).filter(
      (at, nth) => at >= start_of_year && nth !== 4,
    )
    expect(figures.newest?.count).toBe(20)
    expect(figures.unwatched?.count).toBe(29)
    expect(figures.year?.count).toBe(this_year.length)
    expect(figures.all?.count).toBe(30)
    const menu = await textAt('/downloads/outlook?channel_id=kitchen', { as: alice })
    expect(menu).toMatch(/Newest 20<\/span><span class="amount">20 · about \d+(\.\d)? GB/)
  })

  it('sizes follow from the files that the person has in this quality', async ({ alice }) => {
    await withVideos(alice, 3)
    await finishes(alice, 'v0', 600_000)
    await sql`update video_entries set download_quality = 'best' where user_id = ${alice.user.user_id} and video_id = 'v0'`

    expect((await outlook(alice)).all).toEqual({ count: 2, bytes: 1_200_000 })
  })

  it('a video of two channels counts once', async ({ alice }) => {
    await withVideos(alice, 2)
    await withVideos(alice, 3, 'playlist')
    expect((await outlook(alice)).all?.count).toBe(3)
    expect((await outlook(alice, '?channel_id=playlist')).all?.count).toBe(3)
  })

  it('a channel of alice is none of bob', async ({ bob }) => {
    await withVideos(await person(sql, 'alice'), 2)
    for (const path of ['/api/downloads/outlook?channel_id=kitchen', '/downloads/outlook?channel_id=kitchen'])
      expect((await ask(path, { as: bob })).status).toBe(404)
    expect((await inBatch(bob, { scope: { which: 'all', channel_id: 'kitchen' } })).status).toBe(404)
    expect((await outlook(bob)).all?.count).toBe(0)
  })
})

describe('requesting a scope', () => {
  it('the newest 20 are queued at once, the newest first, with an undo', async ({ alice }) => {
    await withVideos(alice, 30)

    const answer = await ask('/downloads/scope', { as: alice, form: { which: 'newest', channel_id: 'kitchen' } })

    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/channels/kitchen'])
    expect(await queued(alice)).toEqual(Array.from({ length: 20 }, (_, nth) => `v${nth}`))
    expect(flashOf(answer)).toMatchObject({ text: '20 videos queued.', undo: { do: 'take_back' } })
  })

  it('the undo cancels those that have not started, and no other download', async ({ alice, bob }) => {
    await withVideos(alice, 5)
    await alice.library.downloads.request(['v4'])
    const { undo } = flashOf(await ask('/downloads/scope', { as: alice, form: { which: 'all' } }))
    await runs(alice, 'v0')

    const answer = await ask('/downloads/take-back', { as: alice, form: { requested_at: undo.requested_at } })

    expect(flashOf(answer).text).toBe('3 downloads cancelled.')
    expect(await queued(alice)).toEqual(['v4'])
    expect(await alice.library.videos.status('v0')).toMatchObject({ download_status: 'downloading' })
    await ask('/downloads/take-back', { as: bob, form: { requested_at: undo.requested_at } })
    expect(await queued(alice)).toEqual(['v4'])
  })

  it('the undo cancels a download that was moved before the others while downloads are paused', async ({ alice }) => {
    await withVideos(alice, 4)
    await alice.library.downloads.request(['v3'])
    const { undo } = flashOf(await ask('/downloads/scope', { as: alice, form: { which: 'all' } }))
    await alice.library.downloads.pauseSite(all_sites)
    for (const id of ['v1', 'v2', 'v1']) await alice.library.downloads.downloadNext(id)

    const answer = await ask('/downloads/take-back', { as: alice, form: { requested_at: undo.requested_at } })

    expect(flashOf(answer).text).toBe('3 downloads cancelled.')
    await alice.library.downloads.resumeAll()
    expect(await queued(alice)).toEqual(['v3'])
  })

  it('more than 50 videos are queued only after a question with their number, size and the room', async ({ alice }) => {
    await withVideos(alice, 60)

    const question = await ask('/downloads/scope', { as: alice, form: { which: 'all', channel_id: 'kitchen' } })

    const page = await question.text()
    expect(page).toMatch(/Download 60 videos, about \d+ GB\?/)
    expect(page).toMatch(/\d+ GB of your quota left/)
    expect(await queued(alice)).toEqual([])
    await ask('/downloads/scope', { as: alice, form: { which: 'all', channel_id: 'kitchen', confirmed: 'on' } })
    expect(await queued(alice)).toHaveLength(60)
  })

  it('few videos that exceed the quota are asked about too', async ({ alice }) => {
    await withVideos(alice, 3)
    await finishes(alice, 'v2', 49_999_999_999)

    const question = await ask('/downloads/scope', { as: alice, form: { which: 'newest' } })

    expect(await question.text()).toContain('Downloads stop when that is used up.')
    expect(await queued(alice)).toEqual([])
  })

  it('no scope queues what is lost, live, failed, on disk or queued already', async ({ alice }) => {
    await alice.library.channels.save({ channel_id: 'kitchen', title: 'Slow Kitchen', rss_url: 'https://a.example' }, [
      entry('good'),
      entry('recording', { live_status: 'was_live' }),
      entry('live', { live_status: 'live' }),
      entry('upcoming', { live_status: 'upcoming' }),
      entry('removed', { availability: 'removed' }),
      entry('private', { availability: 'private' }),
      entry('members', { availability: 'members_only' }),
      entry('waiting'),
      entry('failed'),
      entry('here'),
    ])
    await alice.library.downloads.request(['waiting'])
    await finishes(alice, 'here', 5)
    const claim = await runs(alice, 'failed')
    await alice.library.downloads.fail('failed', claim, { download_error: 'It failed.', next_attempt_at: null })

    const answer = await inBatch(alice, { scope: { which: 'all', channel_id: 'kitchen' } })

    expect(answer.status).toBe(202)
    const { results } = (await answer.json()) as { results: { video_id: string; result: string }[] }
    expect(results.map(({ video_id }) => video_id).toSorted()).toEqual(['good', 'recording'])
    expect(results.every(({ result }) => result === 'queued')).toBe(true)
  })

  it('a batch has ids or a scope, and nothing else', async ({ alice }) => {
    for (const json of [{}, { scope: { which: 'most' } }, { video_ids: [] }])
      expect((await inBatch(alice, json)).status).toBe(422)
  })

  it('5,000 videos are queued by one request', async ({ alice }) => {
    await withVideos(alice, 5100)
    const answer = await inBatch(alice, { scope: { which: 'all', channel_id: 'kitchen' } })
    expect(((await answer.json()) as { results: unknown[] }).results).toHaveLength(5000)
    expect((await alice.library.videos.tally()).waiting).toBe(5000)
    expect((await outlook(alice)).all?.count).toBe(100)
  })
})
