/** The default rule and one rule for several channels, by page and API. */
import { describe, expect } from 'vitest'
import { rule_off } from '../../../src/schema/rules/rule.ts'
import { useApp, withPeople } from '../../support/app/app.ts'
import { follows, has, type Person, person } from '../../support/app/people.ts'
import { flashOf } from '../../support/app/sign-in.ts'

const app = useApp()
const { ask, sql, jsonAt, textAt } = app
const it = withPeople(app)

async function aliceFollowing(...channel_ids: string[]): Promise<Person> {
  const alice = await person(sql, 'alice')
  for (const id of channel_ids) await follows(alice, id, [])
  return alice
}
const isOn = async (alice: Person, channel_id: string) => (await alice.library.rules.find(channel_id))?.auto_download

it('the default rule is saved on its page, shown again, and copied to a channel that is followed', async () => {
  const alice = await aliceFollowing('before')
  const saved = await ask('/settings/auto-download', { as: alice, form: { auto_download: 'on', min_seconds: '5' } })
  const page = await textAt('/settings/auto-download', { as: alice })
  await follows(alice, 'after', [])

  expect([saved.status, saved.headers.get('location')]).toEqual([303, '/settings/auto-download'])
  expect(page).toMatch(/name="min_seconds"[^>]*value="5"/)
  expect(await isOn(alice, 'before')).toBe(false)
  expect(await alice.library.rules.find('after')).toMatchObject({ auto_download: true, min_seconds: 300 })
})

it('the default rule can replace the rules of all channels at once', async () => {
  const alice = await aliceFollowing('a', 'b')
  await ask('/settings/auto-download/all', { as: alice, form: { auto_download: 'on' } })
  expect([await isOn(alice, 'a'), await isOn(alice, 'b')]).toEqual([true, true])
})

it('a refused default rule is shown again with a sentence at the field', async () => {
  const alice = await aliceFollowing()
  const answer = await ask('/settings/auto-download', { as: alice, form: { auto_download: 'on', keep_days: 'soon' } })
  expect(answer.status).toBe(422)
  expect(await answer.text()).toMatch(/id="keep_days-error"[^>]*>Use a number from 1 to 3650/)
})

it('one rule is saved for the channels that are chosen on the page', async () => {
  const alice = await aliceFollowing('a', 'b', 'c')
  const form = { channel_id: ['a', 'c'], auto_download: 'on', live: 'none' }
  const saved = await ask('/channels/rules', { as: alice, form })
  expect([saved.status, saved.headers.get('location')]).toEqual([303, '/channels'])
  expect([await isOn(alice, 'a'), await isOn(alice, 'b'), await isOn(alice, 'c')]).toEqual([true, false, true])

  await ask('/channels/rules', { as: alice, form: { all: 'on', title_words: 'rye' } })
  for (const id of ['a', 'b', 'c'])
    expect(await alice.library.rules.find(id)).toMatchObject({ auto_download: false, title_words: ['rye'] })
})

it('the rule of a channel is proposed for others, and only to the person who has the channel', async ({ bob }) => {
  const alice = await aliceFollowing('a', 'b')
  await ask('/channels/a/settings', { as: alice, form: { auto_download: 'on', min_seconds: '5' } })
  const settings = await textAt('/channels/a/settings', { as: alice })
  const page = await textAt('/channels/rules?from=a', { as: alice })
  expect(settings).toContain('href="/channels/rules?from=a"')
  expect(page).toMatch(/name="min_seconds"[^>]*value="5"/)
  expect((await ask('/channels/rules?from=a', { as: bob })).status).toBe(404)
})

it('one rule for all channels is confirmed with what it turned off', async () => {
  const alice = await aliceFollowing('a', 'b')
  const saved = await ask('/channels/rules', { as: alice, form: { all: 'on' } })
  expect(flashOf(saved).text).toContain('Auto-download is off for 2 channels.')
})

it('without a chosen channel, or with a wrong value, the page is shown again as it was sent', async () => {
  const alice = await aliceFollowing('a', 'b')
  const none = await ask('/channels/rules', { as: alice, form: { auto_download: 'on', title_words: 'rye' } })
  const wrong = await ask('/channels/rules', { as: alice, form: { channel_id: 'b', keep_newest: 'all' } })
  const page = await wrong.text()
  expect([none.status, wrong.status]).toEqual([422, 422])
  expect(await none.text()).toMatch(/Choose at least one channel\.[\s\S]*value="rye"/)
  expect(page).toMatch(/value="b" checked/)
  expect(page).not.toMatch(/value="a" checked/)
})

it('the API reads and replaces the default rule, and sets one rule for several channels', async () => {
  const alice = await aliceFollowing('a', 'b')
  const rule = { auto_download: true, most_per_day: 3 }
  expect(await jsonAt('/api/rules/default', { as: alice })).toEqual(rule_off)
  expect(await jsonAt('/api/rules/default', { as: alice, method: 'PUT', json: rule })).toEqual({ ...rule_off, ...rule })
  expect(await jsonAt('/api/rules/default', { as: alice })).toEqual({ ...rule_off, ...rule })

  const set = (json: object) => ask('/api/rules', { as: alice, method: 'POST', json })
  expect(await (await set({ channel_ids: ['a', 'nothing'], rule })).json()).toEqual({ changed: 1 })
  expect(await (await set({ all: true, rule })).json()).toEqual({ changed: 2 })
})

