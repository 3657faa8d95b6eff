/** The rule of a channel, by page and API. */
import { describe, expect } from 'vitest'
import { rule_off } from '../../../src/schema/rules/rule.ts'
import { useApp, withPeople } from '../../support/app/app.ts'
import { entry, follows, type Person, person } from '../../support/app/people.ts'

const app = useApp()
const { ask, sql, jsonAt, textAt } = app
const it = withPeople(app)

async function alicesKitchen(): Promise<Person> {
  const alice = await person(sql, 'alice')
  await follows(alice, 'kitchen', ['v1'])
  return alice
}

const off = { ...rule_off, on_since: null }

describe('the rule of a channel as JSON', () => {
  it('auto-download is off until it is turned on', async () => {
    const alice = await alicesKitchen()
    expect(await jsonAt('/api/channels/kitchen/rule', { as: alice })).toEqual(off)

    const wanted = { auto_download: true, title_words: ['bread'], title_pattern: '^How', keep_newest: 5 }
    const put = await ask('/api/channels/kitchen/rule', { as: alice, method: 'PUT', json: wanted })
    const got = await ask('/api/channels/kitchen/rule', { as: alice })

    expect(put.status).toBe(200)
    const now = await got.json()
    expect(now).toEqual({ ...off, ...wanted, on_since: expect.stringMatching(/^\d{4}-.*Z$/) })
    expect(await put.json()).toEqual(now)
  })

  it('PUT replaces the whole rule', async () => {
    const alice = await alicesKitchen()
    const put = (json: object) => ask('/api/channels/kitchen/rule', { as: alice, method: 'PUT', json })
    await put({ auto_download: true, without_words: ['live'], skip_shorts: true, keep_days: 7 })
    expect(await (await put({ auto_download: false })).json()).toEqual(off)
  })

  it.each([
    [{}, 'auto_download'],
    [{ auto_download: 'yes' }, 'auto_download'],
    [{ auto_download: true, title_pattern: '(' }, 'title_pattern'],
    [{ auto_download: true, keep_newest: 0 }, 'keep_newest'],
    [{ auto_download: true, keep_days: 1.5 }, 'keep_days'],
    [{ auto_download: true, title_words: 'bread' }, 'title_words'],
  ])('the rule %o is refused at its field, and nothing changes', async (json, field) => {
    const alice = await alicesKitchen()
    const answer = await ask('/api/channels/kitchen/rule', { as: alice, method: 'PUT', json })
    expect(answer.status).toBe(422)
    expect(Object.keys(((await answer.json()) as { errors: object }).errors)).toEqual([field])
    expect(await alice.library.rules.find('kitchen')).toEqual(off)
  })

  it('a channel with single videos has no rule until it is followed', async ({ alice }) => {
    await alice.library.channels.addVideo({ channel_id: 'kitchen', title: 'Kitchen' }, entry('v1'))
    const json = { auto_download: true }
    const put = await ask('/api/channels/kitchen/rule', { as: alice, method: 'PUT', json })
    expect([put.status, await put.json()]).toMatchObject([
      409,
      { detail: 'You do not follow this channel. Follow it, then set what downloads automatically.' },
    ])
    const form = { auto_download: 'on', channel_id: 'kitchen' }
    expect((await ask('/channels/kitchen/settings', { as: alice, form })).status).toBe(409)
    expect((await ask('/channels/kitchen/settings/preview', { as: alice, form })).status).toBe(409)
    await ask('/channels/rules', { as: alice, form })
    expect(await alice.library.rules.find('kitchen')).toEqual(off)
    expect((await ask('/api/channels/missing/rule', { as: alice, method: 'PUT', json })).status).toBe(404)
  })

  it('the settings of a channel with single videos lead to following it, and offer its quality', async ({ alice }) => {
    const channel = { channel_id: 'kitchen', title: 'Kitchen', page_url: 'https://videos.example/kitchen' }
    await alice.library.channels.addVideo(channel, entry('v1'))
    const html = await textAt('/channels/kitchen/settings', { as: alice })
    expect(html).toContain('You do not follow this channel, so none of its videos download automatically.')
    expect(html).toMatch(/action="\/channels".*videos\.example\/kitchen.*Follow/s)
    expect(html).toContain('name="quality"')
    expect(html).not.toContain('name="auto_download"')
  })

  it('a 405 of the rule names PUT', async () => {
    const alice = await alicesKitchen()
    const answer = await ask('/api/channels/kitchen/rule', { as: alice, method: 'DELETE' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, PUT'])
  })
})

describe('the rule of a channel as a page', () => {
  it('the settings of a channel are linked from it, saved, and shown as saved', async () => {
    const alice = await alicesKitchen()
    expect(await textAt('/channels/kitchen', { as: alice })).toContain('href="/channels/kitchen/settings"')

    const form = {
      auto_download: 'on',
      title_words: 'rye, bread',
      title_pattern: '',
      skip_shorts: 'on',
      keep_newest: '3',
    }
    const saved = await ask('/channels/kitchen/settings', { as: alice, form })
    const page = await textAt('/channels/kitchen/settings', { as: alice })

    expect([saved.status, saved.headers.get('location')]).toEqual([303, '/channels/kitchen'])
    expect(await alice.library.rules.find('kitchen')).toMatchObject({
      auto_download: true,
      title_words: ['rye', 'bread'],
      title_pattern: null,
      skip_shorts: true,
      keep_newest: 3,
    })
    expect(page).toContain('value="rye, bread"')
    expect(page).toMatch(/name="auto_download"[^>]*checked/)
  })

  it('a refused rule is shown again with a sentence at the field', async () => {
    const alice = await alicesKitchen()
    const form = { auto_download: 'on', title_words: 'rye', title_pattern: '(<b>', keep_days: 'soon' }
    const answer = await ask('/channels/kitchen/settings', { as: alice, form })
    const page = await answer.text()

    expect(answer.status).toBe(422)
    expect(page).toMatch(/id="title_pattern-error"[^>]*>This expression can’t be used/)
    expect(page).toMatch(/id="keep_days-error"[^>]*>Use a number from 1 to 3650/)
    expect(page).toContain('value="(&lt;b&gt;"')
    expect(page).toContain('value="soon"')
    expect(page).toMatch(/name="auto_download"[^>]*checked/)
    expect(await alice.library.rules.find('kitchen')).toMatchObject({ auto_download: false })
  })

  it('an unticked box turns auto-download off', async () => {
    const alice = await alicesKitchen()
    await ask('/channels/kitchen/settings', { as: alice, form: { auto_download: 'on' } })
    await ask('/channels/kitchen/settings', { as: alice, form: { title_words: 'rye' } })
    expect(await alice.library.rules.find('kitchen')).toMatchObject({ auto_download: false, title_words: ['rye'] })
  })

  it('unfollowing a channel deletes its rule', async () => {
    const alice = await alicesKitchen()
    await ask('/channels/kitchen/settings', { as: alice, form: { auto_download: 'on' } })
    await ask('/channels/kitchen/delete', { as: alice, method: 'POST' })
    await follows(alice, 'kitchen', [])
    expect(await alice.library.rules.find('kitchen')).toEqual(off)
  })
})

describe('the choices of the form', () => {
  const all = {
    auto_download: 'on',
    title_words: 'rye',
    most_per_day: '3',
    also_days: '30',
    include_older: 'on',
    keep_newest: '5',
  }

  it.each([
    [{ which: 'all' }, { title_words: [], most_per_day: null, also_days: 30, keep_newest: 5 }],
    [{ which: 'some' }, { title_words: ['rye'], most_per_day: 3 }],
    [{ older: 'none' }, { also_days: null, include_older: false, title_words: ['rye'] }],
    [{ older: 'days' }, { also_days: 30, include_older: true }],
    [{ older: 'all' }, { also_days: null, include_older: true }],
    [{ keep: 'all' }, { keep_newest: null, also_days: 30 }],
    [{ keep: 'some' }, { keep_newest: 5 }],
  ])('what the choice %o hides is not saved, and everything else is', async (choice, saved) => {
    const alice = await alicesKitchen()
    await ask('/channels/kitchen/settings', { as: alice, form: { ...all, ...choice } })
    expect(await alice.library.rules.find('kitchen')).toMatchObject(saved)
  })

  it('a number of days is required where it is the choice', async () => {
    const alice = await alicesKitchen()
    const form = { ...all, older: 'days', also_days: '' }
    const answer = await ask('/channels/kitchen/settings', { as: alice, form })
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('Use a number from 1 to 3650')])
  })

  it('the choices are shown as they are saved', async () => {
    const alice = await alicesKitchen()
    const shown = async (form: Record<string, string>) => {
      await ask('/channels/kitchen/settings', { as: alice, form: { auto_download: 'on', ...form } })
      const page = await textAt('/channels/kitchen/settings', { as: alice })
      return [...page.matchAll(/<input type="radio" name="(\w+)" value="(\w+)" checked/g)].map(([, , value]) => value)
    }
    expect(await shown({})).toEqual(['all', 'none', 'all'])
    expect(await shown({ skip_shorts: 'on', also_days: '7', keep_days: '9' })).toEqual(['some', 'days', 'some'])
    expect(await shown({ include_older: 'on' })).toEqual(['all', 'all', 'all'])
  })
})

