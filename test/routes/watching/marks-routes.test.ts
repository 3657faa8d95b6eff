/** The buttons Watch later and Hide, and those for several selected videos. */
import { expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { type Person, person, personWith, viewing } from '../../support/app/people.ts'
import { flashOf } from '../../support/app/sign-in.ts'

const { ask, sql, textAt } = useApp()

const press = (as: Person, path: string, form: Record<string, string | string[]> = {}) =>
  ask(`/videos/${path}`, { as, form, headers: { referer: 'http://localhost/?watched=false' } })
const choose = (as: Person, act: string, video_id: string[]) => press(as, 'chosen', { act, video_id })
const page = async (as: Person, path: string) => textAt(path, { as })
const idsOf = async ({ library }: Person, filter: object) =>
  (await library.videos.listed({ limit: 50, ...filter })).entries.map(({ video_id }) => video_id).toSorted()

it('a press on Watch later goes back to the page, with Undo', async () => {
  const alice = await personWith(sql, 'alice', 'bread', ['a', 'b'])
  const answer = await press(alice, 'a/later')
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/?watched=false'])
  expect(flashOf(answer)).toMatchObject({ text: 'Added to Watch later.', undo: { do: 'not_later', video_id: 'a' } })
  expect(await idsOf(alice, { later: true })).toEqual(['a'])
  await press(alice, 'a/later/remove')
  expect(await idsOf(alice, { later: true })).toEqual([])
})

it('htmx gets both buttons as they are now', async () => {
  const alice = await personWith(sql, 'alice', 'bread', ['a'])
  await press(alice, 'a/later')
  const headers = { 'hx-request': 'true' }
  const text = await textAt('/videos/a/dismissed', { as: alice, form: {}, headers })
  for (const words of ['action="/videos/a/later"', 'action="/videos/a/dismissed/remove"', 'Hidden.'])
    expect(text).toContain(words)
})

it('undoing a dismissal shows a video again, and puts it back on Watch later if it was there', async () => {
  const alice = await personWith(sql, 'alice', 'bread', ['a', 'b'])
  await press(alice, 'a/later')
  expect(flashOf(await press(alice, 'a/dismissed'))?.undo).toEqual({ do: 'undismiss', video_id: 'a' })
  await press(alice, 'b/dismissed')
  expect(await idsOf(alice, { dismissed: true })).toEqual(['a', 'b'])

  const shown_again = flashOf(await press(alice, 'a/dismissed/remove'))
  expect(shown_again?.text).toBe('Shown again, on Watch later.')
  expect(flashOf(await press(alice, 'b/dismissed/remove'))?.text).toBe('Shown again.')
  expect(await idsOf(alice, { dismissed: true })).toEqual([])
  expect(await idsOf(alice, { later: true })).toEqual(['a'])
})

it('New shows a dismissed video only in the list of these, and Watch later only what is on it', async () => {
  const alice = await personWith(sql, 'alice', 'bread', ['a', 'b', 'c'])
  await press(alice, 'a/later')
  await press(alice, 'b/dismissed')
  const shown = async (query: string) => {
    const text = await textAt(`/${query}`, { as: alice })
    return [...text.matchAll(/id="title-(\w+)"/g)].map(([, id]) => id).toSorted()
  }
  expect(await shown('')).toEqual(['a', 'c'])
  expect(await shown('?later=true')).toEqual(['a'])
  expect(await shown('?dismissed=true')).toEqual(['b'])
  expect(await textAt('/?later=true', { as: alice })).not.toContain('Mark all as watched')
})

it('several videos are put on a list together, and taken off it by Undo', async () => {
  const alice = await personWith(sql, 'alice', 'bread', ['a', 'b', 'c'])
  await alice.library.viewings.record('c', { later: true })
  for (const [list, words] of [
    ['later', 'added to Watch later'],
    ['dismissed', 'hidden'],
  ] as const) {
    const flash = flashOf(await choose(alice, list, ['a', 'b', 'nope']))
    expect(flash).toMatchObject({ text: `2 videos ${words}.`, undo: { do: 'unmark_all', list } })
    const marked_at = flash?.undo?.do === 'unmark_all' ? flash.undo.marked_at : ''
    expect(await idsOf(alice, { [list]: true })).toEqual(expect.arrayContaining(['a', 'b']))
    await press(alice, `${list}/remove`, { marked_at })
    expect(await idsOf(alice, { [list]: true })).not.toContain('a')
  }
  expect(await idsOf(alice, { later: true })).toEqual(['c'])
})

it('Undo of several dismissals puts those back on Watch later that were there', async () => {
  const alice = await personWith(sql, 'alice', 'bread', ['a', 'b'])
  await press(alice, 'a/later')
  const flash = flashOf(await choose(alice, 'dismissed', ['a', 'b']))
  expect(await idsOf(alice, { later: true })).toEqual([])
  await press(alice, 'dismissed/remove', { marked_at: flash?.undo?.do === 'unmark_all' ? flash.undo.marked_at : '' })
  expect(await idsOf(alice, { later: true })).toEqual(['a'])
  expect(await idsOf(alice, { dismissed: true })).toEqual([])
})

it('several videos are taken off Watch later, and shown again', async () => {
  const alice = await personWith(sql, 'alice', 'bread', ['a', 'b', 'c'])
  await choose(alice, 'later', ['a', 'b'])
  await choose(alice, 'dismissed', ['c'])
  expect(await page(alice, '/?later=true&select=1')).toContain('value="not_later"')
  expect(await page(alice, '/?dismissed=true&select=1')).toContain('value="not_dismissed"')
  expect(await page(alice, '/?seen=true&select=1')).toContain('value="unseen"')

  expect(flashOf(await choose(alice, 'not_later', ['a']))?.text).toBe('1 video removed from Watch later.')
  expect(flashOf(await choose(alice, 'not_dismissed', ['c']))?.text).toBe('1 video shown again.')
  expect(await idsOf(alice, { later: true })).toEqual(['b'])
  expect(await idsOf(alice, { dismissed: true })).toEqual([])
})

it('several videos are marked as watched and as unwatched', async () => {
  const alice = await personWith(sql, 'alice', 'bread', ['a', 'b', 'c'])
  expect(flashOf(await choose(alice, 'seen', ['a', 'b']))).toMatchObject({
    text: '2 videos marked as watched.',
    undo: { do: 'unsee_all' },
  })
  expect(flashOf(await choose(alice, 'unseen', ['a', 'c']))?.text).toBe('1 video marked as unwatched.')
  expect(flashOf(await choose(alice, 'seen', ['b']))).toEqual({
    kind: 'problem',
    text: 'What you selected is marked as watched already.',
  })
  expect([await viewing(alice, 'a'), await viewing(alice, 'b')]).toMatchObject([{ seen: false }, { seen: true }])
  expect(flashOf(await choose(alice, 'later', []))).toMatchObject({ kind: 'problem' })
})

it('videos of another person are left as they are', async () => {
  const [alice, bob] = [await personWith(sql, 'alice', 'bread', ['a']), await person(sql, 'bob')]
  for (const act of ['seen', 'unseen', 'later', 'not_later', 'dismissed', 'not_dismissed'])
    expect(flashOf(await choose(bob, act, ['a']))?.text).toMatch(/^(What you selected is|No new videos)/)
  expect(await idsOf(alice, { later: false, dismissed: false, seen: false })).toEqual(['a'])
})
