/** The messages of a download's buttons, and undo. */
import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { has, type Person, person, personWith } from '../../support/app/people.ts'
import { flashOf } from '../../support/app/sign-in.ts'

const app = useApp()
const { ask, sql, textAt } = app

const alice = (video_ids = ['a', 'b', 'c']) => personWith(sql, 'alice', 'slow', video_ids)

const htmx = { 'hx-request': 'true' }

describe('cancelling', () => {
  it('cancelling offers an undo, as page and to htmx', async () => {
    const she = await alice()
    await she.library.downloads.request(['a', 'b'])
    const page = await ask('/downloads/a/cancel', { as: she, method: 'POST' })
    const fragment = await ask('/downloads/b/cancel', { as: she, method: 'POST', headers: htmx })
    expect(flashOf(page)).toEqual({ kind: 'done', text: 'Cancelled.', undo: { do: 'download', video_id: 'a' } })
    expect(await fragment.text()).toMatch(/Cancelled\..*action="\/downloads\/b"/s)
  })

  it('a plain form is told that a video is queued', async () => {
    const she = await alice()
    const page = await ask('/downloads/a', { as: she, method: 'POST' })
    const fragment = await ask('/downloads/b', { as: she, method: 'POST', headers: htmx })
    expect(flashOf(page)).toEqual({ kind: 'done', text: '1 video queued.' })
    expect(await fragment.text()).not.toContain('#flash')
  })

  it('removing a failed download from the list offers another try', async () => {
    const she = await alice()
    const claim = crypto.randomUUID()
    await she.library.downloads.request(['a'])
    await she.library.downloads.start('a', claim)
    await she.library.downloads.fail('a', claim, { download_error: 'It failed.', next_attempt_at: null })
    const page = await ask('/downloads/a/cancel', { as: she, method: 'POST' })
    expect(flashOf(page)).toEqual({
      kind: 'done',
      text: 'Removed from the list.',
      undo: { do: 'try_again', video_id: 'a' },
    })
  })

  it('cancelling after the download finished keeps the file', async () => {
    const she = await alice()
    await has(she, 'a', `${she.user.user_id}/slow/a.mp4`, 9)
    const page = await ask('/downloads/a/cancel', { as: she, method: 'POST' })
    expect(flashOf(page).text).toContain('The file is on disk.')
    expect(await she.library.videos.find('a')).toMatchObject({ download_status: 'completed', file_size: 9 })
  })

  it('cancelling another user’s download changes nothing', async () => {
    const she = await alice()
    await she.library.downloads.request(['a'])
    const bob = await person(sql, 'bob')
    expect((await ask('/downloads/a/cancel', { as: bob, method: 'POST' })).status).toBe(404)
    expect(await she.library.videos.find('a')).toMatchObject({ queued: true })
  })
})

