/** Groups of channels on their pages. */
import { describe, expect } from 'vitest'
import { max_groups } from '../../../src/schema/channels/group.ts'
import { useApp, withPeople } from '../../support/app/app.ts'
import { follows, type Person, person, personWith } from '../../support/app/people.ts'
import { flashOf } from '../../support/app/sign-in.ts'

const app = useApp()
const { ask, sql, textAt } = app
const it = withPeople(app)

const textOf = async (as: Person, path: string) => textAt(path, { as })
const send = (as: Person, path: string, form: Record<string, string | string[]> = {}) => ask(path, { as, form })
const namesOf = async ({ library }: Person) => (await library.groups.list()).map(({ name }) => name)

describe('all groups', () => {
  it('says what groups are for while there are none, and creates the first', async () => {
    const alice = await personWith(sql, 'alice', 'bread', ['b1'])
    expect(await textOf(alice, '/groups')).toMatch(
      /Put channels that belong together into a group.*<input id="name"[^>]* autofocus/s,
    )
    expect(await textOf(alice, '/')).toContain('New group')
    expect(await textOf(alice, '/groups')).toContain('name="name" value="Evenings"')

    const created = await send(alice, '/groups', { name: ' Food ' })
    const [group] = await alice.library.groups.list()
    expect([created.status, created.headers.get('location')]).toEqual([303, `/groups/${group?.group_id}`])
    expect(await textOf(alice, '/groups')).toMatch(
      /href="\/\?group=[\w-]+&amp;with=remembered"><bdi>Food<\/bdi>.*0 channels · 0 unwatched/s,
    )
  })

  it.each([
    ['', 'Enter a name.'],
    ['FOOD', 'You have a group with this name.'],
    ['x'.repeat(61), 'Use at most 60 characters.'],
  ])('refuses the name "%s" and shows it again', async (name, sentence) => {
    const alice = await person(sql, 'alice')
    await alice.library.groups.create('Food')
    const refused = await send(alice, '/groups', { name })
    expect([409, 422]).toContain(refused.status)
    const page = await refused.text()
    expect(page).toContain(sentence)
    expect(page).toContain(`value="${name}"`)
    expect(await namesOf(alice)).toEqual(['Food'])
  })
})

