/** Disk space: what takes it, and deleting what was watched long ago, by page and API. */
import { describe, expect, it } from 'vitest'
import { deleteWatched } from '../../../src/domain/downloads/space.ts'
import { useApp } from '../../support/app/app.ts'
import { onDisk } from '../../support/app/files.ts'
import { entry, follows, has, type Person, person } from '../../support/app/people.ts'
import { flashOf } from '../../support/app/sign-in.ts'

const app = useApp({ USER_QUOTA_GB: 1 })
const { ask, sql, jsonAt, textAt } = app

type Watched = { files: number; bytes: number; pinned: number; only_copies: number }
type Shown = {
  files: number
  on_disk_bytes: number
  quota_bytes: number
  free_bytes: number
  channels: { channel_id: string; files: number; bytes: number }[]
  watched: Record<'7' | '30' | '90', Watched>
}
const space = async (as: Person) => (await jsonAt('/api/space', { as })) as Shown

/** Five files of 10 bytes in the kitchen, one of 30 in films. */
async function alice() {
  const made = await person(sql, 'alice')
  await follows(made, 'kitchen', ['old', 'older', 'recent', 'unwatched', 'pinned'])
  await follows(made, 'films', [entry('lost', { availability: 'removed' })], { title: 'Films' })
  for (const id of ['old', 'older', 'recent', 'unwatched', 'pinned'])
    await onDisk(app.folder, made, id, '0123456789', 'kitchen')
  await onDisk(app.folder, made, 'lost', '0123456789'.repeat(3), 'films')
  await made.library.rules.pin('pinned', true)
  const watched = { old: 40, older: 100, recent: 3, pinned: 100, lost: 100 }
  for (const [video_id, days] of Object.entries(watched)) {
    await made.library.viewings.record(video_id, { seen: true })
    await sql`
      update viewings
      set    seen_at = now() - ${days} * interval '1 day', watched_at = null
      where  user_id = ${made.user.user_id} and video_id = ${video_id}`
  }
  return made
}

const left = async ({ library }: Person) => (await library.videos.idsOnShelf('done', 100)).toSorted()

describe('what takes space', () => {
  it('channels are listed by the size of their files, a video of two channels once', async () => {
    const her = await alice()
    await follows(her, 'best', ['old'])

    const { files, on_disk_bytes, quota_bytes, free_bytes, channels } = await space(her)

    expect({ files, on_disk_bytes, quota_bytes }).toEqual({ files: 6, on_disk_bytes: 80, quota_bytes: 1e9 })
    expect(free_bytes).toBeGreaterThan(0)
    expect(channels.map(({ channel_id, files, bytes }) => [channel_id, files, bytes])).toEqual([
      ['kitchen', 5, 50],
      ['films', 1, 30],
    ])
    const page = await textAt('/space', { as: her })
    expect(page).toContain('80 bytes of 1.0 GB used by 6 files')
    expect(page).toContain('href="/channels/kitchen?status=completed&amp;sort=largest"')
    expect(page.indexOf('value="lost"')).toBeLessThan(page.indexOf('value="pinned"'))
  })

  it('the page has the largest 40 channels, the number and size of the others, and a link to all', async () => {
    const her = await person(sql, 'alice')
    for (let nth = 0; nth < 42; nth++) {
      await follows(her, `c${nth}`, [`v${nth}`])
      await has(her, `v${nth}`, `x/v${nth}.mp4`, nth === 7 ? 1 : 1000)
    }
    const page = async (path: string) => textAt(path, { as: her })
    expect(await page('/space')).toContain('2 more channels, 1.0 KB.')
    expect(await page('/space')).not.toContain('href="/channels/c7?')
    expect(await page('/space?all=1')).toContain('href="/channels/c7?')
  })

  it('bob sees nothing of it, and deletes nothing of it', async () => {
    const her = await alice()
    const bob = await person(sql, 'bob')
    expect(await space(bob)).toMatchObject({ files: 0, on_disk_bytes: 0, channels: [], watched: { 7: { files: 0 } } })
    expect(await textAt('/space', { as: bob })).toContain('The videos that you download take space here.')
    await ask('/api/space/delete-watched', { as: bob, json: { older_than_days: 7 } })
    expect(await left(her)).toHaveLength(6)
  })
})

describe('deleting the largest files', () => {
  const remove = (as: Person, form: Record<string, string | string[]>) => ask('/downloads/remove', { as, form })

  it('goes back to the page it came from, after the question and after Cancel', async () => {
    const her = await alice()
    const page = await textAt('/space', { as: her })
    const [form] = page.match(/<form[^>]*action="\/downloads\/remove".*?<\/form>/s) ?? []
    expect(form).toContain('<input type="hidden" name="from" value="space"/>')

    const question = await (await remove(her, { video_id: 'lost', from: 'space' })).text()
    expect(question).toContain('<input type="hidden" name="from" value="space"/>')
    expect(question).toMatch(/href="\/space"[^>]*>\s*Cancel/)

    const deleted = await remove(her, { video_id: 'lost', from: 'space', confirmed: 'on' })
    expect([deleted.status, deleted.headers.get('location')]).toEqual([303, '/space'])
  })

  it('an address is no page to go back to', async () => {
    const her = await alice()
    const form = { video_id: 'lost', confirmed: 'on' }
    expect((await remove(her, { ...form, from: 'https://elsewhere.example/' })).status).toBe(422)
    expect((await remove(her, form)).headers.get('location')).toBe('/downloads')
  })
})

