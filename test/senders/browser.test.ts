/** Web Push, decrypted by a receiver that speaks the protocol. */
import { describe, expect, it } from 'vitest'
import { addressPolicy } from '../../src/net/addresses.ts'
import { browserSender, makeWebPushKeys } from '../../src/senders/browser.ts'
import { createPost } from '../../src/senders/post.ts'
import { hostile_titles, message, targetAt } from '../support/app/messages.ts'
import { pushService } from '../support/media/push-service.ts'

const keys = await makeWebPushKeys()
const post = createPost({ policy: addressPolicy(['127.0.0.1']) })
const send = browserSender({ post, webPushKeys: async () => keys, contact: 'mailto:operator@tv.example' })
type Service = Awaited<ReturnType<typeof pushService>>
const targetOf = ({ subscription }: Service) =>
  targetAt('browser', subscription.endpoint, JSON.stringify(subscription.keys))

describe('a message to a browser', () => {
  it('is decrypted by the browser alone, and signed with the keys of this service', async () => {
    const service = await pushService()
    expect(await send(message, targetOf(service))).toEqual({ delivered: true })
    const { id, event, title, text, url } = message
    expect(service.messages()).toEqual([{ id, event, title, text, url }])
    expect(service.identities).toEqual([{ public_key: keys.public_key, sub: 'mailto:operator@tv.example' }])
    expect(service.requests[0]?.body.includes(title)).toBe(false)
    expect(service.requests[0]?.headers).toMatchObject({ ttl: '86400', topic: id.replaceAll('-', '') })
  })

  it('has the same topic when it is sent again, so that a browser that is away shows one', async () => {
    const service = await pushService({ status: 503 })
    for (let attempt = 0; attempt < 2; attempt++)
      expect(await send(message, targetOf(service))).toMatchObject({ delivered: false, retry: true })
    expect(new Set(service.requests.map(({ headers }) => headers.topic)).size).toBe(1)
  })

  it.each([...hostile_titles, '\u0000'.repeat(5000), '🍞'.repeat(5000)])('fits whatever the text: %j', async text => {
    const service = await pushService()
    const url = `https://tv.example/${'x'.repeat(200)}`
    expect(await send({ ...message, title: text, text, url }, targetOf(service))).toEqual({ delivered: true })
    expect(service.messages()).toMatchObject([{ id: message.id, url }])
  })

  it.each([404, 410])('says that the browser is gone after status %i', async status => {
    const service = await pushService({ status })
    const detail = `The push service no longer knows this browser (${status}).`
    expect(await send(message, targetOf(service))).toEqual({ delivered: false, detail, gone: true, retry: false })
  })

  it.each([
    [403, 'mailto:operator@backlot.invalid', 'set MAIL_FROM or an https PUBLIC_URL.'],
    [401, 'https://tv.lan', 'set MAIL_FROM or an https PUBLIC_URL.'],
    [403, 'mailto:operator@example.org', 'Switch the notifications of this browser off and on.'],
  ])('says after status %i to %s what to do about the identity', async (status, contact, what_to_do) => {
    const service = await pushService({ status })
    const sent = await browserSender({ post, webPushKeys: async () => keys, contact })(message, targetOf(service))
    expect(sent).toMatchObject({ delivered: false, retry: true })
    expect(sent).toHaveProperty('detail', expect.stringMatching(/^The push service refuses Backlot's identity/))
    expect(sent).toHaveProperty('detail', expect.stringContaining(what_to_do))
  })

  it.each([
    ['no point of the curve', { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) }],
    ['no keys', {}],
  ])('says that the browser is gone when it has %s', async (_, wrong) => {
    const service = await pushService()
    const target = targetAt('browser', service.subscription.endpoint, JSON.stringify(wrong))
    expect(await send(message, target)).toMatchObject({ delivered: false, gone: true })
    expect(service.requests).toEqual([])
  })
})
