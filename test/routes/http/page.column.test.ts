/** The column of groups and channels beside the pages. */
import { expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { entry, follows, type Person, person, personWith } from '../../support/app/people.ts'

const { ask, sql, textAt } = useApp()

const opened = { cookie: 'channels=open' }
const columnOf = async (as: Person, path: string, headers: Record<string, string> = opened) =>
  (await textAt(path, { as, headers })).match(/<nav class="library-column".*?<\/nav>/s)?.[0]
const namesIn = (column: string | undefined) =>
  [...(column ?? '').matchAll(/class="name">(.*?)<\/(?:bdi|span)>/g)].map(([, name]) => name)
const hereIn = (column: string | undefined) =>
  [...(column ?? '').matchAll(/href="([^"]*)" aria-current="page"/g)].map(([, href]) => href)

it('names the groups, and the channels with the newest video first, with what is unwatched', async () => {
  const alice = await personWith(sql, 'alice', 'bread', ['b1', 'b2'])
  await alice.library.channels.save({ channel_id: 'tea', title: 'Tea', rss_url: 'https://videos.example/tea.xml' }, [
    entry('t1', { published_at: new Date('2026-06-01') }),
  ])
  await follows(alice, 'none', [])
  const { group_id } = await alice.library.groups.create('Food')
  await alice.library.groups.addChannels(group_id, ['bread', 'tea'])
  await alice.library.viewings.record('b1', { seen: true })
  await personWith(sql, 'bob', 'his', ['h1'])

  const column = await columnOf(alice, '/')
  const channels = ['Tea', 'Channel bread', 'Channel none']
  expect(namesIn(column)).toEqual(['Watch later', 'History', 'Playlists', 'Channels', ...channels, 'Food', 'New group'])
  expect([...(column ?? '').matchAll(/class="amount">(\d+)/g)].map(([, count]) => count)).toEqual(['1', '1', '2'])
})

it('is read when the fold opens, with the same mark, and leads to all channels until then', async () => {
  const alice = await personWith(sql, 'alice', 'bread', ['b1'])
  const closed = await columnOf(alice, '/channels/bread', {})
  expect(namesIn(closed)).toEqual(['Watch later', 'History', 'Playlists', 'Channels', 'All channels', 'New group'])
  const [, path = ''] = /hx-get="(\/groups\/column.*?)"/.exec(closed ?? '') ?? []
  const fold = await ask(path, { as: alice, headers: { 'HX-Request': 'true' } })
  expect(await columnOf(alice, '/channels/bread')).toContain(await fold.text())
  expect((await ask(path, { as: alice })).headers.get('location')).toBe('/channels')
})

it('marks the page that is shown', async () => {
  const alice = await personWith(sql, 'alice', 'bread', ['b1'])
  expect(hereIn(await columnOf(alice, '/'))).toEqual([])
  expect(hereIn(await columnOf(alice, '/?later=true'))).toEqual(['/?later=true'])
  expect(hereIn(await columnOf(alice, '/?dismissed=true'))).toEqual([])
  expect(hereIn(await columnOf(alice, '/channels/bread'))).toEqual(['/channels/bread'])
})

it('has at most 40 channels', async () => {
  const alice = await person(sql, 'alice')
  for (let at = 0; at < 42; at++) await follows(alice, `c${at}`, [])
  expect(namesIn(await columnOf(alice, '/'))).toHaveLength(4 + 40 + 1)
})

it('is left out for a person who follows nothing, and of fragments', async () => {
  const [alice, newcomer] = [await personWith(sql, 'alice', 'bread', ['b1']), await person(sql, 'newcomer')]
  expect(await columnOf(newcomer, '/')).toBeUndefined()
  expect(await columnOf(alice, '/', { ...opened, 'HX-Request': 'true' })).toBeUndefined()
})

it('is in the document after the content, and its fold is as the browser left it', async () => {
  const alice = await personWith(sql, 'alice', 'bread', ['b1'])
  const page = async (Cookie: string) => textAt('/', { headers: { Cookie } })
  const [closed, open] = [await page(alice.cookie), await page(`${alice.cookie}; channels=open`)]
  expect(closed.indexOf('class="library-column"')).toBeGreaterThan(closed.indexOf('</main>'))
  expect(closed).toMatch(/<nav class="library-column".*<details hx-get[^>]*><summary>/s)
  expect(open).toMatch(/<nav class="library-column".*<details open="">/s)
})