describe('deleting the files of a channel', () => {
  const path = '/space/channels/kitchen/delete'

  it('asks with their number and size, says what stays, and Undo brings them back', async () => {
    const her = await alice()
    await sql`update video_entries set availability = 'private' where video_id = 'old'`
    expect(await textAt('/space', { as: her })).toContain(`href="${path}"`)

    const question = await textAt(path, { as: her })
    expect(question).toMatch(/Delete 4 files of <bdi>[^<]*<\/bdi> \(40 bytes\)\?/)
    expect(question).toContain('This is the only copy of 1 video.')
    expect(question).toContain('1 video marked “Never delete” stays.')
    expect(await left(her)).toHaveLength(6)

    const answer = await ask(path, { as: her, method: 'POST' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/space'])
    expect(await left(her)).toEqual(['lost', 'pinned'])
    const { text, undo } = flashOf(answer)
    expect(text).toBe('4 files deleted (40 bytes).')
    await ask('/downloads/restore', { as: her, form: { deleted_at: undo.deleted_at } })
    expect(await left(her)).toHaveLength(6)
  })

  it('with pinned files only, there is nothing to delete', async () => {
    const her = await alice()
    await ask(path, { as: her, method: 'POST' })
    expect(await textAt(path, { as: her })).toMatch(
      /Nothing to delete of <bdi>.*1 video marked “Never delete” stays\./s,
    )
    expect(flashOf(await ask(path, { as: her, method: 'POST' })).text).toBe('Nothing left to delete.')
  })

  it('a video of two channels goes with the one that it counts for', async () => {
    const her = await alice()
    await follows(her, 'best', ['old'])
    expect(await textAt('/space/channels/best/delete', { as: her })).toContain('Nothing to delete of')
  })

  it('the channel of another person is not there', async () => {
    const her = await alice()
    const bob = await person(sql, 'bob')
    for (const method of ['GET', 'POST']) expect((await ask(path, { as: bob, method })).status).toBe(404)
    expect(await left(her)).toHaveLength(6)
  })
})

describe('deleting what was watched long ago', () => {
  it('the figures leave out what is pinned, unwatched or has no other copy', async () => {
    const { watched } = await space(await alice())
    expect(watched).toEqual({
      7: { files: 2, bytes: 20, pinned: 1, only_copies: 1 },
      30: { files: 2, bytes: 20, pinned: 1, only_copies: 1 },
      90: { files: 1, bytes: 10, pinned: 1, only_copies: 1 },
    })
  })

  it('one button deletes them and says so before and after, and Undo brings them back', async () => {
    const her = await alice()
    const page = await textAt('/space', { as: her })
    expect(page).toMatch(/Delete 2 watched videos, 20 bytes/)
    expect(page).toContain('1 video marked “Never delete” and 1 video without another copy stay.')
    expect(page).toContain(' · never deleted')

    const answer = await ask('/space/delete-watched', { as: her, form: { older_than_days: '30' } })

    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/space'])
    expect(await left(her)).toEqual(['lost', 'pinned', 'recent', 'unwatched'])
    const { text, undo } = flashOf(answer)
    expect(text).toBe('2 files deleted (20 bytes).')
    await ask('/downloads/restore', { as: her, form: { deleted_at: undo.deleted_at } })
    expect(await left(her)).toHaveLength(6)
  })

  it('the number of days decides, and only 7, 30 and 90 are taken', async () => {
    const her = await alice()
    const answer = await ask('/api/space/delete-watched', { as: her, json: { older_than_days: 90 } })
    expect(await answer.json()).toEqual({ files: 1, bytes: 10, left: 0 })
    expect(await left(her)).not.toContain('older')
    expect((await ask('/api/space/delete-watched', { as: her, json: { older_than_days: 1 } })).status).toBe(422)
    expect(await textAt('/space?days=1', { as: her })).toContain('<summary>30 days')
  })

  it('a file that is pinned, played again or unwatched meanwhile stays', async () => {
    const her = await alice()
    const list = her.library.space.watchedFiles
    her.library.space.watchedFiles = async (...how) => {
      const files = await list(...how)
      await her.library.rules.pin('older', true)
      await her.library.viewings.record('old', { seen: false })
      return files
    }
    expect(
      await deleteWatched(her.library, { files: app.files, bin: { hours: 24, quota_bytes: 0 } }, 30),
    ).toMatchObject({ files: 0 })
    expect(await left(her)).toHaveLength(6)
  })
})
