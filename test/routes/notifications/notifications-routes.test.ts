/** The targets of a person's notifications, through the API. */
import { describe, expect, it } from 'vitest'
import { max_new_mailboxes_a_day, max_tests_an_hour } from '../../../src/domain/notifications/targets.ts'
import { addressPolicy } from '../../../src/net/addresses.ts'
import { max_mailboxes, max_targets, type Target } from '../../../src/schema/notifications/target.ts'
import { makeWebPushKeys } from '../../../src/senders/browser.ts'
import { createSender } from '../../../src/senders/send.ts'
import { type Ask, useApp } from '../../support/app/app.ts'
import { administrator, type Person, person } from '../../support/app/people.ts'
import { pushService } from '../../support/media/push-service.ts'
import { receiver } from '../../support/media/receiver.ts'

const policy = addressPolicy(['127.0.0.1'])
const keys = await makeWebPushKeys()
const send = createSender({ policy, webPushKeys: async () => keys, config: {} })
const { ask, sql, jsonAt, textAt } = useApp({
  SMTP_URL: 'smtp://127.0.0.1:1',
  sendMessage: async (message, target) => (target.kind === 'mail' ? { delivered: true } : send(message, target)),
})
const without_mail = useApp()

const hook = { kind: 'webhook', address: 'https://hook.example/1', secret: 'a-secret-key', events: ['new_video'] }
const mailbox = { kind: 'mail', address: 'alice@example.org', events: ['new_video'] }
const add = (as: Person, json: object) => ask('/api/notifications', { as, json })
const added = async (as: Person, json: object) => (await (await add(as, json)).json()) as Target
const at = (target: Target, more = '') => `/api/notifications/${target.target_id}${more}`
const test = (as: Person, target: Target) => ask(at(target, '/test'), { as, method: 'POST' })
const listed = async (as: Person) => ((await jsonAt('/api/notifications', { as })) as { targets: Target[] }).targets

