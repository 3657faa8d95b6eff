/** Groups of channels, by the API. */
import { describe, expect } from 'vitest'
import { unfollowChannel } from '../../../src/domain/channels/channels.ts'
import { max_groups } from '../../../src/schema/channels/group.ts'
import { useApp, withPeople } from '../../support/app/app.ts'
import { entry, follows, type Person, person, personWith } from '../../support/app/people.ts'

const app = useApp()
const { ask, sql, jsonAt } = app
const it = withPeople(app)
const none = '00000000-0000-4000-8000-000000000000'

const create = async (as: Person, name: string) => jsonAt('/api/groups', { as, json: { name } })
const listOf = async (as: Person) => (await jsonAt('/api/groups', { as })).groups
const choose = (as: Person, channel_id: string, group_ids: string[]) =>
  ask(`/api/channels/${channel_id}/groups`, { as, method: 'PUT', json: { group_ids } })

describe('groups', () => {
  it('a group counts its channels, and what each of them has neither watched nor dismissed', async () => {
    const alice = await personWith(sql, 'alice', 'bread', ['b1', 'b2', 'b3'])
    await follows(alice, 'tea', ['t1', 'b3'])
    await follows(alice, 'none', ['n1'])
    const { group_id } = await create(alice, '  Food \n and drink ')
    expect(await listOf(alice)).toEqual([{ group_id, name: 'Food and drink', channels: 0, bell: false, unwatched: 0 }])

    for (const channel_id of ['bread', 'tea'])
      expect(await (await choose(alice, channel_id, [group_id])).json()).toMatchObject({
        channel_id,
        group_ids: [group_id],
      })
    expect(await listOf(alice)).toMatchObject([{ channels: 2, unwatched: 5 }])

    await alice.library.viewings.record('b1', { seen: true })
    await alice.library.viewings.record('t1', { not_for_me: true })
    expect(await listOf(alice)).toMatchObject([{ channels: 2, unwatched: 3 }])
  })

  it('a channel is in exactly the groups that are sent, and in none of them if one is missing', async () => {
    const alice = await personWith(sql, 'alice', 'bread', ['b1'])
    const [food, calm] = [await create(alice, 'Food'), await create(alice, 'Calm')]
    await choose(alice, 'bread', [food.group_id, calm.group_id])
    expect((await alice.library.channels.find('bread'))?.group_ids).toEqual([calm.group_id, food.group_id])

    for (const missing of [none, (await create(await person(sql, 'bob'), 'His')).group_id])
      expect((await choose(alice, 'bread', [missing])).status).toBe(404)
    expect((await choose(alice, 'gone', [food.group_id])).status).toBe(404)
    expect((await choose(alice, 'bread', ['food'])).status).toBe(422)
    expect((await alice.library.channels.find('bread'))?.group_ids).toHaveLength(2)

    await choose(alice, 'bread', [])
    expect((await alice.library.channels.find('bread'))?.group_ids).toEqual([])
  })

  it('two groups of one person differ in their names, whatever the case', async ({ alice, bob }) => {
    const { group_id } = await create(alice, 'Food')
    const { group_id: other } = await create(alice, 'Calm')
    expect((await ask('/api/groups', { as: alice, json: { name: 'FOOD' } })).status).toBe(409)
    expect((await ask(`/api/groups/${other}`, { as: alice, method: 'PUT', json: { name: 'food' } })).status).toBe(409)
    const renamed = await ask(`/api/groups/${group_id}`, { as: alice, method: 'PUT', json: { name: 'FOOD' } })
    expect(await renamed.json()).toMatchObject({ group_id, name: 'FOOD' })
    expect((await ask('/api/groups', { as: bob, json: { name: 'Food' } })).status).toBe(201)
  })

  it('a name has 1 to 60 characters', async ({ alice }) => {
    for (const name of ['', ' \n ', '𝔸'.repeat(61)])
      expect((await ask('/api/groups', { as: alice, json: { name } })).status).toBe(422)
    for (const name of ['x', '𝔸'.repeat(60), 'وثائقيات'])
      expect((await ask('/api/groups', { as: alice, json: { name } })).status).toBe(201)
  })

  it('a person has at most 100 groups', async ({ alice }) => {
    await sql`
      insert into groups (user_id, name)
      select ${alice.user.user_id}, 'Group ' || n from generate_series(1, ${max_groups}) n`
    const refused = await ask('/api/groups', { as: alice, json: { name: 'One more' } })
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { detail: expect.stringContaining('Delete one') },
    ])
  })

  it('a deleted group keeps its channels until it is restored', async () => {
    const alice = await personWith(sql, 'alice', 'bread', ['b1'])
    const { group_id } = await create(alice, 'Food')
    await choose(alice, 'bread', [group_id])
    const remove = () => ask(`/api/groups/${group_id}`, { as: alice, method: 'DELETE' })
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 404])
    expect(await listOf(alice)).toEqual([])
    expect((await alice.library.channels.find('bread'))?.group_ids).toEqual([])
    expect((await choose(alice, 'bread', [group_id])).status).toBe(404)

    await alice.library.groups.restore(group_id)
    expect(await listOf(alice)).toMatchObject([{ group_id, name: 'Food', channels: 1 }])

    await remove()
    await create(alice, 'food')
    await expect(alice.library.groups.restore(group_id)).rejects.toThrow('You have another group called Food by now.')
  })

  it('a group that would be one too many is not restored', async ({ alice }) => {
    const { group_id } = await create(alice, 'Food')
    await alice.library.groups.remove(group_id)
    await sql`
      insert into groups (user_id, name)
      select ${alice.user.user_id}, 'Group ' || n from generate_series(1, ${max_groups}) n`
    await expect(alice.library.groups.restore(group_id)).rejects.toMatchObject({ code: 'invalid' })
    expect(await listOf(alice)).toHaveLength(max_groups)

    // One that is here already needs no room.
    const [{ group_id: here } = { group_id: none }] = await alice.library.groups.list()
    expect(await alice.library.groups.restore(here)).toMatchObject({ group_id: here })
  })

  it('only the newest 100 deleted groups can be restored', async ({ alice }) => {
    await sql`
      insert into groups (user_id, name, deleted_at)
      select ${alice.user.user_id}, 'Group ' || n, now() - n * interval '1 minute' from generate_series(1, 150) n`
    const { group_id } = await create(alice, 'Food')
    await alice.library.groups.remove(group_id)
    const kept = await sql<{ name: string }[]>`
      select name from groups where user_id = ${alice.user.user_id} order by deleted_at desc`
    expect([kept.length, kept[0]?.name, kept.at(-1)?.name]).toEqual([100, 'Food', 'Group 99'])
  })

  it('a group that was deleted a day ago is gone', async ({ alice }) => {
    const [old, late] = [await create(alice, 'Old'), await create(alice, 'Late')]
    await alice.library.groups.remove(old.group_id)
    await sql`update groups set deleted_at = now() - interval '25 hours' where group_id = ${old.group_id}`
    await alice.library.groups.remove(late.group_id)
    expect(await alice.library.groups.restore(old.group_id)).toBeUndefined()
    expect(await alice.library.groups.restore(late.group_id)).toMatchObject({ name: 'Late' })
  })

  it('several channels are added at once, and those of others are left out', async () => {
    const alice = await personWith(sql, 'alice', 'bread', [])
    await follows(alice, 'tea', [])
    await personWith(sql, 'bob', 'his', [])
    const { group_id } = await create(alice, 'Food')
    await choose(alice, 'tea', [group_id])
    expect(await alice.library.groups.addChannels(group_id, ['bread', 'tea', 'his'])).toBe(1)
    expect(await alice.library.groups.addChannels(none, ['bread'])).toBeUndefined()
    expect(await listOf(alice)).toMatchObject([{ channels: 2 }])
  })

  it('a channel returns from the bin into its groups', async () => {
    const alice = await personWith(sql, 'alice', 'bread', ['b1'])
    const { group_id } = await create(alice, 'Food')
    await choose(alice, 'bread', [group_id])
    const bin = { hours: 24, quota_bytes: 0 }
    await unfollowChannel(alice.library, { files: app.files, bin }, 'bread')
    expect(await listOf(alice)).toMatchObject([{ channels: 0 }])
    await alice.library.bin.restoreChannel('bread', bin)
    expect(await listOf(alice)).toMatchObject([{ channels: 1 }])
  })

  it('no video that loading older videos brought is counted', async () => {
    const alice = await personWith(sql, 'alice', 'bread', ['b1'])
    await follows(alice, 'bread', [entry('old', { published_at: new Date('2015-01-01') })], { title: 'Bread' })
    await sql`update video_entries set source = 'listing' where video_id = 'old' and user_id = ${alice.user.user_id}`
    const { group_id } = await create(alice, 'Food')
    await choose(alice, 'bread', [group_id])
    expect(await listOf(alice)).toMatchObject([{ unwatched: 1 }])
  })
})
