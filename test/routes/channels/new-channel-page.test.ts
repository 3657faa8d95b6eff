/** The preview of an address before it is followed, by page and API. */
import { describe, expect } from 'vitest'
import type { Discovery } from '../../../src/domain/channels/discovery.ts'
import { DomainError } from '../../../src/errors.ts'
import type { FeedKind } from '../../../src/schema/sources/discovery.ts'
import { useApp, withPeople } from '../../support/app/app.ts'
import { entry, follows, person } from '../../support/app/people.ts'

const asked: string[] = []
const answers = new Map<string, Discovery>()
const discover = async (address: string) => {
  asked.push(address)
  const answer = answers.get(address)
  if (!answer) throw new DomainError('address_refused', 'This address does not lead to a public site.')
  return answer
}
const app = useApp({ discover })
const { ask, sql, textAt } = app
const it = withPeople(app)

const url = 'https://videos.example/'
const fed = (kind: FeedKind, name: string, entries: number | null = null, title = 'Slow Kitchen') => ({
  rss_url: `${url}${name}`,
  kind,
  title,
  entries,
  newest_at: entries === null ? null : new Date('2026-05-03T12:00:00Z'),
})
const leadTo = (found: Discovery['found'], channel_id = 'kitchen', tried: string[] = []) => {
  const dates = ['2026-05-01', '2026-05-03', '2026-05-02']
  const entries = dates.map((date, n) => entry(`v${n}`, { title: `Of ${date}`, published_at: new Date(date) }))
  const feed = { channel_id, title: 'Slow Kitchen', entries, skipped: 0 }
  answers.set(url, { found, tried, best: { rss_url: found[0]?.rss_url ?? '', feed } })
}
const parts = [fed('channel', 'all', 3), fed('videos', 'videos'), fed('shorts', 'shorts'), fed('live', 'live')]

