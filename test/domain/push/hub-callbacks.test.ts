import { createHmac } from 'node:crypto'
import { assert, asyncProperty, property, string, uint8Array, webQueryParameters } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerHub, leaseOf, signatureCheck } from '../../../src/domain/push/hub-callbacks.ts'
import type { Lease } from '../../../src/schema/push/push.ts'

const secret = 'a secret'
const body = Buffer.from('<feed/>')
const digest = (method: string, of: Uint8Array = body, key = secret) => createHmac(method, key).update(of).digest('hex')

function isSigned(header: string | undefined, ...pieces: Uint8Array[]): boolean {
  const check = signatureCheck(header, secret)
  for (const piece of pieces) check?.add(piece)
  return check?.matches() ?? false
}

describe('the signature of a delivery', () => {
  it.each(['sha1', 'sha256', 'sha384', 'sha512'])('%s is checked over the whole body, in any pieces', method => {
    const header = `${method}=${digest(method)}`
    expect(isSigned(header, body)).toBe(true)
    expect(isSigned(header, body.subarray(0, 3), body.subarray(3, 3), body.subarray(3))).toBe(true)
    expect(isSigned(header.toUpperCase(), body)).toBe(true)
    expect(isSigned(header, body, Buffer.from(' '))).toBe(false)
    expect(isSigned(header)).toBe(false)
  })

  it.each<[string, string | undefined]>([
    ['none', undefined],
    ['an empty one', ''],
    ['one of another secret', `sha1=${digest('sha1', body, 'another secret')}`],
    ['one of another body', `sha1=${digest('sha1', Buffer.from('<feed />'))}`],
    ['a right one under another method', `sha256=${digest('sha1')}`],
    ['half of one', `sha256=${digest('sha256').slice(0, 32)}`],
    ['the first 20 bytes of a longer one', `sha1=${digest('sha256').slice(0, 40)}`],
    ['one without a method', digest('sha1')],
    ['one with an unsafe method', `md5=${digest('md5')}`],
    ['one with an unknown method', `sha3=${digest('sha1')}`],
    ['one with a name that every object has', `constructor=${digest('sha1')}`],
    ['one that is no number', `sha1=${'z'.repeat(40)}`],
    ['one with a digit too many', `sha1=${digest('sha1')}0`],
    ['two', `sha1=${digest('sha1')}, sha1=${digest('sha1')}`],
    ['the empty secret', `sha1=${digest('sha1', body, '')}`],
  ])('%s does not count', (_, header) => {
    expect(isSigned(header, body)).toBe(false)
  })

  it('no other text counts, whatever the body is', () => {
    assert(
      property(string(), uint8Array(), (header, bytes) => {
        expect(isSigned(header, bytes)).toBe(false)
      }),
    )
  })

  it('every body counts with its own signature', () => {
    assert(
      property(uint8Array(), bytes => {
        expect(isSigned(`sha256=${digest('sha256', bytes)}`, bytes)).toBe(true)
      }),
    )
  })
})

const topic = 'https://h.example/self'
const [hour, day] = [3600, 24 * 3600]

/** What the callback answers to a query, and which lease is noted. */
async function answerTo(query: string | Record<string, string>) {
  const leases: Lease[] = []
  const callbacks = {
    find: async () => ({ topic, secret, is_granted: false }),
    recordLease: async (_: string, lease: Lease) => void leases.push(lease),
  }
  const reply = await answerHub(callbacks, 'x'.repeat(32), new URLSearchParams(query))
  return { ...reply, leases }
}
const asked = (more: Record<string, string>) =>
  answerTo({ 'hub.mode': 'subscribe', 'hub.topic': topic, 'hub.challenge': 'c', ...more })

describe('what a hub asks at the callback', () => {
  it('a refusal needs no challenge, and ends the lease for a day', async () => {
    const leases = [{ lease_s: 0, ask_again_s: day }]
    expect(await answerTo({ 'hub.mode': 'denied', 'hub.topic': topic })).toEqual({ status: 200, body: '', leases })
  })

  it('the challenge is taken as it is', async () => {
    const challenge = ' <script>+%2B\u0000ü '
    expect(await asked({ 'hub.challenge': challenge })).toMatchObject({ status: 200, body: challenge })
  })

  it('the first of two values counts', async () => {
    const query = `hub.mode=denied&hub.mode=subscribe&hub.topic=${topic}&hub.topic=b&hub.challenge=c`
    expect(await answerTo(query)).toMatchObject({ status: 200, body: '' })
  })

  it.each<[string, Record<string, string>]>([
    ['another mode', { 'hub.mode': 'publish' }],
    ['the end of a subscription', { 'hub.mode': 'unsubscribe' }],
    ['a mode in capitals', { 'hub.mode': 'SUBSCRIBE' }],
    ['no mode', { 'hub.mode': '' }],
    ['no topic', { 'hub.topic': '' }],
    ['another topic', { 'hub.topic': topic.toUpperCase() }],
    ['a topic that no database takes', { 'hub.topic': `${topic}\u0000` }],
    ['a refusal of another topic', { 'hub.mode': 'denied', 'hub.topic': 'https://other.example/' }],
    ['no challenge', { 'hub.challenge': '' }],
    ['a challenge without end', { 'hub.challenge': 'x'.repeat(1001) }],
  ])('%s gets 404, and nothing is noted', async (_, more) => {
    expect(await asked(more)).toEqual({ status: 404, leases: [] })
  })

  it('any query is answered', async () => {
    await assert(
      asyncProperty(webQueryParameters(), async query => {
        expect((await answerTo(query)).status).toBe(404)
      }),
    )
  })
})

describe('how long a subscription is believed', () => {
  it.each<[string, string | null, number, number]>([
    ['ten days: renewed after five', `${10 * day}`, 10 * day, 5 * day],
    ['a year: fourteen days', `${365 * day}`, 14 * day, 7 * day],
    ['a minute: renewed after an hour, because the hub is not requested more often', '60', 60, hour],
    ['ninety minutes: the same', `${90 * 60}`, 90 * 60, hour],
    ['no lease: a day', null, day, 12 * hour],
    ['a lease that is no number: the same', '5 days', day, 12 * hour],
    ['a lease of nothing: the same', '0', day, 12 * hour],
    ['a negative lease: the same', '-1', day, 12 * hour],
    ['a lease with an exponent: the same', '1e3', day, 12 * hour],
    ['a lease of an endless number: the same', '9'.repeat(400), day, 12 * hour],
  ])('%s', (_, given, lease_s, ask_again_s) => {
    expect(leaseOf(given)).toEqual({ lease_s, ask_again_s })
  })
})
