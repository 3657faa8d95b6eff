/** The page of the history. */
import { expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { type Person, person, personWith } from '../../support/app/people.ts'
import { flashOf } from '../../support/app/sign-in.ts'

const { ask, sql, textAt } = useApp()

const textOf = async (as: Person, path = '/history') => textAt(path, { as })
const titlesIn = (page: string) => [...page.matchAll(/Video (\w+)<\/a>/g)].map(([, id]) => id)
const idsIn = async ({ library }: Person) =>
  (await library.watched.list({ limit: 9 })).entries.map(({ video_id }) => video_id)

async function withHistory() {
  const alice = await personWith(sql, 'alice', 'bread', ['b1', 'b2', 'b3'])
  for (const id of ['b1', 'b2', 'b3']) await alice.library.viewings.record(id, { seen: true })
  await sql`
    update viewings set seen_at = now() - interval '1 day'
    where  user_id = ${alice.user.user_id} and video_id = 'b1'`
  return alice
}

it('shows what was watched under its days, and searches it', async () => {
  const alice = await withHistory()
  const page = await textOf(alice)
  expect(titlesIn(page)).toEqual(['b3', 'b2', 'b1'])
  expect(page).toMatch(/<h2 class="day">Today<.*Video b2.*<h2 class="day">Yesterday<.*Video b1/s)
  expect(titlesIn(await textOf(alice, '/history?q=b2'))).toEqual(['b2'])
  expect(await textOf(alice, '/history?q=zzzz')).toContain('No video matches.')
  expect(await textOf(await person(sql, 'bob'))).toContain('Nothing watched yet.')
})

it('removes one video, and brings it back', async () => {
  const alice = await withHistory()
  const removed = await ask('/history/remove', { as: alice, form: { video_id: 'b2' } })
  expect(await idsIn(alice)).toEqual(['b3', 'b1'])
  const { undo } = flashOf(removed)
  await ask('/history/restore', { as: alice, form: { forgotten_at: undo.forgotten_at } })
  expect(await idsIn(alice)).toEqual(['b3', 'b2', 'b1'])
  expect((await ask('/history/remove', { as: alice, form: { video_id: 'gone' } })).status).toBe(404)
})

it('the menu of a video in the history removes it, and nowhere else', async () => {
  const alice = await withHistory()
  const menuOn = async (referer: string) =>
    textAt('/videos/b2/menu', { as: alice, headers: { 'hx-request': 'true', referer } })
  expect(await menuOn('http://localhost/history?q=b2')).toContain('action="/history/remove"')
  expect(await menuOn('http://localhost/')).not.toContain('Remove from')
  expect(await menuOn('http://elsewhere.example/history')).not.toContain('Remove from')
})

it('clears all of it, brings it back, and leaves the marks', async () => {
  const alice = await withHistory()
  const cleared = await ask('/history/clear', { as: alice, method: 'POST' })
  expect(await idsIn(alice)).toEqual([])
  expect((await alice.library.videos.find('b2'))?.seen_at).not.toBe(null)
  await ask('/history/restore', { as: alice, form: { forgotten_at: flashOf(cleared).undo.forgotten_at } })
  expect(await idsIn(alice)).toEqual(['b3', 'b2', 'b1'])
  const bob = await person(sql, 'bob')
  expect(flashOf(await ask('/history/clear', { as: bob, method: 'POST' })).text).toContain('empty already')
})