describe('a target', () => {
  it('is added, listed, changed and removed, and its secret is in no answer', async () => {
    const alice = await person(sql, 'alice')
    const answers: string[] = []
    const noted = async (path: string, more: Omit<Ask, 'as'> = {}) => {
      const answer = await ask(path, { as: alice, ...more })
      answers.push(await answer.clone().text())
      return answer
    }
    const created = await noted('/api/notifications', { json: hook })
    expect(created.status).toBe(201)
    const target = (await created.json()) as Target
    expect(target).toMatchObject({
      kind: 'webhook',
      address: hook.address,
      has_secret: true,
      events: ['new_video'],
      delivered_at: null,
      fault: null,
    })
    const json = {
      address: 'https://hook.example/2',
      secret: 'another-secret',
      events: ['space', 'new_video', 'space'],
    }
    const changed = await noted(at(target), { method: 'PATCH', json })
    expect(await changed.json()).toMatchObject({
      address: json.address,
      has_secret: true,
      events: ['new_video', 'space'],
    })
    const without = await noted(at(target), { method: 'PATCH', json: { secret: null } })
    expect(await without.json()).toMatchObject({ address: json.address, has_secret: false })
    await noted('/api/notifications')
    expect(answers.join()).not.toMatch(/a-secret-key|another-secret/)
    expect((await noted(at(target), { method: 'DELETE' })).status).toBe(204)
    expect(await listed(alice)).toEqual([])
  })

  it.each([
    ['a webhook of another protocol', { ...hook, address: 'file:///etc/passwd' }, 'address'],
    ['a password in the address', { ...hook, address: 'https://me:secret@hook.example/' }, 'address'],
    ['a line break in the address', { ...hook, address: 'https://hook.example/%0d%0aX: y' }, 'address'],
    ['a line break in the secret', { ...hook, secret: 'a\r\nX: y' }, 'secret'],
    ['a topic without a name', { ...hook, kind: 'ntfy', address: 'https://ntfy.example/' }, 'address'],
    ['two mailboxes in one', { ...mailbox, address: 'alice@example.org, bob@example.org' }, 'address'],
    ['a mailbox with a header', { ...mailbox, address: 'alice@example.org\r\nBcc: bob@example.org' }, 'address'],
    ['a mailbox with a name', { ...mailbox, address: 'Alice <alice@example.org>' }, 'address'],
    ['a secret for mail', { ...mailbox, secret: 'mine' }, 'secret'],
    ['no event', { ...hook, events: [] }, 'events'],
    ['an unknown event', { ...hook, events: ['everything'] }, 'events.0'],
    ['the service, as a member', { ...hook, events: ['service'] }, 'events'],
    ['an unknown kind', { ...hook, kind: 'pager' }, 'kind'],
  ])('with %s is refused at its field', async (_, wrong, field) => {
    await administrator(sql, 'first')
    const alice = await person(sql, 'alice')
    const answer = await add(alice, wrong)
    expect(answer.status).toBe(422)
    expect(((await answer.json()) as { errors: object }).errors).toHaveProperty([field])
    expect(await listed(alice)).toEqual([])
  })

  it('may be about the service for administrators only', async () => {
    const admin = await administrator(sql, 'admin')
    expect((await add(admin, { ...hook, events: ['service'] })).status).toBe(201)
  })

  it('is there once for each address', async () => {
    const alice = await person(sql, 'alice')
    const target = await added(alice, hook)
    expect((await add(alice, hook)).status).toBe(409)
    const other = await added(alice, { ...hook, address: 'https://hook.example/other' })
    expect((await ask(at(other), { as: alice, method: 'PATCH', json: { address: target.address } })).status).toBe(409)
    const bob = await person(sql, 'bob')
    expect((await add(bob, hook)).status).toBe(201)
  })

  it('is refused when there are twenty, even for requests at the same moment', async () => {
    const alice = await person(sql, 'alice')
    const adding = Array.from({ length: max_targets + 5 }, (_, nth) =>
      add(alice, { ...hook, address: `https://hook.example/${nth}` }),
    )
    const statuses = (await Promise.all(adding)).map(({ status }) => status)
    expect(statuses.filter(status => status === 201)).toHaveLength(max_targets)
    expect(statuses.filter(status => status === 409)).toHaveLength(5)
  })
})

