/** The callback of hubs: what it confirms, what it refuses, and what a delivery leads to. */
import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { everyoneIn } from '../../../src/db/everyone.ts'
import { addSubscriptions } from '../../../src/db/push/everyone/push-subscriptions.ts'
import { window_s } from '../../../src/db/push/push-callbacks.ts'
import { anotherApp, useApp } from '../../support/app/app.ts'
import { person } from '../../support/app/people.ts'
import { served } from '../../support/app/pushed.ts'
import { signatureOf } from '../../support/media/websub-hub.ts'

const app = useApp({ HOST: '127.0.0.1', PUBLIC_URL: 'https://tv.example.org' })
const { sql, ask } = app

const rss_url = 'https://videos.example/kitchen.xml'
const topic = 'https://videos.example/self'
const secret = 'f'.repeat(64)
const push_id = randomBytes(24).toString('base64url')
const path = `/push/${push_id}`

/** A subscription that was requested. */
async function requested() {
  const { library } = await person(sql, 'alice')
  await library.channels.save({ channel_id: 'kitchen', title: 'Kitchen', rss_url }, [])
  await addSubscriptions(everyoneIn(sql), [{ rss_url, hub: 'https://hub.example/', topic, push_id, secret }])
}
async function active(changes: { lease_until?: Date; check_at?: Date } = {}) {
  await requested()
  await sql`update push_subscriptions set ${sql({ lease_until: new Date(Date.now() + 3600_000), ...changes })}`
}

beforeEach(async () => {
  await sql`delete from channels`
  await sql`delete from push_subscriptions`
  await sql`delete from graphile_worker._private_jobs`
})

const row = async () => (await sql`select * from push_subscriptions where push_id = ${push_id}`)[0]
const verify = (mode: string, more: Record<string, string> = {}) => {
  const fields = { 'hub.mode': mode, 'hub.topic': topic, 'hub.challenge': 'the challenge', ...more }
  return ask(`${path}?${new URLSearchParams(fields)}`)
}
const deliver = (body: string, headers: Record<string, string> = signatureOf(body, secret), to = path, on = app.app) =>
  on.request(to, { method: 'POST', headers, body }, { remote_address: '192.0.2.1' })
const jobs = () => sql`
  select payload, run_at, key, max_attempts from graphile_worker._private_jobs`