describe('cancelling all that is queued', () => {
  const cancelAll = (as: Person) => ask('/downloads/cancel', { as, form: { all: 'waiting' } })
  const queueAgain = (as: Person, cancelled_at: string) => ask('/downloads/queue-again', { as, form: { cancelled_at } })
  const queued = async ({ library }: Person) => (await library.videos.idsOnShelf('waiting', 9)).toSorted()

  it('Undo queues the same videos again, and none that was cancelled before', async () => {
    const she = await alice()
    await she.library.downloads.request(['a', 'b', 'c'])
    await ask('/downloads/c/cancel', { as: she, method: 'POST' })

    const { text, undo } = flashOf(await cancelAll(she))
    expect(text).toBe('2 cancelled.')
    expect(await queued(she)).toEqual([])

    expect(flashOf(await queueAgain(she, undo.cancelled_at)).text).toBe('2 videos queued.')
    expect(await queued(she)).toEqual(['a', 'b'])
    expect(flashOf(await queueAgain(she, undo.cancelled_at)).text).toBe('No new videos to download.')
  })

  it("Undo requests a rule's downloads for the rule again, which may delete their files later", async () => {
    const she = await alice()
    await she.library.downloads.request(['a'])
    await she.library.downloads.request(['b'], 'rule')
    const { undo } = flashOf(await cancelAll(she))
    await queueAgain(she, undo.cancelled_at)
    const requesters = await sql`
      select video_id, download_asked_by, download_by_rule
      from   video_entries
      where  user_id = ${she.user.user_id} and standing = 'waiting'
      order by video_id`
    expect(requesters).toEqual([
      { video_id: 'a', download_asked_by: 'person', download_by_rule: false },
      { video_id: 'b', download_asked_by: 'rule', download_by_rule: true },
    ])
  })

  it('what was requested and cancelled again since stays cancelled', async () => {
    const she = await alice()
    await she.library.downloads.request(['a', 'b'])
    const { undo } = flashOf(await cancelAll(she))
    await she.library.downloads.request(['a'])
    await ask('/downloads/a/cancel', { as: she, method: 'POST' })
    await queueAgain(she, undo.cancelled_at)
    expect(await queued(she)).toEqual(['b'])
  })

  it('nothing was queued, so there is nothing to undo; and bob undoes nothing of hers', async () => {
    const she = await alice()
    expect(flashOf(await cancelAll(she)).undo).toBeUndefined()
    await she.library.downloads.request(['a'])
    const { undo } = flashOf(await cancelAll(she))
    await queueAgain(await person(sql, 'bob'), undo.cancelled_at)
    expect(await queued(she)).toEqual([])
  })
})

describe('a file', () => {
  it('deleting a file says how long it can be restored, and offers to restore it', async () => {
    const she = await alice()
    await has(she, 'a', `${she.user.user_id}/slow/a.mp4`, 2_100_000)
    const answer = await ask('/downloads/a/remove', { as: she, method: 'POST' })
    expect(flashOf(answer)).toEqual({
      kind: 'done',
      text: 'Deleted (2.1 MB). You can restore the file for 24 hours.',
      undo: { do: 'restore', video_id: 'a' },
    })
  })

  it('the only copy can be restored too', async () => {
    const she = await alice()
    await has(she, 'a', `${she.user.user_id}/slow/a.mp4`, 2_100_000)
    await sql`update video_entries set availability = 'removed' where user_id = ${she.user.user_id}`
    const answer = await ask('/downloads/a/remove', { as: she, method: 'POST' })
    expect(flashOf(answer)).toMatchObject({ kind: 'done', undo: { do: 'restore', video_id: 'a' } })
  })

  it('before the only copy is deleted, a question says that it is the only copy', async () => {
    const she = await alice()
    await has(she, 'a', `${she.user.user_id}/slow/a.mp4`, 2_100_000)
    await sql`update video_entries set availability = 'removed' where user_id = ${she.user.user_id}`
    expect(await textAt('/downloads/remove', { as: she, form: { video_id: 'a' } })).toContain('This is the only copy')
    expect((await she.library.videos.find('a'))?.download_status).toBe('completed')
  })

  it.each([
    ['pin', 'unpin', true],
    ['unpin', 'pin', false],
  ] as const)('the button %s of a file offers an undo, by page and by htmx', async (act, undo, pinned) => {
    const she = await alice()
    await has(she, 'a', `${she.user.user_id}/slow/a.mp4`, 9)
    const page = await ask(`/downloads/a/${act}`, { as: she, method: 'POST' })
    const fragment = await ask(`/downloads/a/${act}`, { as: she, method: 'POST', headers: htmx })
    expect(flashOf(page).undo).toEqual({ do: undo, video_id: 'a' })
    expect(await fragment.text()).toMatch(new RegExp(`hx-target="#file".*action="/downloads/a/${undo}"`, 's'))
    expect((await she.library.videos.find('a'))?.pinned).toBe(pinned)
  })
})
