/** The settings of notifications. */
import { describe, expect } from 'vitest'
import type { Message } from '../../../src/schema/notifications/message.ts'
import { useApp, withPeople } from '../../support/app/app.ts'
import { administrator, type Person, person } from '../../support/app/people.ts'
import { flashOf } from '../../support/app/sign-in.ts'

const sent: Message[] = []
const app = useApp({
  sendMessage: async (message, { address }) => {
    sent.push(message)
    return address.includes('broken')
      ? { delivered: false, detail: 'The other side answered 500.', retry: true }
      : { delivered: true }
  },
})
const { ask, sql, textAt } = app
const it = withPeople(app)

const home = '/settings/notifications'
const send = (as: Person, path: string, form: Record<string, string | string[]> = {}) => ask(path, { as, form })
const textOf = async (as: Person, path = home) => textAt(path, { as })
const topic = {
  kind: 'ntfy',
  address: 'https://ntfy.example/films',
  secret: 'tk_secret',
  events: ['new_video', 'space'],
}
const hook = { kind: 'webhook', address: 'https://hook.example/in', secret: '', events: 'space' }
const targets = ({ library }: Person) => library.targets.list()

/** The page of the only target. */
async function added(as: Person, form: Record<string, string | string[]> = topic) {
  const answer = await send(as, home, form)
  expect(answer.status).toBe(303)
  return answer.headers.get('location') ?? ''
}

describe('a target', () => {
  it('is added, shown without its secret, changed, and removed', async ({ alice }) => {
    const path = await added(alice)
    expect(await targets(alice)).toMatchObject([{ kind: 'ntfy', has_secret: true, events: ['new_video', 'space'] }])
    expect(await textOf(alice)).toContain('https://ntfy.example/films')
    expect((await textOf(alice)) + (await textOf(alice, path))).not.toContain('tk_secret')

    const changed = await send(alice, path, { address: 'https://ntfy.example/other', secret: '', events: 'space' })
    expect([changed.status, changed.headers.get('location')]).toEqual([303, home])
    expect(await targets(alice)).toMatchObject([
      { address: 'https://ntfy.example/other', has_secret: true, events: ['space'] },
    ])
    await send(alice, path, { address: 'https://ntfy.example/other', forgets_secret: 'on', events: 'space' })
    expect(await targets(alice)).toMatchObject([{ has_secret: false }])

    expect((await send(alice, `${path}/remove`)).status).toBe(303)
    expect(await targets(alice)).toEqual([])
    expect((await ask(path, { as: alice })).status).toBe(404)
  })

  it.each([
    [{ kind: 'ntfy', address: 'nowhere', events: 'space' }, 'Enter an address that starts with http:// or https://'],
    [{ kind: 'webhook', address: 'https://hook.example/' }, 'Choose at least one event.'],
    [{ kind: 'mail', address: 'alice@example.org', events: 'space' }, 'This service sends no mail'],
    [{ kind: 'webhook', address: 'https://hook.example/', events: 'service' }, 'Only administrators are notified'],
  ])('%j is refused, and shown again as it was typed', async (form, sentence) => {
    const alice = await person(sql, 'alice')
    const refused = await send(alice, home, form)
    const page = await refused.text()
    expect([409, 422]).toContain(refused.status)
    for (const words of [sentence, `value="${form.address}"`, '<details class="more" open'])
      expect(page).toContain(words)
    expect(await targets(alice)).toEqual([])
  })

  it('a wrong change is refused, and shown again', async ({ alice }) => {
    const refused = await send(alice, await added(alice), { address: 'nowhere', events: 'space' })
    const page = await refused.text()
    expect([refused.status, page.includes('value="nowhere"')]).toEqual([422, true])
    expect(await targets(alice)).toMatchObject([{ address: topic.address }])
  })

  it('a test says in words whether it arrived', async ({ alice }) => {
    const works = await added(alice)
    const fails = await added(alice, { ...hook, address: 'https://broken.example/in' })

    const [good, bad] = [await send(alice, `${works}/test`), await send(alice, `${fails}/test`)]

    expect([good.status, good.headers.get('location')]).toEqual([303, works])
    expect(flashOf(good)).toMatchObject({ kind: 'done' })
    expect(flashOf(bad)).toMatchObject({ kind: 'problem', text: 'The other side answered 500.' })
    expect(sent.map(({ title }) => title)).toContain('A test from Backlot')
    expect(await textOf(alice)).toContain('The other side answered 500.')
  })

  it('of another person is neither shown, changed, tested nor removed', async ({ alice, bob }) => {
    const path = await added(alice)
    expect((await ask(path, { as: bob })).status).toBe(404)
    for (const end of ['', '/test', '/remove'])
      expect((await send(bob, path + end, { address: 'https://bob.example/films', events: 'space' })).status).toBe(404)
    expect(await targets(alice)).toMatchObject([{ address: topic.address }])
    expect(await textOf(bob)).not.toContain('ntfy.example')
  })

  it('only administrators are offered the problems of the service', async () => {
    const [admin, alice] = [await administrator(sql, 'admin'), await person(sql, 'alice')]
    const offers = await Promise.all([admin, alice].map(async as => (await textOf(as)).includes('value="service"')))
    expect(offers).toEqual([true, false])
  })
})

describe('quiet hours', () => {
  const times = { quiet_from: '22:30', quiet_to: '07:00', time_zone: 'Europe/Zurich', messages_a_day: '20' }
  const saved = async ({ library }: Person) => {
    const { quiet_from, quiet_to, time_zone, messages_a_day } = await library.settings.get()
    return { quiet_from, quiet_to, time_zone, messages_a_day }
  }

  it('are saved with the time zone of the browser and a limit, and end when both times are empty', async () => {
    const alice = await person(sql, 'alice')
    const cookie = `${alice.cookie}; time_zone=Asia%2FTokyo`
    const offered = async () => {
      const page = await textAt(home, { headers: { cookie } })
      return [...page.matchAll(/<option value="([A-Z]\w+\/\w+|UTC)"( selected)?/g)].map(([, zone, is]) => [zone, !!is])
    }
    expect(await offered()).toEqual([['Asia/Tokyo', true]])

    expect((await send(alice, `${home}/times`, times)).status).toBe(303)
    expect(await saved(alice)).toEqual({ ...times, messages_a_day: 20 })
    expect(await offered()).toEqual([
      ['Europe/Zurich', true],
      ['Asia/Tokyo', false],
    ])

    await send(alice, `${home}/times`, { ...times, quiet_from: '', quiet_to: '' })
    expect(await saved(alice)).toMatchObject({ quiet_from: null, quiet_to: null })
  })

  it.each([
    [{ quiet_to: '' }, 'Fill in both times, or neither.'],
    [{ quiet_from: '25:00' }, 'Use a time such as 22:30.'],
    [{ time_zone: 'Mars/Base' }, 'Use the name of a time zone'],
    [{ messages_a_day: '0' }, ''],
    [{ messages_a_day: 'all' }, ''],
  ])('%j is refused', async (wrong, sentence) => {
    const alice = await person(sql, 'alice')
    const before = await saved(alice)
    const refused = await send(alice, `${home}/times`, { ...times, ...wrong })
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining(sentence)])
    expect(await saved(alice)).toEqual(before)
  })
})
