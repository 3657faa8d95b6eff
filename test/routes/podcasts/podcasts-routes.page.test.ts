/** The page that makes a podcast. */
import { expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { breadKitchen, type Person, person } from '../../support/app/people.ts'

const { ask, sql, textAt } = useApp()

const textOf = async (as: Person, path: string) => textAt(path, { as })

it('makes a podcast of a channel, a group, a playlist or a list, and shows its address once', async () => {
  const alice = await breadKitchen(sql, 'alice')
  const { group_id } = await alice.library.groups.create('Food')
  const { playlist_id } = await alice.library.playlists.create('Loaves')
  for (const [query, name] of [
    ['channel_id=kitchen', 'Bread Kitchen'],
    [`group_id=${group_id}`, 'Food'],
    [`playlist_id=${playlist_id}`, 'Loaves'],
    ['list=later', 'Watch later'],
    ['', 'Everything on disk'],
  ] as const) {
    const page = await textOf(alice, `/podcasts/new?${query}`)
    expect(page).toContain(`<bdi>${name}</bdi>`)
    const [, field = '', value = ''] = /type="hidden" name="(\w+)" value="([^"]+)"/.exec(page) ?? []

    const made = await ask('/podcasts/new', { as: alice, form: { [field]: value, kind: 'audio', newest: '7' } })

    expect([made.status, made.headers.get('cache-control')]).toEqual([201, 'no-store'])
    expect(await made.text()).toMatch(/<textarea id="secret"[^>]*>http:\/\/[^<]+\/f\/[^/<]{22,}\/feed\.xml<\/textarea>/)
  }
  expect((await alice.library.podcasts.list()).map(({ title, kind, newest }) => [title, kind, newest])).toEqual(
    ['Bread Kitchen', 'Food', 'Loaves', 'Watch later', 'Everything on disk'].map(title => [title, 'audio', 7]),
  )
})

it.each([
  [{ newest: '0' }, 'Use a whole number from 1 to 500.'],
  [{ newest: '501' }, 'Use a whole number from 1 to 500.'],
  [{ newest: 'many' }, 'Use a whole number from 1 to 500.'],
  [{ kind: 'film' }, ''],
])('refuses %j, and shows what was typed again', async (wrong, sentence) => {
  const alice = await breadKitchen(sql, 'alice')
  const form = { channel_id: 'kitchen', kind: 'video', newest: '9', ...wrong }
  const refused = await ask('/podcasts/new', { as: alice, form })
  const page = await refused.text()
  expect(refused.status).toBe(422)
  expect(page).toContain(sentence)
  expect(page).toContain(`value="${form.newest}"`)
  expect(await alice.library.podcasts.list()).toEqual([])
})

it('makes none of what belongs to another person', async () => {
  const [alice, bob] = [await breadKitchen(sql, 'alice'), await person(sql, 'bob')]
  const form = { channel_id: 'kitchen', kind: 'video', newest: '9' }
  expect((await ask('/podcasts/new?channel_id=kitchen', { as: bob })).status).toBe(404)
  expect((await ask('/podcasts/new', { as: bob, form })).status).toBe(404)
  expect(await alice.library.podcasts.list()).toEqual([])
})