describe('a hub that verifies', () => {
  it('a requested subscription is confirmed with exactly the challenge, as plain text', async () => {
    await requested()
    const answer = await verify('subscribe', { 'hub.lease_seconds': '864000' })
    expect([answer.status, await answer.text()]).toEqual([200, 'the challenge'])
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('set-cookie')).toBeNull()
    const { failures, lease_until, next_attempt_at } = (await row()) ?? {}
    expect(failures).toBe(0)
    expect((lease_until - Date.now()) / 3600_000).toBeCloseTo(240, 0)
    expect((next_attempt_at - Date.now()) / 3600_000).toBeCloseTo(120, 0)
  })

  it('the challenge of a hub is no markup for a browser', async () => {
    await requested()
    const answer = await verify('subscribe', { 'hub.challenge': '<script>alert(1)</script>' })
    expect(await answer.text()).toBe('<script>alert(1)</script>')
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  it('a second verification of the same request is confirmed, because the first answer may be lost', async () => {
    await requested()
    for (const _ of [1, 2]) expect((await verify('subscribe')).status).toBe(200)
  })

  it.each<[string, string, Record<string, string>]>([
    ['another topic', 'subscribe', { 'hub.topic': 'https://videos.example/SELF' }],
    ['a topic that no database takes', 'subscribe', { 'hub.topic': `${topic}\u0000` }],
    ['an end, which is never requested', 'unsubscribe', {}],
    ['another mode', 'publish', {}],
    ['no challenge', 'subscribe', { 'hub.challenge': '' }],
    ['a refusal of another topic', 'denied', { 'hub.topic': 'https://other.example/' }],
  ])('%s gets 404, and nothing changes', async (_, mode, more) => {
    await active()
    const before = await row()
    const answer = await verify(mode, more)
    expect([answer.status, await answer.text()]).toEqual([404, ''])
    expect(await row()).toEqual(before)
  })

  it('a subscription to a feed that no one follows any more gets 410', async () => {
    await requested()
    await sql`delete from channels`
    expect((await verify('subscribe')).status).toBe(410)
  })

  it('a hub may refuse at any time, and is then left alone for a day', async () => {
    await active()
    expect((await verify('denied', { 'hub.reason': '<b>no</b>' })).status).toBe(200)
    const { next_attempt_at } = (await row()) ?? {}
    expect((next_attempt_at - Date.now()) / 3600_000).toBeCloseTo(24, 0)
    expect((await deliver('x')).status).toBe(410)
  })
})

describe('a hub that delivers', () => {
  it.each(['sha1', 'sha256', 'sha384', 'sha512'])(
    'a delivery signed with %s leads to one check, now',
    async algorithm => {
      await active()
      const body = '<feed>ü</feed>'
      expect((await deliver(body, signatureOf(body, secret, algorithm))).status).toBe(202)
      const [job, ...others] = await jobs()
      expect(job).toMatchObject({ payload: { rss_url, pushed: true }, max_attempts: 2 })
      expect(job?.run_at <= new Date()).toBe(true)
      expect(others).toEqual([])
      expect((await row())?.check_at).toEqual(job?.run_at)
    },
  )

  it.each<[string, Record<string, string>]>([
    ['without a signature', {}],
    ['with a wrong one', signatureOf('x', 'another secret')],
    ['with one of another body', signatureOf('y', secret)],
    ['with nonsense', { 'x-hub-signature': 'sha1=sha1=' }],
  ])('a delivery %s gets the same answer and is ignored', async (_, headers) => {
    await active()
    expect((await deliver('x', headers)).status).toBe(202)
    expect(await jobs()).toEqual([])
    expect((await row())?.check_at).toBeNull()
  })

  it('a delivery before the hub has confirmed, or after the lease, gets 410', async () => {
    await requested()
    expect((await deliver('x')).status).toBe(410)
    await active({ lease_until: new Date() })
    expect((await deliver('x')).status).toBe(410)
    expect(await jobs()).toEqual([])
  })

  it.each(['/push/x', `/push/${'x'.repeat(32)}`, `/push/${'x'.repeat(33)}`, '/push/%00', `/push/${'x'.repeat(5000)}`])(
    'an unknown id gets 410: %s',
    async to => {
      await active()
      for (const answer of [await deliver('x', signatureOf('x', secret), to), await ask(`${to}?hub.mode=subscribe`)])
        expect([answer.status, await answer.text()]).toEqual([410, ''])
    },
  )

  it('a body of 1 MB counts, and a larger one gets 413', async () => {
    await active()
    expect((await deliver('x'.repeat(1024 * 1024))).status).toBe(202)
    expect(await jobs()).toHaveLength(1)
    await sql`delete from graphile_worker._private_jobs`
    expect((await deliver('x'.repeat(1024 * 1024 + 1))).status).toBe(413)
    expect(await jobs()).toEqual([])
  })

  it('pushes at the same time lead to one check, which is not put off', async () => {
    await active()
    const [first] = await Promise.all(Array.from({ length: 20 }, () => deliver('x')))
    expect(first?.status).toBe(202)
    const [job, ...others] = await jobs()
    expect(others).toEqual([])
    expect(job?.run_at <= new Date()).toBe(true)
  })

  it('a push during a check leads to one more check after the window, like all that follow it', async () => {
    await active()
    await deliver('x')
    const [first] = await jobs()
    await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'a worker', attempts = 1`
    for (const _ of [1, 2, 3]) await deliver('x')
    const waiting = (await jobs()).filter(({ key }) => key !== null)
    const after_window = new Date(first?.run_at.getTime() + window_s * 1000)
    expect(waiting.map(({ run_at }) => run_at)).toEqual([after_window])
    expect((await row())?.check_at).toEqual(after_window)
  })

  it('however many pushes a hub signs, a feed is checked once in a minute', async () => {
    const check_at = new Date(Date.now() - 20_000)
    await active({ check_at })
    for (let nth = 0; nth < 50; nth++) await deliver('x')
    const [job, ...others] = await jobs()
    expect(others).toEqual([])
    expect(job?.run_at).toEqual(new Date(check_at.getTime() + window_s * 1000))
  })

  it('two web processes handle the deliveries of one subscription, and one job remains', async () => {
    await active()
    const other = await anotherApp(sql, app.files, { PUBLIC_URL: 'https://tv.example.org', REGISTRATION: 'open' })
    const both = [app.app, other].flatMap(on => Array.from({ length: 10 }, () => deliver('x', undefined, path, on)))
    expect(new Set((await Promise.all(both)).map(({ status }) => status))).toEqual(new Set([202]))
    expect(await jobs()).toHaveLength(1)
  })
})

describe('the limits of the callback', () => {
  it('a hub is another site, has another Host only if PUBLIC_URL names it, and is not counted', async () => {
    await active()
    const headers = { origin: 'https://hub.example', 'sec-fetch-site': 'cross-site' }
    for (let nth = 0; nth < 700; nth++) expect((await deliver('x', headers)).status).toBe(202)
    expect((await deliver('x', { ...headers, ...signatureOf('x', secret) })).status).toBe(202)
    expect(await jobs()).toHaveLength(1)
    const foreign = await app.app.request(`https://evil.example${path}`, { headers: { host: 'evil.example' } })
    expect(foreign.status).toBe(421)
    const named = await app.app.request(`https://tv.example.org${path}`, { headers: { host: 'tv.example.org' } })
    expect(named.status).toBe(404)
  })

  it('a body that never ends holds up no other delivery, and is not kept', async () => {
    await active()
    const base = await served(app.app)
    const slow = Array.from({ length: 50 }, () => {
      const sent = request(base + path, { method: 'POST', headers: { 'content-length': '1000' } })
      sent.on('error', () => {})
      sent.write('x')
      return sent
    })
    const answer = await fetch(base + path, { method: 'POST', body: 'x', headers: signatureOf('x', secret) })
    expect(answer.status).toBe(202)
    for (const sent of slow) sent.destroy()
  })
})
