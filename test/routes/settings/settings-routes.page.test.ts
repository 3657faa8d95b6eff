import { describe, expect } from 'vitest'
import { findSettings, settings_table } from '../../../src/views/frames/settings-table.ts'
import { useApp, withPeople } from '../../support/app/app.ts'
import { runDownload } from '../../support/app/files.ts'
import { follows, has, type Person, personWith } from '../../support/app/people.ts'

const app = useApp()
const { ask, sql, jsonAt, textAt } = app
const it = withPeople(app)

const aliceFollows = (...video_ids: string[]) => personWith(sql, 'alice', 'kitchen', video_ids)

const downloads = (alice: Person, video_id: string, extension?: string, languages?: string[]) =>
  runDownload(app.files, alice, video_id, extension, languages)

describe('the languages of subtitles', () => {
  const save = (as: Person, text: string, headers = {}) =>
    ask('/settings/subtitles', { as, form: { subtitle_languages: text }, headers })

  it('are saved as a person writes them, and named in words', async ({ alice }) => {
    expect((await save(alice, 'de  pt-br, EN')).status).toBe(303)

    const page = await textAt('/settings/downloads', { as: alice })
    expect(page).toContain('value="de, pt-BR, en"')
    expect(page).toContain('German, then Brazilian Portuguese, then English')

    const answer = await (await save(alice, 'fr', { 'hx-request': 'true' })).text()
    expect(answer).toContain('Saved: French')
    await save(alice, '')
    expect((await alice.library.settings.get()).subtitle_languages).toEqual([])
  })

  it('are not saved where one is none, and the page says what is meant', async ({ alice }) => {
    await save(alice, 'de')

    const refused = await save(alice, 'de, german')

    expect(refused.status).toBe(422)
    expect(await refused.text()).toContain('Use language tags, such as de, en or pt-BR.')
    expect((await alice.library.settings.get()).subtitle_languages).toEqual(['de'])
  })

  it('decide the order in the player of their person, and of no other', async () => {
    const [alice, bob] = [
      await personWith(sql, 'alice', 'kitchen', ['v1']),
      await personWith(sql, 'bob', 'kitchen', ['v1']),
    ]
    for (const who of [alice, bob]) await downloads(who, 'v1', 'mp4', ['en', 'ar', 'de-AT'])
    await save(alice, 'de, en')
    const tracksOf = async (as: Person) => {
      const page = await textAt('/watch/v1', { as })
      return [...page.matchAll(/srclang="([^"]+)"/g)].map(([, language]) => language)
    }

    expect(await tracksOf(alice)).toEqual(['de-AT', 'en', 'ar'])
    expect(await tracksOf(bob)).toEqual(['en', 'ar', 'de-AT'])
  })
})

