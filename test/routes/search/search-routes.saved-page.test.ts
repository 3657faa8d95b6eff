/** Saved searches on the search page and in the column. */
import { describe, expect } from 'vitest'
import { useApp, withPeople } from '../../support/app/app.ts'
import { type Person, person, personWith } from '../../support/app/people.ts'
import { flashOf } from '../../support/app/sign-in.ts'

const app = useApp()
const { ask, sql, textAt } = app
const it = withPeople(app)

/** The page for a person who has the fold of the column open. */
const textOf = async (as: Person, path: string) => textAt(path, { as, headers: { cookie: 'channels=open' } })
const send = (as: Person, path: string, form: Record<string, string> = {}) => ask(path, { as, form })
const save = (as: Person, name: string, q = 'bread') => as.library.searches.create({ name, q, sort: 'newest' })
const namesOf = async ({ library }: Person) => (await library.searches.list()).map(({ name }) => name)
const columnIn = (page: string) => page.match(/<nav class="library-column".*?<\/nav>/s)?.[0] ?? ''

describe('the search page', () => {
  it('saves the search that is shown, under the name that is offered', async () => {
    const [alice, bob] = [await personWith(sql, 'alice', 'bread', ['b1']), await person(sql, 'bob')]
    const page = await textOf(alice, '/search?q=rye+bread&sort=newest')
    expect(page).toMatch(/name="q" value="rye bread"\/?><input type="hidden" name="sort" value="newest"/)
    expect(page).toMatch(/name="name" type="text" value="rye bread"/)

    const form = { name: ' Rye ', q: 'rye bread', sort: 'newest' }
    const saved = await send(alice, '/searches', form)
    expect([saved.status, saved.headers.get('location')]).toEqual([303, '/search?q=rye+bread&sort=newest'])
    expect(flashOf(saved).text).toBe('Saved the search Rye.')
    expect(await alice.library.searches.list()).toMatchObject([{ name: 'Rye', q: 'rye bread', sort: 'newest' }])
    expect(await namesOf(bob)).toEqual([])
  })

  it('names the saved search when exactly this one is shown', async ({ alice }) => {
    await save(alice, 'Fresh bread')
    expect(await textOf(alice, '/search?q=bread&sort=newest')).toMatch(/Saved as <bdi>Fresh bread<\/bdi>.*Remove /s)
    for (const other of ['/search?q=bread', '/search?q=breads&sort=newest'])
      expect(await textOf(alice, other)).toMatch(/Save this search/)
    expect(await textOf(await person(sql, 'bob'), '/search?q=bread&sort=newest')).toContain('Save this search')
  })

  it('does not offer to save a search of which nothing is understood, and refuses it with the hint', async () => {
    const alice = await person(sql, 'alice')
    for (const q of ['is:x', 'before:soon longer:x'])
      expect(await textOf(alice, `/search?q=${q}`)).not.toContain('Save this search')
    expect(await textOf(alice, '/search?q=is:x+rye')).toContain('Save this search')
    const refused = await send(alice, '/searches', { name: 'Tea', q: 'is:x', sort: 'newest' })
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('Use is: with')])
    expect(await namesOf(alice)).toEqual([])
  })

  it('lists what is saved while nothing is searched for', async ({ alice }) => {
    expect(await textOf(alice, '/search')).not.toContain('Saved searches')
    await save(alice, 'Tea', 'tea')
    await save(alice, 'bread')
    expect(await textOf(alice, '/search')).toMatch(
      /Saved searches.*href="\/search\?q=bread&amp;sort=newest".*href="\/search\?q=tea&amp;sort=newest"/s,
    )
    expect(await textOf(await person(sql, 'bob'), '/search')).not.toContain('Saved searches')
  })

  it.each([
    ['', 'Enter a name.'],
    ['TEA', 'You have a saved search with this name.'],
    ['x'.repeat(61), 'Use at most 60 characters.'],
  ])('refuses the name "%s", and shows it again above the results', async (name, sentence) => {
    const alice = await personWith(sql, 'alice', 'bread', ['b1'])
    await save(alice, 'Tea', 'tea')
    const refused = await send(alice, '/searches', { name, q: 'video', sort: 'newest' })
    expect([409, 422]).toContain(refused.status)
    const page = await refused.text()
    for (const part of [sentence, `value="${name}"`, 'href="/watch/b1', '<details class="menu" open'])
      expect(page).toContain(part)
    expect(await namesOf(alice)).toEqual(['Tea'])
  })

  it('renames a saved search, and shows a refused name again', async ({ alice }) => {
    const { saved_search_id } = await save(alice, 'Bread')
    await save(alice, 'Tea', 'tea')
    const refused = await send(alice, `/searches/${saved_search_id}`, { name: 'tea' })
    expect(refused.status).toBe(409)
    expect(await refused.text()).toMatch(/Saved as <bdi>Bread<.*value="tea".*You have a saved search with this name/s)

    const renamed = await send(alice, `/searches/${saved_search_id}`, { name: 'Rolls' })
    expect([renamed.status, renamed.headers.get('location')]).toEqual([303, '/search?q=bread&sort=newest'])
    expect(await namesOf(alice)).toEqual(['Rolls', 'Tea'])
  })

  it('shows all names under which a search is saved, each with its own form', async ({ alice }) => {
    const [fresh, rolls] = [await save(alice, 'Fresh bread'), await save(alice, 'Rolls')]
    const page = await textOf(alice, '/search?q=bread&sort=newest')
    for (const { saved_search_id, name } of [fresh, rolls]) {
      expect(page).toContain(`Saved as <bdi>${name}</bdi>`)
      expect(page).toContain(`action="/searches/${saved_search_id}/delete"`)
    }
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    expect(ids).toEqual([...new Set(ids)])

    const refused = await (await send(alice, `/searches/${rolls.saved_search_id}`, { name: 'fresh BREAD' })).text()
    expect(refused.match(/name="name" type="text" value="[^"]*"/g)).toEqual([
      expect.stringContaining('"Fresh bread"'),
      expect.stringContaining('"fresh BREAD"'),
    ])
    expect(refused.match(/You have a saved search with this name/g)).toHaveLength(1)
  })

  it('removes a saved search at once, and brings it back by Undo', async ({ alice }) => {
    const { saved_search_id } = await save(alice, 'Bread')
    const removed = await send(alice, `/searches/${saved_search_id}/delete`)
    expect(removed.headers.get('location')).toBe('/search?q=bread&sort=newest')
    const undo = { do: 'restore_search', saved_search_id }
    expect(flashOf(removed)).toMatchObject({ text: 'Removed the search Bread.', undo })
    expect(await namesOf(alice)).toEqual([])

    const restored = await send(alice, `/searches/${saved_search_id}/restore`)
    expect(flashOf(restored).text).toBe('Restored the search Bread.')
    expect(await namesOf(alice)).toEqual(['Bread'])
  })

  it('leaves a search removed while another one has its name, and says so', async ({ alice }) => {
    const { saved_search_id } = await save(alice, 'Bread')
    await alice.library.searches.remove(saved_search_id)
    await save(alice, 'bread', 'rolls')
    const refused = await send(alice, `/searches/${saved_search_id}/restore`)
    expect(flashOf(refused)).toMatchObject({ kind: 'problem', text: expect.stringContaining('by now') })
  })
})

describe('the navigation', () => {
  it('has the saved searches in the column, and marks the one that is shown', async () => {
    const [alice, bob] = [await personWith(sql, 'alice', 'bread', ['b1']), await personWith(sql, 'bob', 'his', ['h1'])]
    await save(alice, 'Fresh bread')
    for (const path of ['/', '/search', '/channels/bread']) {
      const column = columnIn(await textOf(alice, path))
      expect(column).toMatch(/Searches.*href="\/search\?q=bread&amp;sort=newest">.*Fresh bread/s)
      expect(columnIn(await textOf(bob, path))).not.toMatch(/Searches|Fresh bread/)
    }
    const shown = columnIn(await textOf(alice, '/search?q=bread&sort=newest'))
    expect(shown.match(/href="[^"]*" aria-current="page"/g)).toEqual([
      'href="/search?q=bread&amp;sort=newest" aria-current="page"',
    ])
    expect(columnIn(await textOf(alice, '/search?q=bread'))).not.toContain('aria-current')
  })
})
