/** Acting on several selected channels, and the switch of auto-download. */
import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { onDisk } from '../../support/app/files.ts'
import { follows, type Person, person } from '../../support/app/people.ts'

const app = useApp()
const { ask, sql, textAt } = app

/** Posts the form of the page, and returns the message that the next page shows. */
async function says(who: Person, path: string, form: Record<string, string | string[]>): Promise<string> {
  const answer = await ask(path, { as: who, form })
  const cookie = answer.headers.getSetCookie().join().split(';')[0] ?? ''
  const page = answer.status === 303 ? await textAt('/channels', { as: who, headers: { cookie } }) : await answer.text()
  return page
}
const isOn = async ({ library }: Person, channel_id: string) => (await library.rules.find(channel_id))?.auto_download
const three = async () => {
  const alice = await person(sql, 'alice')
  await follows(alice, 'a', ['a1', 'a2'])
  await follows(alice, 'b', ['b1'])
  await follows(alice, 'c', ['c1'])
  return alice
}

describe('the switch of auto-download', () => {
  const path = '/channels/chosen/auto-download'

  it('turns the rule on and off, and keeps what else it says', async () => {
    const alice = await three()
    const rule = await alice.library.rules.find('a')
    if (rule) await alice.library.rules.save('a', { ...rule, title_words: ['bread'] })

    expect(await says(alice, path, { channel_id: 'a', on: 'true' })).toContain('Auto-download is on for Channel a.')
    expect(await alice.library.rules.find('a')).toMatchObject({ auto_download: true, title_words: ['bread'] })
    expect(await says(alice, path, { channel_id: 'a', on: 'false' })).toContain('Auto-download is off for Channel a.')
    expect(await alice.library.rules.find('a')).toMatchObject({ auto_download: false, title_words: ['bread'] })
  })

  it('its undo switches only those back that were switched', async () => {
    const alice = await three()
    await says(alice, path, { channel_id: 'b', on: 'true' })

    const page = await says(alice, path, { channel_id: ['a', 'b'], on: 'true' })

    expect(page).toContain('Auto-download is on for 2 channels.')
    const form = page.match(
      new RegExp(`<form[^>]*${path}[^>]*>(?:<input[^>]*>)+<button class="button plain"[^>]*>Undo`),
    )?.[0]
    expect([...(form ?? '').matchAll(/name="(\w+)" value="(\w+)"/g)].map(([, ...pair]) => pair)).toEqual([
      ['channel_id', 'a'],
      ['on', 'false'],
    ])
  })

  it('its answer to htmx has the switches as they are now', async () => {
    const alice = await three()
    const answer = await ask(path, {
      as: alice,
      form: { channel_id: 'a', on: 'true' },
      headers: { 'hx-request': 'true' },
    })
    expect(await answer.text()).toMatch(/hx-target="#switch-a".*aria-checked="true"/s)
  })
})

describe('the selected channels', () => {
  it('are marked as watched, and no other', async () => {
    const alice = await three()
    const page = await says(alice, '/channels/chosen/watched', { channel_id: ['a', 'b'] })
    expect(page).toContain('3 videos marked as watched.')
    const seen = await Promise.all(
      ['a1', 'a2', 'b1', 'c1'].map(async id => (await alice.library.videos.find(id))?.seen_at !== null),
    )
    expect(seen).toEqual([true, true, true, false])
  })

  it('are added to a new group and to an old one', async () => {
    const alice = await three()
    expect(await says(alice, '/channels/chosen/group', { channel_id: ['a', 'b'], name: ' Cooking ' })).toContain(
      '2 channels added to Cooking.',
    )
    const [group] = await alice.library.groups.list()
    const group_id = group?.group_id ?? ''
    expect(await says(alice, '/channels/chosen/group', { channel_id: ['b', 'c'], group_id, name: '' })).toContain(
      '1 channel added to Cooking.',
    )
    expect(await alice.library.groups.list()).toMatchObject([{ name: 'Cooking', channels: 3 }])
    expect(await says(alice, '/channels/chosen/group', { channel_id: 'a', name: '  ' })).toContain('Enter a name.')
  })

  it('are unfollowed after a question that says what goes, and come back', async () => {
    const alice = await three()
    await onDisk(app.folder, alice, 'a1', 'a film', 'a')

    const question = await says(alice, '/channels/chosen/unfollow', { channel_id: ['a', 'b'] })
    expect(question).toContain('Unfollow 2 channels?')
    expect(question).toMatch(/removes 3 videos from your list and deletes 1 file \(\d+ bytes\)/)
    expect(await alice.library.channels.list()).toHaveLength(3)

    const page = await says(alice, '/channels/chosen/unfollow', { channel_id: ['a', 'b'], confirmed: 'on' })
    expect(page).toContain('2 channels unfollowed.')
    expect(page).toContain('action="/channels/chosen/restore"')
    expect((await alice.library.channels.list()).map(({ channel_id }) => channel_id)).toEqual(['c'])

    expect(await says(alice, '/channels/chosen/restore', { channel_id: ['a', 'b'] })).toContain(
      'Following 2 channels again.',
    )
    expect(await alice.library.channels.list()).toHaveLength(3)
  })

  it('are a person’s own: those of another are left alone', async () => {
    const [alice, bob] = [await three(), await person(sql, 'bob')]
    for (const path of ['watched', 'group', 'unfollow', 'auto-download'])
      await says(bob, `/channels/chosen/${path}`, { channel_id: ['a', 'b'], name: 'Mine', on: 'true', confirmed: 'on' })
    expect(await alice.library.channels.list()).toHaveLength(3)
    expect(await isOn(alice, 'a')).toBe(false)
    expect((await alice.library.videos.find('a1'))?.seen_at).toBeNull()
  })

  it.each(['watched', 'group', 'unfollow', 'auto-download'])('without any, %s says so', async path => {
    const alice = await three()
    expect(await says(alice, `/channels/chosen/${path}`, { on: 'true' })).toContain('Select at least one channel.')
  })
})

it('a channel whose id browsers leave out of an address can be unfollowed by choosing it', async () => {
  const alice = await person(sql, 'alice')
  await follows(alice, '..', ['.'])

  await ask('/channels/chosen/unfollow', { as: alice, form: { channel_id: '..', confirmed: 'true' } })

  const [left] = await sql`select count(*)::int as channels from channels where user_id = ${alice.library.user_id}`
  expect(left).toEqual({ channels: 0 })
})
