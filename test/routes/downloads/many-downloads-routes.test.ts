/** Buttons for several downloads at once. */
import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { type Person, personWith } from '../../support/app/people.ts'

const app = useApp()
const { ask, sql, jsonAt, textAt } = app

const aliceWith = (...video_ids: string[]) => personWith(sql, 'alice', 'kitchen', video_ids)

const jobsOf = (owner: Person) => sql`
  select id, key, run_at from graphile_worker.jobs where key like ${`download:${owner.user.user_id}:%`}`

describe('failed downloads', () => {
  async function fails(owner: Person, video_id: string, next_attempt_at: Date | null = null) {
    const claim = crypto.randomUUID()
    await owner.library.downloads.request([video_id])
    await owner.library.downloads.start(video_id, claim)
    await owner.library.downloads.fail(video_id, claim, { download_error: 'It failed.', next_attempt_at })
  }
  const later = new Date(Date.now() + 60_000)

  it('retrying all failed downloads leaves out those that are retried anyway', async () => {
    const alice = await aliceWith('v1', 'v2', 'v3', 'v4')
    await fails(alice, 'v1')
    await fails(alice, 'v2')
    await fails(alice, 'v3', later)

    const answer = await ask('/api/download/retry-failed', { as: alice, method: 'POST' })

    expect(answer.status).toBe(202)
    const { results } = (await answer.json()) as { results: { video_id: string }[] }
    expect(results.toSorted((a, b) => a.video_id.localeCompare(b.video_id))).toEqual([
      { video_id: 'v1', result: 'queued' },
      { video_id: 'v2', result: 'queued' },
    ])
    expect(await alice.library.videos.find('v3')).toMatchObject({ download_status: 'failed', next_attempt_at: later })
    expect(await jsonAt('/api/download/retry-failed', { as: alice, method: 'POST' })).toEqual({
      results: [],
    })
  })

  it('the page offers to retry all failed downloads while there are any', async () => {
    const alice = await aliceWith('v1')
    await fails(alice, 'v1')
    expect(await textAt('/downloads', { as: alice })).toContain('action="/downloads/retry"')

    const answer = await ask('/downloads/retry', { as: alice, method: 'POST' })

    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/downloads'])
    expect(await alice.library.videos.find('v1')).toMatchObject({ download_status: 'pending', queued: true })
    expect(await textAt('/downloads', { as: alice })).not.toContain('action="/downloads/retry"')
  })

  it('a cancelled download is not retried', async () => {
    const alice = await aliceWith('v1')
    await fails(alice, 'v1', later)
    const answer = await ask('/api/download/v1', { as: alice, method: 'DELETE' })
    expect(await answer.json()).toMatchObject({ download_status: 'pending', queued: false, next_attempt_at: null })
    expect(await jobsOf(alice)).toHaveLength(0)
  })
})
