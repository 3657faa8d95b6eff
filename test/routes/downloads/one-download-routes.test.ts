/** Requesting, cancelling, pinning and deleting downloads. */
import { rm } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { Download } from '../../../src/schema/downloads/download.ts'
import { useApp } from '../../support/app/app.ts'
import { onDisk as fileOnDisk } from '../../support/app/files.ts'
import { follows, has, type Person, personWith } from '../../support/app/people.ts'
import { video } from '../../support/app/samples.ts'

const app = useApp()
const { ask, sql, textAt } = app

const aliceWith = (...video_ids: string[]) => personWith(sql, 'alice', 'kitchen', video_ids)

const onDisk = (owner: Person, video_id: string, bytes?: string) => fileOnDisk(app.folder, owner, video_id, bytes)

const jobsOf = (owner: Person) => sql`
  select id, key, run_at from graphile_worker.jobs where key like ${`download:${owner.user.user_id}:%`}`

const alicesKitchen = () => aliceWith('v1')

describe('requesting a download', () => {
  it('requests for a video from page and API queue one job of three attempts', async () => {
    const alice = await aliceWith('v1')

    const answers = await Promise.all([
      ask('/api/download/v1', { as: alice, method: 'POST' }),
      ask('/api/download/v1', { as: alice, method: 'POST' }),
      ask('/downloads/v1', { as: alice, method: 'POST' }),
      ...Array.from({ length: 17 }, () => ask('/api/download/v1', { as: alice, method: 'POST' })),
    ])

    expect(answers.map(({ status }) => status).filter(status => status === 202)).toHaveLength(19)
    expect(await answers[0]?.json()).toEqual({
      ...Download.parse(video({ video_id: 'v1', availability: null })),
      queued: true,
      queue_position: expect.any(Number),
    })
    expect(await jobsOf(alice)).toHaveLength(1)
    const [job] =
      await sql`select max_attempts, task_identifier from graphile_worker.jobs where key = ${`download:${alice.user.user_id}:v1`}`
    expect(job).toEqual({ max_attempts: 3, task_identifier: 'download' })
  })

  it('a request for a video on disk gets 200', async () => {
    const alice = await aliceWith('v1')
    await onDisk(alice, 'v1')
    const jobs_before = await jobsOf(alice)
    const answer = await ask('/api/download/v1', { as: alice, method: 'POST' })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ download_status: 'completed', file_size: 18 })
    expect(await jobsOf(alice)).toEqual(jobs_before)
  })

  it('a video already on disk through another channel is completed at once', async () => {
    const alice = await aliceWith('v1', 'v2')
    await follows(alice, 'playlist', ['v2'])
    await onDisk(alice, 'v1')
    await onDisk(alice, 'v2')
    await follows(alice, 'mix', ['v1'])
    await alice.library.channels.remove('kitchen')

    for (const video_id of ['v1', 'v2']) {
      const answer = await ask(`/api/download/${video_id}`, { as: alice, method: 'POST' })
      expect(answer.status).toBe(200)
      expect(await answer.json()).toMatchObject({ download_status: 'completed', file_size: 18 })
    }
    expect(await alice.library.downloads.request(['v1', 'v2'])).toEqual(
      new Map([
        ['v1', 'already_completed'],
        ['v2', 'already_completed'],
      ]),
    )
  })

  it('the status contains the tool’s own message', async () => {
    const alice = await aliceWith('v1')
    const claim = crypto.randomUUID()
    await alice.library.downloads.request(['v1'])
    await alice.library.downloads.start('v1', claim)
    const failed = { download_error: 'It failed.', download_detail: 'ERROR: <raw>', next_attempt_at: null }
    await alice.library.downloads.fail('v1', claim, failed)

    const status = await ask('/api/download/status/v1', { as: alice })
    const page = await textAt('/watch/v1', { as: alice })

    expect(await status.json()).toMatchObject({ download_error: 'It failed.', download_detail: 'ERROR: <raw>' })
    expect(page).toContain('<code>ERROR: &lt;raw&gt;</code>')
  })

  it('a video whose file is missing is queued again', async () => {
    const alice = await aliceWith('v1')
    await rm(await onDisk(alice, 'v1'))
    const answer = await ask('/api/download/v1', { as: alice, method: 'POST' })
    expect(answer.status).toBe(202)
    expect(await answer.json()).toMatchObject({
      download_status: 'pending',
      queued: true,
      download_path: null,
      file_size: null,
    })
  })

  it('a batch answers with a result for each video', async () => {
    const alice = await aliceWith('new', 'waiting', 'done')
    await alice.library.downloads.request(['waiting'])
    await onDisk(alice, 'done')
    const video_ids = ['new', 'waiting', 'done', 'nowhere', 'new']

    const answer = await ask('/api/download/batch', { as: alice, json: { video_ids } })

    expect(answer.status).toBe(202)
    expect(await answer.json()).toEqual({
      results: [
        { video_id: 'new', result: 'queued' },
        { video_id: 'waiting', result: 'already_queued' },
        { video_id: 'done', result: 'already_completed' },
        { video_id: 'nowhere', result: 'not_found' },
        { video_id: 'new', result: 'queued' },
      ],
    })
  })

  it('several videos can be queued on the channel’s page, which is shown again', async () => {
    const alice = await aliceWith('v1', 'v2', 'v3')
    const headers = { referer: 'http://localhost/channels/kitchen?q=v' }
    const answer = await ask('/downloads', { as: alice, form: { video_id: ['v1', 'v3'] }, headers })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/channels/kitchen?q=v'])
    expect(await jobsOf(alice)).toHaveLength(2)
  })

  it.each([
    [{ video_ids: [] }, 422],
    [{ video_ids: Array.from({ length: 501 }, (_, n) => `v${n}`) }, 422],
    [{ video_ids: 'v1' }, 422],
    [{}, 422],
    [[], 422],
  ])('a batch of %.40j is refused', async (json, status) => {
    const alice = await aliceWith('v1')
    const answer = await ask('/api/download/batch', { as: alice, json })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/problem+json'])
  })
})

