/** The bells of channels and groups, by the API and by forms. */
import { expect, it } from 'vitest'
import { useApp } from '../../support/app/app.ts'
import { type Person, person, personWith } from '../../support/app/people.ts'
import { flashOf } from '../../support/app/sign-in.ts'

const app = useApp()
const { ask, sql, jsonAt, textAt } = app

async function bellOf(as: Person, channel_id: string): Promise<boolean | undefined> {
  const { channels } = await jsonAt('/api/channels', { as })
  return channels.find((channel: { channel_id: string }) => channel.channel_id === channel_id)?.bell
}

it('a bell of a channel is switched on and off, by JSON and by a form', async () => {
  const alice = await personWith(sql, 'alice', 'bread', ['b1'])
  const path = '/api/channels/bread'
  expect(await bellOf(alice, 'bread')).toBe(false)

  expect((await ask(`${path}/bell`, { as: alice, method: 'PUT' })).status).toBe(204)
  expect(await bellOf(alice, 'bread')).toBe(true)
  expect((await ask(`${path}/bell`, { as: alice, method: 'DELETE' })).status).toBe(204)
  expect(await bellOf(alice, 'bread')).toBe(false)

  expect((await ask('/channels/bread/bell', { as: alice, form: { bell: 'on' } })).status).toBe(303)
  expect(await bellOf(alice, 'bread')).toBe(true)
  expect((await ask('/channels/bread/bell', { as: alice, form: {} })).status).toBe(303)
  expect(await bellOf(alice, 'bread')).toBe(false)
})

it('a bell of a group is switched on and off, by JSON and by a form', async () => {
  const alice = await personWith(sql, 'alice', 'bread', ['b1'])
  const { group_id } = await alice.library.groups.create('Food')
  const bell = async () => (await alice.library.groups.find(group_id))?.bell

  expect((await ask(`/api/groups/${group_id}/bell`, { as: alice, method: 'PUT' })).status).toBe(204)
  expect(await bell()).toBe(true)
  expect((await ask(`/api/groups/${group_id}/bell`, { as: alice, method: 'DELETE' })).status).toBe(204)
  expect(await bell()).toBe(false)
  expect((await ask(`/groups/${group_id}/bell`, { as: alice, form: { bell: 'on' } })).status).toBe(303)
  expect(await bell()).toBe(true)
})

it('a bell without a target says where to choose one', async () => {
  const alice = await personWith(sql, 'alice', 'bread', ['b1'])
  const ring = async (form: Record<string, string>) =>
    flashOf(await ask('/channels/bread/bell', { as: alice, form })).text

  expect(await ring({ bell: 'on' })).toContain('Choose in Settings, Notifications, where you are notified.')
  const htmx = { as: alice, form: { bell: 'on' }, headers: { 'HX-Request': 'true' } }
  expect(await textAt('/channels/bread/bell', htmx)).toContain('href="/settings/notifications"')
  expect(await ring({})).not.toContain('Choose')

  await alice.library.targets.add({
    kind: 'ntfy',
    address: 'https://ntfy.example/a',
    token_or_key: null,
    events: ['new_video'],
  })
  expect(await ring({ bell: 'on' })).not.toContain('Choose')
})

it('a bell of another person is not found, and stays as it is', async () => {
  const alice = await personWith(sql, 'alice', 'hers', ['h1'])
  const { group_id } = await alice.library.groups.create('Food')
  const bob = await person(sql, 'bob')

  for (const path of ['/api/channels/hers/bell', `/api/groups/${group_id}/bell`, '/api/groups/none/bell'])
    for (const method of ['PUT', 'DELETE']) expect((await ask(path, { as: bob, method })).status).toBe(404)
  for (const path of ['/channels/hers/bell', `/groups/${group_id}/bell`])
    expect((await ask(path, { as: bob, form: { bell: 'on' } })).status).toBe(404)

  expect(await bellOf(alice, 'hers')).toBe(false)
  expect((await alice.library.groups.find(group_id))?.bell).toBe(false)
})