describe('the preview of a rule', () => {
  it('tells words apart from age: how many of the newest videos fit, though none is new', async ({ alice }) => {
    await follows(
      alice,
      'kitchen',
      Array.from({ length: 15 }, (_, at) => (at < 4 ? `bread-${at}` : `soup-${at}`)),
    )
    const form = { auto_download: 'on', title_words: 'bread, rice' }
    const page = await textAt('/channels/kitchen/settings/preview', { as: alice, form })

    expect(page).toContain('4 of the 15 newest fit. None is new, so nothing downloads now.')
    expect(page.match(/Not new/g)).toHaveLength(4)
    expect(page.match(/Title lacks: bread, rice/g)).toHaveLength(11)
    expect(page).toMatch(/Fits \(.*4.*\)[\s\S]*Does not fit \(.*11.*\)/)
  })

  it('is shown with a rule that is on', async () => {
    const alice = await alicesKitchen()
    const page = async () => textAt('/channels/kitchen/settings', { as: alice })
    expect(await page()).not.toContain('<h3>Preview</h3>')
    await ask('/channels/kitchen/settings', { as: alice, form: { auto_download: 'on' } })
    expect(await page()).toContain('The only video fits. It is not new, so nothing downloads now.')
  })

  const older = { auto_download: 'on', also_days: '3650', title_words: 'v1' }

  it('as a page without a script: the sentence, the videos, the reasons, and the form as it was typed; nothing is saved', async () => {
    const alice = await person(sql, 'alice')
    await follows(alice, 'kitchen', ['v1', 'v2'])
    const answer = await ask('/channels/kitchen/settings/preview', { as: alice, form: older })
    const page = await answer.text()

    expect(answer.status).toBe(200)
    expect(page).toContain('1 of the 2 newest fits. 1 video downloads now.')
    expect(page).toMatch(/Title lacks: v1/)
    expect(page).toContain('value="3650"')
    expect(page).toMatch(/formaction="\/channels\/kitchen\/settings\/preview"/)
    expect(await alice.library.rules.find('kitchen')).toEqual(off)
  })

  it('for htmx only the part, and for a refused rule its sentences', async () => {
    const alice = await alicesKitchen()
    const send = (form: Record<string, string>) =>
      ask('/channels/kitchen/settings/preview', { as: alice, form, headers: { 'hx-request': 'true' } })
    const [shown, refused] = [await send(older), await send({ ...older, keep_days: 'soon' })]

    expect(await shown.text()).toMatch(/^<h3>Preview<\/h3>/)
    expect(refused.status).toBe(422)
    expect(await refused.text()).toMatch(/^<p class="fault">Use a number from 1 to 3650/)
  })

  it('as JSON: what would be downloaded and deleted, and why not more', async ({ alice }) => {
    await follows(alice, 'kitchen', ['v1', 'v2'])
    const json = { auto_download: true, also_days: 3650, title_words: ['v1'] }
    const answer = await ask('/api/channels/kitchen/rule/preview', { as: alice, json })
    const published_at = '2026-05-01T12:00:00.000Z'
    expect(await answer.json()).toEqual({
      would_download: [{ video_id: 'v1', title: 'Video v1', published_at }],
      would_delete: [],
      delete_count: 0,
      delete_bytes: 0,
      only_copies: 0,
      skipped: [{ video_id: 'v2', title: 'Video v2', published_at, reason: 'Title lacks: v1', fits: false }],
      newest_count: 2,
      newest_fits: 1,
      newest_downloads: 1,
      has_more: false,
      per_week: null,
    })
    expect((await ask('/api/channels/nothing/rule/preview', { as: alice, json })).status).toBe(404)
  })
})