describe('a test message', () => {
  it('says that it arrived, and the target says when', async () => {
    const alice = await person(sql, 'alice')
    const there = await receiver()
    const target = await added(alice, { ...hook, address: there.url })
    const answer = await test(alice, target)
    expect(await answer.json()).toMatchObject({ delivered: true })
    expect(JSON.parse(String(there.requests[0]?.body))).toMatchObject({ title: 'A test from Backlot', videos: [] })
    expect((await listed(alice))[0]).toMatchObject({ fault: null, delivered_at: expect.any(String) })
  })

  it('shows the status of the receiver, and no word of its answer', async () => {
    const alice = await person(sql, 'alice')
    const there = await receiver(500)
    const target = await added(alice, { ...hook, address: there.url })
    const detail = 'The receiver answered with status 500.'
    expect(await (await test(alice, target)).json()).toEqual({ delivered: false, detail })
    expect(await listed(alice)).toMatchObject([{ fault: detail, delivered_at: null }])
  })

  it('gives one answer for every address inside and for unknown names', async () => {
    const alice = await person(sql, 'alice')
    const answers = new Set<string>()
    for (const address of [
      'http://10.0.0.1/',
      'http://localhost:1/',
      'http://no-such-name.invalid/',
      'http://169.254.169.254/',
    ])
      answers.add(await (await test(alice, await added(alice, { ...hook, address }))).text())
    expect([...answers]).toEqual([expect.stringContaining('does not lead to a public site')])
  })

  it('is sent ten times an hour at most, over all targets of a person', async () => {
    const [alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
    const there = await receiver()
    const targets = [await added(alice, { ...hook, address: there.url }), await added(alice, mailbox)] as const
    for (let nth = 0; nth < max_tests_an_hour; nth++)
      expect((await test(alice, targets[nth % 2 === 0 ? 0 : 1])).status).toBe(200)
    const refused = await test(alice, targets[1])
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
    expect((await test(bob, await added(bob, { ...hook, address: there.url }))).status).toBe(200)
  })
})

describe('mail', () => {
  it('goes to three mailboxes at most', async () => {
    const alice = await person(sql, 'alice')
    const addTo = (nth: number) => add(alice, { ...mailbox, address: `${nth}@example.org` })
    const statuses = []
    for (let nth = 0; nth <= max_mailboxes; nth++) statuses.push((await addTo(nth)).status)
    expect(statuses).toEqual([...Array(max_mailboxes).fill(201), 409])
  })

  it('goes to five new mailboxes a day at most, however they are added, removed and changed', async () => {
    const alice = await person(sql, 'alice')
    let target = await added(alice, { ...mailbox, address: '0@example.org' })
    for (let nth = 1; nth < max_new_mailboxes_a_day; nth++) {
      if (nth % 2 === 0) {
        await ask(at(target), { as: alice, method: 'DELETE' })
        target = await added(alice, { ...mailbox, address: `${nth}@example.org` })
      } else {
        const changed = await ask(at(target), { as: alice, method: 'PATCH', json: { address: `${nth}@example.org` } })
        expect(changed.status).toBe(200)
      }
    }
    const json = { address: 'one-more@example.org' }
    expect((await ask(at(target), { as: alice, method: 'PATCH', json })).status).toBe(429)
    expect((await add(alice, { ...mailbox, ...json })).status).toBe(429)
    expect((await ask(at(target), { as: alice, method: 'PATCH', json: { events: ['space'] } })).status).toBe(200)
  })

  it('is refused in words while the operator names no mail server', async () => {
    const alice = await person(without_mail.sql, 'alice')
    const answer = await without_mail.ask('/api/notifications', { as: alice, json: mailbox })
    expect(answer.status).toBe(409)
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('SMTP_URL') })
  })

  it('is ended by the POST of a mail program, without a sign-in, and by no GET', async () => {
    const alice = await person(sql, 'alice')
    const target = await added(alice, mailbox)
    const path = await endPath(alice, target)
    const page = await ask(path)
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(await listed(alice)).toHaveLength(1)
    // The mail program may run on a page of another site.
    const headers = { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' }
    expect((await ask(path, { form: { 'List-Unsubscribe': 'One-Click' }, headers })).status).toBe(200)
    expect(await listed(alice)).toEqual([])
  })

  it('has a page that tells no one whether a link works, and names neither person nor mailbox', async () => {
    const alice = await person(sql, 'alice')
    const path = await endPath(alice, await added(alice, mailbox))
    const wrong = `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`
    for (const method of ['GET', 'POST']) {
      const [right, other] = [await ask(wrong, { method }), await ask(path, { method })]
      expect(right.status).toBe(other.status)
      expect((await right.text()).replace(wrong, path)).toBe(await other.text())
    }
    expect(await textAt(path)).not.toMatch(/alice|example\.org/)
    expect(await textAt('/mails/%22%3E%3Cscript%3E')).not.toContain('<script')
  })

  it('is not ended by the link that was sent to a former mailbox', async () => {
    const alice = await person(sql, 'alice')
    const target = await added(alice, mailbox)
    const former = await endPath(alice, target)
    await ask(at(target), { as: alice, method: 'PATCH', json: { address: 'new@example.org' } })
    await ask(former, { method: 'POST' })
    expect(await listed(alice)).toMatchObject([{ address: 'new@example.org' }])
  })

  it.each(['', '-', `${'0'.repeat(32)}-${'A'.repeat(32)}`, '%00', `${'f'.repeat(32)}-`, 'x'.repeat(5000)])(
    'is not ended by the link %j',
    async token => {
      const alice = await person(sql, 'alice')
      await added(alice, mailbox)
      await ask(`/mails/${token}`, { method: 'POST' })
      expect(await listed(alice)).toHaveLength(1)
    },
  )

  /** The path of the link that a mail would have. */
  async function endPath(as: Person, target: Target): Promise<string> {
    const { token_or_key } = (await as.library.targets.findToSend(target.target_id)) ?? {}
    expect(token_or_key).toMatch(/^[0-9a-f]{32}-[\w-]{32}$/)
    return `/mails/${token_or_key}`
  }
})