describe('the preview of an address', () => {
  it('the feeds found at an address are shown to choose from, and nothing is saved', async ({ alice }) => {
    leadTo(parts)

    const page = await ask(`/channels/new?url=${encodeURIComponent(url)}`, { as: alice })
    const json = await ask(`/api/discover?url=${encodeURIComponent(url)}`, { as: alice })

    const text = await page.text()
    expect(page.status).toBe(200)
    expect(text).toContain('<h1><bdi>Slow Kitchen</bdi></h1>')
    expect(text).toMatch(/3 videos.*newest/s)
    expect(text).toMatch(/<form[^>]*method="post" action="\/channels"/)
    expect(text.match(/type="radio" name="url"/g)).toHaveLength(4)
    expect(text).toMatch(/value="https:\/\/videos.example\/all" checked/)
    expect(text.indexOf('Of 2026-05-03')).toBeLessThan(text.indexOf('Of 2026-05-02'))
    expect(await json.json()).toEqual({
      found: [{ ...parts[0], newest_at: '2026-05-03T12:00:00.000Z' }, ...parts.slice(1)],
      tried: [],
    })
    expect(await alice.library.channels.list()).toEqual([])
  })

  it.each([
    ['url', `Look at this: ${url}`],
    ['text', `Slow Kitchen\n${url}.`],
    ['title', `[Slow Kitchen](${url})`],
  ])('an address that an app shares inside %s is looked up', async (field, shared) => {
    const alice = await person(sql, 'alice')
    leadTo(parts)
    const others = { title: 'Slow Kitchen', text: 'from my phone', url: '' }
    const query = new URLSearchParams({ ...others, [field]: shared })
    expect(await textAt(`/channels/new?${query}`, { as: alice })).toContain('<h1><bdi>Slow Kitchen</bdi></h1>')
  })

  it('a single feed needs no choice', async ({ alice }) => {
    leadTo([fed('feed', 'feed', 3)])
    const text = await textAt(`/channels/new?url=${url}`, { as: alice })
    expect(text).toContain('<input type="hidden" name="url" value="https://videos.example/feed"')
    expect(text).not.toContain('type="radio"')
  })

  it('several feeds of one page are told apart by name and address', async ({ alice }) => {
    leadTo([fed('feed', 'a', 3, 'Films'), fed('feed', 'b', null, '<Sketches>')])
    const text = await textAt(`/channels/new?url=${url}`, { as: alice })
    expect(text).toContain('&lt;Sketches&gt;')
    expect(text).toContain('https://videos.example/b')
  })

  it('the page says when this user already follows the channel', async ({ alice, bob }) => {
    leadTo(parts)
    await follows(alice, 'kitchen', ['v1'])
    const [hers, his] = await Promise.all([alice, bob].map(async as => textAt(`/channels/new?url=${url}`, { as })))
    expect(hers).toMatch(
      /You already follow .*Channel kitchen.*href="\/channels\/kitchen">\s*Open channel.*Change what is included/s,
    )
    expect(hers).not.toContain('Newest videos')
    expect(his).not.toContain('already')
  })

  it('when nothing is found, the page says what was tried and keeps what was typed', async ({ alice }) => {
    const tried = ['This page names <none>.', 'It is not known whose this is.']
    answers.set(url, { found: [], tried, fault: new DomainError('not_a_feed', tried[0] ?? '') })

    const page = await ask(`/channels/new?url=${url}`, { as: alice })
    const json = await ask(`/api/discover?url=${url}`, { as: alice })
    const posted = await ask('/channels', { as: alice, form: { url } })

    const text = await page.text()
    expect(page.status).toBe(422)
    expect(text).toContain('This page names &lt;none&gt;.')
    expect(text).toContain(`value="${url}"`)
    expect([json.status, await json.json()]).toEqual([200, { found: [], tried }])
    expect(posted.status).toBe(422)
    expect(await posted.text()).toContain('It is not known whose this is.')
  })

  it('a site that does not answer is one reason, told once', async ({ alice }) => {
    const why = 'Could not connect to videos.example. Check the link or try again later.'
    answers.set(url, { found: [], tried: [why], fault: new DomainError('feed_failed', why) })
    const text = await textAt(`/channels/new?url=${url}`, { as: alice })
    expect(text.split(why)).toHaveLength(2)
    expect(text).not.toContain('Could not find a channel')
  })

  it('a private address is refused with a sentence', async ({ alice }) => {
    const page = await ask('/channels/new?url=http://10.0.0.1/', { as: alice })
    const json = await ask('/api/discover?url=http://10.0.0.1/', { as: alice })
    expect([page.status, json.status]).toEqual([422, 422])
    expect(await page.text()).toContain('does not lead to a public site')
  })

  it.each(['/channels/new', '/channels/new?url='])('%s without an address shows an empty field', async path => {
    const alice = await person(sql, 'alice')
    const page = await ask(path, { as: alice })
    expect(page.status).toBe(200)
    expect(await page.text()).toMatch(/<form[^>]*method="post" action="\/channels"/)
  })

  it.each(['cross-site', 'same-site'])(
    'a %s request makes this server fetch nothing, and uses up no lookups',
    async site => {
      const alice = await person(sql, 'alice')
      leadTo(parts)
      asked.length = 0
      const headers = { 'sec-fetch-site': site }
      for (let n = 0; n < 100; n++) {
        const page = await ask(`/channels/new?url=${url}`, { as: alice, headers })
        const json = await ask(`/api/discover?url=${url}`, { as: alice, headers })
        expect([page.status, json.status]).toEqual([200, 403])
        if (n === 0) expect(await page.text()).toContain(`value="${url}"`)
      }
      expect(asked).toEqual([])
      expect((await ask(`/api/discover?url=${url}`, { as: alice })).status).toBe(200)
    },
  )

  it.each(['none', 'same-origin'])('a request with Sec-Fetch-Site %s is looked up', async site => {
    const alice = await person(sql, 'alice')
    leadTo(parts)
    const headers = { 'sec-fetch-site': site }
    expect((await ask(`/api/discover?url=${url}`, { as: alice, headers })).status).toBe(200)
    expect(await textAt(`/channels/new?url=${url}`, { as: alice, headers })).toContain(
      '<h1><bdi>Slow Kitchen</bdi></h1>',
    )
  })

  it('a missing or too long address is refused', async ({ alice }) => {
    const long = `${url}${'x'.repeat(3000)}`
    expect((await ask(`/channels/new?url=${long}`, { as: alice })).status).toBe(422)
    expect((await ask(`/api/discover?url=${long}`, { as: alice })).status).toBe(422)
    expect((await ask('/api/discover', { as: alice })).status).toBe(422)
  })

  it('text that is no address is refused at its field', async () => {
    const answer = await ask('/api/discover?url=https://no%20address', { as: await person(sql, 'alice') })
    expect([answer.status, await answer.json()]).toMatchObject([422, { errors: { url: expect.any(String) } }])
  })
})