describe('cancelling and deleting', () => {
  it('a queued download can be cancelled', async () => {
    const alice = await aliceWith('v1')
    await alice.library.downloads.request(['v1'])
    const answer = await ask('/api/download/v1', { as: alice, method: 'DELETE' })
    expect(await answer.json()).toMatchObject({ download_status: 'pending', queued: false })
    expect(await jobsOf(alice)).toHaveLength(0)
  })

  it('deleting a file keeps its video in the history', async () => {
    const alice = await aliceWith('v1')
    await onDisk(alice, 'v1')
    const answer = await ask('/downloads/v1/remove', { as: alice, method: 'POST', headers: { 'hx-request': 'true' } })
    expect(await answer.text()).toContain('action="/downloads/v1"')
    expect(await app.files.exists(`${alice.user.user_id}/kitchen/v1.mp4`)).toBe(false)
    expect(await alice.library.videos.find('v1')).toMatchObject({
      download_status: 'pending',
      download_path: null,
      file_size: null,
    })
  })
})

describe('a pin', () => {
  it('a video is pinned and unpinned by page, fragment and API', async () => {
    const alice = await alicesKitchen()
    await follows(alice, 'playlist', ['v1'])
    await has(alice, 'v1', 'a/kitchen/v1.mp4', 9)
    const pinned = async () =>
      (await sql`select pinned from video_entries where user_id = ${alice.user.user_id}`).map(row => row.pinned)

    const answer = await ask('/downloads/v1/pin', { as: alice, method: 'POST', headers: { 'hx-request': 'true' } })
    expect(await answer.text()).toMatch(/never deleted[\s\S]*action="\/downloads\/v1\/unpin"/)
    expect(await pinned()).toEqual([true, true])

    expect((await ask('/downloads/v1/unpin', { as: alice, method: 'POST' })).status).toBe(303)
    expect(await pinned()).toEqual([false, false])

    const json = await ask('/api/download/v1/pin', { as: alice, method: 'POST' })
    expect(await json.json()).toMatchObject({ video_id: 'v1', pinned: true, download_status: 'completed' })
    await ask('/api/download/v1/unpin', { as: alice, method: 'POST' })
    expect(await pinned()).toEqual([false, false])
  })
})