describe('the playlist of a rule', () => {
  const pages = ['/channels/a/settings', '/settings/auto-download', '/channels/rules']

  it.each(pages)('is not offered by %s without a playlist, and is saved and shown there with one', async path => {
    const alice = await aliceFollowing('a')
    const shown = async () => textAt(path === pages[2] ? `${path}?from=a` : path, { as: alice })
    expect(await shown()).not.toContain('name="playlist_id"')

    const { playlist_id } = await alice.library.playlists.create('Rye & wheat')
    expect(await shown()).toMatch(/<option value="" *>None<\/option><option value="[^"]*">Rye &amp; wheat/)
    const form = { auto_download: 'on', which: 'all', older: 'none', keep: 'all', channel_id: 'a', playlist_id }
    expect((await ask(path, { as: alice, form })).status).toBe(303)
    expect(await shown()).toContain(`<option value="${playlist_id}" selected="">Rye`)
  })

  it('is read and saved by the API, which refuses the playlist of another person', async () => {
    const alice = await aliceFollowing('a')
    const { playlist_id } = await alice.library.playlists.create('Bread')
    const of_bob = await (await person(sql, 'bob')).library.playlists.create('Bread')
    const put = (path: string, id: string) =>
      ask(path, { as: alice, method: 'PUT', json: { auto_download: true, playlist_id: id } })
    for (const path of ['/api/channels/a/rule', '/api/rules/default']) {
      expect(await (await put(path, playlist_id)).json()).toMatchObject({ playlist_id })
      const refused = await put(path, of_bob.playlist_id)
      expect([refused.status, await refused.json()]).toMatchObject([
        422,
        { errors: { playlist_id: expect.anything() } },
      ])
      expect(await jsonAt(path, { as: alice })).toMatchObject({ playlist_id })
    }
  })
})

it.each([
  [{ rule: { auto_download: true } }, 'channel_ids'],
  [{ rule: { auto_download: true }, channel_ids: [] }, 'channel_ids'],
  [{ rule: { auto_download: true }, channel_ids: ['a'], all: true }, 'channel_ids'],
  [{ rule: { auto_download: true, min_seconds: 9, max_seconds: 5 }, all: true }, 'rule.max_seconds'],
  [{ all: true }, 'rule'],
])('the rule for several channels %o is refused at its field', async (json, field) => {
  const alice = await aliceFollowing('a')
  const answer = await ask('/api/rules', { as: alice, method: 'POST', json })
  expect(answer.status).toBe(422)
  expect(Object.keys(((await answer.json()) as { errors: object }).errors)).toEqual([field])
})

describe('the preview of one rule for several channels', () => {
  const preview = async (alice: Person, path: string, form: Record<string, string | string[]>) =>
    textAt(path, { as: alice, form: { auto_download: 'on', ...form }, headers: { 'hx-request': 'true' } })

  it('says how many of the newest videos of the chosen channels fit', async ({ alice, bob }) => {
    await follows(alice, 'a', ['bread-1', 'soup-1'])
    await follows(alice, 'b', ['bread-2', 'bread-3'])
    const form = { title_words: 'bread' }
    expect(await preview(alice, '/channels/rules/preview', { ...form, channel_id: 'a' })).toContain(
      '1 of the 2 newest fits.',
    )
    expect(await preview(alice, '/channels/rules/preview', { ...form, all: 'on' })).toContain('3 of the 4 newest fit.')
    expect(await preview(alice, '/settings/auto-download/preview', form)).toContain('3 of the 4 newest fit.')
    expect(await preview(alice, '/channels/rules/preview', form)).not.toContain('Preview')
    expect(await preview(bob, '/channels/rules/preview', { ...form, channel_id: 'a' })).toContain('no videos yet')
  })

  it('says the number and the size of the files that would be deleted, before they are', async ({ alice }) => {
    for (const [channel, video] of [
      ['a', 'v1'],
      ['b', 'v2'],
      ['c', 'v3'],
    ] as const) {
      await follows(alice, channel, [video])
      await has(alice, video, `${channel}/${video}.mp4`, 5e8)
    }
    await sql`
      update video_entries
      set    download_asked_by = 'rule', download_completed_at = now() - interval '9 days'
      where  user_id = ${alice.user.user_id}`
    const form = { keep_days: '7' }
    const chosen = { ...form, channel_id: ['a', 'b'] }
    expect(await preview(alice, '/channels/rules/preview', chosen)).toContain('2 files (1.0 GB) will be deleted.')
    expect(await preview(alice, '/settings/auto-download/preview', form)).toContain(
      'If it replaces the rules of all channels, 3 files (1.5 GB) are deleted.',
    )
    expect(await preview(alice, '/channels/a/settings/preview', form)).toContain('1 file (500 MB) will be deleted.')
    await ask('/channels/rules', { as: alice, form: { auto_download: 'on', ...chosen } })
    expect(await preview(alice, '/channels/rules/preview', chosen)).toContain('2 files (1.0 GB) will be deleted.')
  })

  it('is a page without a script, with the form as it was typed', async () => {
    const alice = await aliceFollowing('a', 'b')
    const form = { auto_download: 'on', channel_id: 'b', title_words: 'rye' }
    const page = await textAt('/channels/rules/preview', { as: alice, form })
    expect(page).toMatch(/value="b" checked/)
    expect(page).toContain('value="rye"')
    expect(page).toContain('There are no videos yet.')
  })
})