describe('a browser', () => {
  const json = (service: Awaited<ReturnType<typeof pushService>>) => ({ ...service.subscription, expirationTime: null })

  it('is switched on, gets a message that it decrypts with the key of the page, and is switched off', async () => {
    const alice = await person(sql, 'alice')
    const service = await pushService()
    const created = await ask('/api/notifications/browsers', { as: alice, json: json(service) })
    expect(created.status).toBe(201)
    const target = (await created.json()) as Target
    expect(target).toMatchObject({
      kind: 'browser',
      events: ['new_video', 'download_completed', 'download_failed', 'space'],
    })
    expect(JSON.stringify(target)).not.toContain(service.subscription.keys.auth)
    // Everyone who has the whole address can send to the browser, if its push service asks for no identity.
    expect(target.address).toBe(new URL(service.subscription.endpoint).origin)
    expect(await listed(alice)).toMatchObject([{ address: target.address }])
    expect(await (await test(alice, target)).json()).toMatchObject({ delivered: true })
    expect(service.messages()).toMatchObject([{ title: 'A test from Backlot' }])
    const { endpoint } = service.subscription
    expect((await ask('/api/notifications/browsers', { as: alice, method: 'DELETE', json: { endpoint } })).status).toBe(
      204,
    )
    expect(await listed(alice)).toEqual([])
  })

  it('is one target however often it is switched on, with its new keys and its chosen events', async () => {
    const alice = await person(sql, 'alice')
    const [service, renewed] = [await pushService(), await pushService()]
    await ask('/api/notifications/browsers', { as: alice, json: { ...json(service), events: ['space'] } })
    const again = { ...json(service), keys: renewed.subscription.keys }
    await ask('/api/notifications/browsers', { as: alice, json: again })
    expect(await listed(alice)).toMatchObject([{ events: ['space'] }])
    const [stored] = await sql<
      { secret: string }[]
    >`select secret from notification_targets where user_id = ${alice.user.user_id}`
    expect(JSON.parse(stored?.secret ?? '')).toEqual(renewed.subscription.keys)
  })

  it('that is known gets its new keys although there are twenty targets', async () => {
    const alice = await person(sql, 'alice')
    const service = await pushService()
    await ask('/api/notifications/browsers', { as: alice, json: json(service) })
    for (let nth = 1; nth < max_targets; nth++) await added(alice, { ...hook, address: `https://hook.example/${nth}` })
    expect((await ask('/api/notifications/browsers', { as: alice, json: json(service) })).status).toBe(201)
    expect(await listed(alice)).toHaveLength(max_targets)
  })

  it('that the push service no longer knows is no target any more', async () => {
    const alice = await person(sql, 'alice')
    const service = await pushService({ status: 410 })
    const created = await ask('/api/notifications/browsers', { as: alice, json: json(service) })
    const answer = await test(alice, (await created.json()) as Target)
    expect(await answer.json()).toEqual({
      delivered: false,
      detail: 'The push service no longer knows this browser (410).',
    })
    expect(await listed(alice)).toEqual([])
  })

  it('that is gone at a test from its page leads to the page of all targets', async () => {
    const alice = await person(sql, 'alice')
    const service = await pushService({ status: 410 })
    const created = await ask('/api/notifications/browsers', { as: alice, json: json(service) })
    const { target_id } = (await created.json()) as Target
    const answer = await ask(`/settings/notifications/${target_id}/test`, { as: alice, method: 'POST' })
    expect(answer.headers.get('location')).toBe('/settings/notifications')
  })
})
