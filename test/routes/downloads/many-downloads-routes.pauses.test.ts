import { expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { follows, type Person, person } from '../../support/app/people.ts'

const { ask, sql, jsonAt, textAt } = useApp()

const aliceWaits = async (...video_ids: string[]): Promise<Person> => {
  const alice = await person(sql, 'alice')
  await follows(alice, 'kitchen', video_ids)
  await alice.library.downloads.request(video_ids)
  return alice
}
const pausedOf = async ({ library }: Person, ...video_ids: string[]) =>
  (await library.videos.statuses(video_ids)).map(({ paused_at }) => paused_at !== null)

it('one download is paused and resumed from the API and the page, and the page says so', async () => {
  const alice = await aliceWaits('a')
  const paused = await ask('/api/downloads/a/pause', { as: alice, json: {} })
  expect(await paused.json()).toMatchObject({ video_id: 'a', paused_at: expect.any(String) })
  expect(await textAt('/downloads', { as: alice })).toContain('Paused')

  await ask('/downloads/a/resume', { as: alice, form: {} })
  expect(await pausedOf(alice, 'a')).toEqual([false])
  await ask('/downloads/a/pause', { as: alice, form: {} })
  expect(await pausedOf(alice, 'a')).toEqual([true])
  expect(await jsonAt('/api/downloads/a/resume', { as: alice, json: {} })).toMatchObject({
    paused_at: null,
  })
})

it.each(['pause', 'resume', 'next'])(
  'another person gets 404 for %s, as for a video that does not exist',
  async act => {
    await aliceWaits('a')
    const bob = await person(sql, 'bob')
    const [hers, none] = [
      await ask(`/api/downloads/a/${act}`, { as: bob, json: {} }),
      await ask(`/api/downloads/nope/${act}`, { as: bob, json: {} }),
    ]
    expect([hers.status, await hers.text()]).toEqual([404, await none.text()])
  },
)

it('selected downloads, a site and everything are paused and resumed', async () => {
  const alice = await aliceWaits('a', 'b')
  await ask('/downloads/pause', { as: alice, form: { video_id: 'a' } })
  expect(await pausedOf(alice, 'a', 'b')).toEqual([true, false])
  expect((await ask('/api/downloads/pause', { as: alice, json: { host: 'videos.example' } })).status).toBe(204)
  expect(await pausedOf(alice, 'a', 'b')).toEqual([true, true])
  expect(await textAt('/downloads', { as: alice })).toContain('<bdi>videos.example</bdi>')
  await ask('/downloads/pause', { as: alice, form: { all: 'true' } })
  expect(await textAt('/downloads', { as: alice })).toContain('All downloads are paused.')

  expect((await ask('/api/downloads/resume', { as: alice, json: { all: true } })).status).toBe(204)
  expect(await pausedOf(alice, 'a', 'b')).toEqual([false, false])
  expect((await ask('/api/downloads/pause', { as: alice, json: {} })).status).toBe(422)
})

it('a site that rests is tried from the API and the page, once a minute', async () => {
  const alice = await aliceWaits('a', 'b')
  await sql`
    insert into host_pauses (host, user_id, until, reason)
    values ('videos.example', ${alice.user.user_id}, now() + interval '20 minutes', 'slow')`
  expect(await textAt('/downloads', { as: alice })).toContain('Try now')
  const tries = { as: alice, json: { host: 'videos.example' } }

  expect(await jsonAt('/api/downloads/try', tries)).toEqual({ result: 'trying' })
  expect(await jsonAt('/api/downloads/try', tries)).toEqual({ result: 'just_tried' })
  const { status, headers } = await ask('/downloads/try', { as: alice, form: { host: 'videos.example' } })
  expect([status, headers.get('location')]).toEqual([303, '/downloads'])
  expect((await ask('/api/downloads/try', { as: alice, json: {} })).status).toBe(422)
})

it('a queued download goes first from the API and the page', async () => {
  const alice = await aliceWaits('a', 'b', 'c')
  const placeOf = async (id: string) => (await alice.library.videos.status(id))?.queue_position
  const first = await placeOf('a')
  expect(await jsonAt('/api/downloads/c/next', { as: alice, json: {} })).toMatchObject({
    queue_position: first,
  })
  await ask('/downloads/b/next', { as: alice, form: {} })
  expect(await placeOf('b')).toBe(first)
})

const shelfOf = async ({ library }: Person) => {
  const { entries } = await library.videos.shelf({ standing: 'waiting', sort: 'newest', limit: 10 })
  return entries.map(({ video_id }) => video_id)
}

it.each([{ host: 'videos.example' }, { all: true }])(
  '"Download next" orders the queue while %o is paused, on the page and from the API',
  async paused => {
    const alice = await aliceWaits('a', 'b')
    await ask('/api/downloads/pause', { as: alice, json: paused })

    const page = await textAt('/downloads/b/next', { as: alice, form: {}, headers: { 'hx-request': 'true' } })
    expect(page).toContain('Moved to the front. It waits until downloads are resumed.')
    expect(await shelfOf(alice)).toEqual(['b', 'a'])
    expect(page).not.toContain('/resume')
    expect(await jsonAt('/api/downloads/b/next', { as: alice, json: {} })).toMatchObject({
      paused_at: expect.any(String),
      paused_by: 'all' in paused ? 'all' : 'site',
      queue_position: null,
    })
    await ask('/api/downloads/a/next', { as: alice, json: {} })
    expect(await shelfOf(alice)).toEqual(['a', 'b'])
    await ask('/api/downloads/resume', { as: alice, json: paused })
    expect(await shelfOf(alice)).toEqual(['a', 'b'])
    expect((await alice.library.videos.status('a'))?.queue_position).toBeLessThan(
      (await alice.library.videos.status('b'))?.queue_position ?? 0,
    )
  },
)

it('a site without videos in the library is not paused, and the page and the API say so', async () => {
  const alice = await aliceWaits('a')
  const bob = await person(sql, 'bob')
  for (const [who, host] of [
    [alice, 'nowhere.example'],
    [bob, 'videos.example'],
  ] as const) {
    const json = await ask('/api/downloads/pause', { as: who, json: { host } })
    expect([json.status, await json.text()]).toEqual([404, expect.stringContaining('no videos from this site')])
    const page = await ask('/downloads/pause', { as: who, form: { host } })
    expect([page.status, await page.text()]).toEqual([404, expect.stringContaining('no videos from this site')])
  }
  const paused = await sql`select from download_pauses where user_id in (${alice.user.user_id}, ${bob.user.user_id})`
  expect(paused).toEqual([])
})