describe('one group', () => {
  it('its name and channels are saved together', async () => {
    const alice = await personWith(sql, 'alice', 'bread', ['b1'])
    await follows(alice, 'tea', ['t1'])
    const { group_id } = await alice.library.groups.create('Food')
    await alice.library.groups.addChannels(group_id, ['tea'])
    const page = await textOf(alice, `/groups/${group_id}`)
    expect(page.match(/value="tea" checked/g)).toHaveLength(1)
    expect(page.indexOf('value="tea"')).toBeLessThan(page.indexOf('value="bread"'))

    const saved = await send(alice, `/groups/${group_id}`, { name: 'Calm', channel_id: ['bread', 'gone'] })
    expect([saved.status, saved.headers.get('location')]).toEqual([303, `/?group=${group_id}&with=remembered`])
    expect(flashOf(saved).text).toBe('Saved the group Calm.')
    expect(await alice.library.groups.list()).toMatchObject([{ name: 'Calm', channels: 1 }])
    expect(await alice.library.groups.channelIds(group_id)).toEqual(['bread'])
    await send(alice, `/groups/${group_id}`, { name: 'Calm' })
    expect(await alice.library.groups.channelIds(group_id)).toEqual([])
  })

  it('a name that another group has is refused, with the channels as they were chosen', async () => {
    const alice = await personWith(sql, 'alice', 'bread', ['b1'])
    await alice.library.groups.create('Calm')
    const { group_id } = await alice.library.groups.create('Food')
    const refused = await send(alice, `/groups/${group_id}`, { name: 'calm', channel_id: 'bread' })
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringMatching(/value="bread" checked/)])
    expect(await namesOf(alice)).toEqual(['Calm', 'Food'])
  })

  it('is deleted at once, and comes back with its channels by Undo', async () => {
    const alice = await personWith(sql, 'alice', 'bread', ['b1'])
    const { group_id } = await alice.library.groups.create('Food')
    await alice.library.groups.addChannels(group_id, ['bread'])

    const deleted = await send(alice, `/groups/${group_id}/delete`)
    expect(flashOf(deleted)).toMatchObject({ undo: { do: 'restore_group', group_id } })
    expect(await namesOf(alice)).toEqual([])
    expect((await ask(`/groups/${group_id}`, { as: alice })).status).toBe(404)

    await send(alice, `/groups/${group_id}/restore`)
    expect(await alice.library.groups.list()).toMatchObject([{ name: 'Food', channels: 1 }])
  })

  it('a name from right to left does not reorder the messages', async ({ alice }) => {
    const { group_id } = await alice.library.groups.create('وثائقيات')
    const deleted = await send(alice, `/groups/${group_id}/delete`)
    expect(flashOf(deleted)).toMatchObject({ text: 'Deleted the group \u2068وثائقيات\u2069. Its channels stay.' })
    const restored = await send(alice, `/groups/${group_id}/restore`)
    expect(flashOf(restored)).toMatchObject({ text: 'Restored the group \u2068وثائقيات\u2069.' })
  })

  it('stays deleted while another group has its name, and says so', async ({ alice }) => {
    const { group_id } = await alice.library.groups.create('Food')
    await alice.library.groups.remove(group_id)
    await alice.library.groups.create('food')
    const refused = await send(alice, `/groups/${group_id}/restore`)
    expect(flashOf(refused)).toMatchObject({ kind: 'problem', text: expect.stringContaining('by now') })
    expect(await namesOf(alice)).toEqual(['food'])
  })

  it('stays deleted while there are as many groups as there can be, and says so', async ({ alice }) => {
    const { group_id } = await alice.library.groups.create('Food')
    await alice.library.groups.remove(group_id)
    await sql`
      insert into groups (user_id, name)
      select ${alice.user.user_id}, 'Group ' || n from generate_series(1, ${max_groups}) n`
    const refused = await send(alice, `/groups/${group_id}/restore`)
    expect(flashOf(refused)).toMatchObject({ kind: 'problem', text: expect.stringContaining('the most there can be') })
  })
})

describe('the groups of a channel', () => {
  it('are chosen from all groups, and a new one can be added', async () => {
    const alice = await personWith(sql, 'alice', 'bread', ['b1'])
    const [food, calm] = [await alice.library.groups.create('Food'), await alice.library.groups.create('Calm')]
    await alice.library.groups.addChannels(food.group_id, ['bread'])
    expect(await textOf(alice, '/channels/bread')).toContain('href="/channels/bread/groups"')
    expect(await textOf(alice, '/channels/bread/groups')).toMatch(new RegExp(`value="${food.group_id}" checked`))

    const saved = await send(alice, '/channels/bread/groups', { group_id: calm.group_id, name: 'Evening' })
    expect([saved.status, saved.headers.get('location')]).toEqual([303, '/channels/bread'])
    const counts = (await alice.library.groups.list()).map(({ name, channels }) => [name, channels])
    expect(counts).toEqual([
      ['Calm', 1],
      ['Evening', 1],
      ['Food', 0],
    ])

    await send(alice, '/channels/bread/groups', { name: ' ' })
    expect((await alice.library.channels.find('bread'))?.group_ids).toEqual([])
  })

  it('a new group with a known name is refused, and the page keeps what was chosen', async () => {
    const alice = await personWith(sql, 'alice', 'bread', ['b1'])
    const { group_id } = await alice.library.groups.create('Food')
    const refused = await send(alice, '/channels/bread/groups', { group_id, name: 'food' })
    expect(refused.status).toBe(409)
    expect(await refused.text()).toMatch(/checked[\s\S]*You have a group with this name/)
  })
})