describe('the quality of downloads', () => {
  it('the quality is the best available until one is chosen, and a channel may have its own', async ({ bob }) => {
    const alice = await aliceFollows('v1', 'v2', 'v3')
    await follows(bob, 'kitchen', ['v1'])
    expect(await downloads(alice, 'v1')).toBe('best')

    await ask('/api/settings', { as: alice, method: 'PUT', json: { quality: '720' } })
    expect(await downloads(alice, 'v2')).toBe('720')
    await ask('/api/channels/kitchen/quality', { as: alice, method: 'PUT', json: { quality: '1080' } })
    expect(await downloads(alice, 'v3')).toBe('1080')

    expect(await downloads(bob, 'v1')).toBe('best')
  })

  it('the API sets the quality, and resets a channel to the default', async () => {
    const alice = await aliceFollows()
    const put = (path: string, quality: unknown) => ask(path, { as: alice, method: 'PUT', json: { quality } })

    expect(await jsonAt('/api/settings', { as: alice })).toEqual({
      quality: 'best',
      keyboard_shortcuts: true,
      skip_categories: ['sponsor'],
      captions_of_all: false,
      subtitle_languages: [],
      quiet_from: null,
      quiet_to: null,
      time_zone: 'UTC',
      messages_a_day: 50,
      media_names: null,
    })
    expect(await (await put('/api/settings', '480')).json()).toEqual({
      quality: '480',
      keyboard_shortcuts: true,
      skip_categories: ['sponsor'],
      captions_of_all: false,
      subtitle_languages: [],
      quiet_from: null,
      quiet_to: null,
      time_zone: 'UTC',
      messages_a_day: 50,
      media_names: null,
    })
    expect(await (await put('/api/channels/kitchen/quality', 'audio')).json()).toMatchObject({
      channel_id: 'kitchen',
      quality: 'audio',
    })
    const { channels } = (await jsonAt('/api/channels', { as: alice })) as { channels: object[] }
    expect(channels).toMatchObject([{ quality: 'audio' }])
    expect(await (await put('/api/channels/kitchen/quality', null)).json()).toMatchObject({ quality: null })
  })

  it.each(['/api/settings', '/api/channels/kitchen/quality'])('an unknown quality is refused by %s', async path => {
    const alice = await aliceFollows()

    for (const json of [{ quality: '719' }, { quality: 720 }, {}]) {
      const answer = await ask(path, { as: alice, method: 'PUT', json })
      expect(answer.status).toBe(422)
      expect(await answer.json()).toMatchObject({ errors: { quality: expect.any(String) } })
    }
    expect(await alice.library.settings.get()).toMatchObject({ quality: 'best' })
  })

  it('the database refuses an unknown quality, too', async () => {
    const alice = await aliceFollows()
    const { user_id } = alice.user

    await expect(sql`update users set quality = 'all' where id = ${user_id}`).rejects.toThrow(/users_quality/)
    await expect(sql`update channels set quality = 'all' where user_id = ${user_id}`).rejects.toThrow(
      /channels_quality/,
    )
  })

  it('the quality can be chosen by forms, without scripts', async () => {
    const alice = await aliceFollows()

    const saved = await ask('/settings', { as: alice, form: { quality: '1440' } })
    expect([saved.status, saved.headers.get('location')]).toEqual([303, '/settings/downloads'])
    expect(await textAt('/settings/downloads', { as: alice })).toMatch(/<option value="1440" selected[^>]*>/)

    const channel = await ask('/channels/kitchen/quality', { as: alice, form: { quality: 'audio' } })
    expect([channel.status, channel.headers.get('location')]).toEqual([303, '/channels/kitchen'])
    const page = await textAt('/channels/kitchen/settings', { as: alice })
    expect(page).toMatch(/<option value="audio" selected[^>]*>/)
    expect(page).toContain('Default (up to 1440p)')

    await ask('/channels/kitchen/quality', { as: alice, form: { quality: '' } })
    expect(await alice.library.channels.find('kitchen')).toMatchObject({ quality: null })
    expect((await ask('/settings', { as: alice, form: { quality: 'all' } })).status).toBe(422)
  })

  it('the settings name their methods in a 405', async () => {
    const alice = await aliceFollows()
    const answer = await ask('/api/settings', { as: alice, method: 'DELETE' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, PUT'])
  })
})

describe('single-key shortcuts', () => {
  it('are on until they are turned off, by a form or by the API', async () => {
    const alice = await aliceFollows()
    const htmlOf = async () =>
      (await textAt('/', { as: alice, headers: { Accept: 'text/html' } })).match(/<html[^>]*>/)?.[0]
    expect(await htmlOf()).not.toContain('data-keys')

    const saved = await ask('/settings/keyboard', { as: alice, form: {} })
    expect([saved.status, saved.headers.get('location')]).toEqual([303, '/settings'])
    expect(await htmlOf()).toContain('data-keys="off"')
    expect(await jsonAt('/api/settings', { as: alice })).toMatchObject({ keyboard_shortcuts: false })
    const refused = await ask('/channels', { as: alice, form: { url: '' }, headers: { Accept: 'text/html' } })
    expect(await refused.text()).toContain('data-keys="off"')

    const kept = await ask('/api/settings', { as: alice, method: 'PUT', json: { quality: '720' } })
    expect(await kept.json()).toMatchObject({ quality: '720', keyboard_shortcuts: false })
    const json = { quality: '720', keyboard_shortcuts: true }
    await ask('/api/settings', { as: alice, method: 'PUT', json })
    expect(await htmlOf()).not.toContain('data-keys')
  })
})

describe('captions of videos without subtitles', () => {
  it('are fetched when the person wants it, by the page or by the API, and not for others', async ({ bob }) => {
    const alice = await aliceFollows()
    const wantsIt = async (who: Person) => (await jsonAt('/api/settings', { as: who })).captions_of_all
    const page = async () =>
      (await textAt('/settings/search', { as: alice, headers: { Accept: 'text/html' } })).match(
        /<input[^>]*captions_of_all[^>]*>/,
      )?.[0]
    expect([await wantsIt(alice), await page()]).toEqual([false, expect.not.stringContaining('checked')])

    const on = await ask('/settings/captions', { as: alice, form: { captions_of_all: 'on' } })
    expect([on.status, on.headers.get('location')]).toEqual([303, '/settings/search'])
    expect([await wantsIt(alice), await page()]).toEqual([true, expect.stringContaining('checked')])
    expect(await wantsIt(bob)).toBe(false)

    await ask('/api/settings', { as: alice, method: 'PUT', json: { quality: 'best' } })
    expect(await wantsIt(alice)).toBe(true)
    await ask('/api/settings', { as: alice, method: 'PUT', json: { quality: 'best', captions_of_all: false } })
    expect([await wantsIt(alice), await page()]).toEqual([false, expect.not.stringContaining('checked')])
    await ask('/settings/captions', { as: alice, form: { captions_of_all: 'on' } })
    await ask('/settings/captions', { as: alice, form: {} })
    expect(await wantsIt(alice)).toBe(false)
  })

  it('the page says how many have been asked for, of those that are wanted', async () => {
    const alice = await aliceFollows('v1', 'v2', 'v3', 'disk', 'subtitled', 'dismissed')
    await has(alice, 'disk', 'a/disk.mp4', 1)
    await has(alice, 'subtitled', 'a/subtitled.mp4', 1, ['en'])
    await alice.library.viewings.markSome('not_for_me_at', ['dismissed'], new Date())
    await alice.library.transcripts.recordAsked('v1')
    const said = async () =>
      (await textAt('/settings/search', { as: alice, headers: { Accept: 'text/html' } })).match(/So far.*?</)?.[0]
    expect(await said()).toBeUndefined()

    await alice.library.settings.save({ captions_of_all: true })
    expect(await said()).toBe('So far, it has asked for the captions of 1 of 4 videos.<')
    await alice.library.transcripts.save('disk', {
      language: 'en',
      automatic: true,
      lines: [{ start_seconds: 0, text: 'rye' }],
    })
    expect(await said()).toContain('2 of 4')
  })
})

describe('a change that is saved by a script', () => {
  it.each([
    ['/settings', { quality: '720' }],
    ['/settings/keyboard', {}],
    ['/settings/captions', { captions_of_all: 'on' }],
    ['/settings/skipping', { category: 'intro' }],
    ['/channels/kitchen/quality', { quality: 'audio' }],
    ['/channels/kitchen/plays-whole', { skips: 'on' }],
  ])('%s answers htmx with "Saved", and leaves no message for the next page', async (path, form) => {
    const alice = await aliceFollows()
    const answer = await ask(path, { as: alice, form, headers: { 'hx-request': 'true' } })
    expect([answer.status, await answer.text(), answer.headers.get('set-cookie')]).toEqual([
      200,
      '<span>Saved</span>',
      null,
    ])
  })
})

describe('the search for a setting', () => {
  const find = async (q: string, headers = {}) => {
    const alice = await aliceFollows()
    return textAt(`/settings?q=${encodeURIComponent(q)}`, { as: alice, headers })
  }

  it('finds settings of any subject by the beginnings of their words, and links to their cards', async () => {
    const page = await find('caption')
    expect(page).toContain('<a href="/settings/search#captions">Search captions of all videos</a>')
    expect(page).not.toContain('Single-key shortcuts')
    expect(await find('4k')).toContain('href="/settings/downloads#quality"')
    expect(await find('sign OUT')).toContain('href="/settings/account#sessions"')
    expect(await find('zzz')).toContain('No setting matches “zzz”.')
  })

  it('answers htmx with what it found, and with nothing where nothing is typed', async () => {
    const htmx = { 'hx-request': 'true' }
    expect(await find('opml', htmx)).toMatch(/^<ul class="rows">/)
    expect(await find(' ', htmx)).toBe('')
    expect(await find(' ')).toContain('Single-key shortcuts')
  })

  it('every setting is a card of the page that it leads to', async () => {
    const alice = await aliceFollows()
    const found = [...'abcdefghijklmnopqrstuvwxyz'].flatMap(letter => findSettings(letter))
    expect(new Set(found.map(({ label }) => label)).size).toBe(Object.keys(settings_table).length)
    for (const { href } of found) {
      const [path = '', anchor] = href.split('#')
      const answer = await ask(path, { as: alice })
      expect([href, answer.status]).toEqual([href, 200])
      if (anchor) expect(await answer.text()).toContain(`id="${anchor}"`)
    }
  })
})
