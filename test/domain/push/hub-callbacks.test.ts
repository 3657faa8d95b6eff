import { createHmac } from 'node:crypto'
import { assert, property, string, uint8Array, webQueryParameters } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { questionIn, renewalOf, signatureCheck } from '../../../src/domain/push/hub-callbacks.ts'

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
const read = (query: string | Record<string, string>) => questionIn(new URLSearchParams(query))
const asked = (more: Record<string, string>) =>
  read({ 'hub.mode': 'subscribe', 'hub.topic': topic, 'hub.challenge': 'c', ...more })

describe('what a hub asks at the callback', () => {
  it.each<[string, Record<string, string>, object]>([
    ['a subscription', { 'hub.lease_seconds': '432000' }, { mode: 'subscribe', lease_s: 432_000 }],
    ['a subscription without a lease', {}, { mode: 'subscribe' }],
    ['the end of one', { 'hub.mode': 'unsubscribe' }, { mode: 'unsubscribe' }],
    ['a lease that is no number', { 'hub.lease_seconds': '5 days' }, { mode: 'subscribe' }],
    ['a lease of nothing', { 'hub.lease_seconds': '0' }, { mode: 'subscribe' }],
    ['a negative lease', { 'hub.lease_seconds': '-1' }, { mode: 'subscribe' }],
    ['a lease with a fraction', { 'hub.lease_seconds': '1e3' }, { mode: 'subscribe' }],
    ['a lease of an endless number', { 'hub.lease_seconds': '9'.repeat(400) }, { mode: 'subscribe' }],
  ])('%s', (_, more, question) => {
    expect(asked(more)).toEqual({ topic, challenge: 'c', ...question })
  })

  it('a refusal needs no challenge', () => {
    expect(read({ 'hub.mode': 'denied', 'hub.topic': topic, 'hub.reason': 'x' })).toEqual({ mode: 'denied', topic })
  })

  it('the challenge is taken as it is', () => {
    const challenge = ' <script>+%2B\u0000ü '
    expect(asked({ 'hub.challenge': challenge })).toMatchObject({ challenge })
  })

  it('the first of two values counts', () => {
    expect(read('hub.mode=subscribe&hub.mode=denied&hub.topic=a&hub.topic=b&hub.challenge=c')).toMatchObject({
      mode: 'subscribe',
      topic: 'a',
    })
  })

  it.each<[string, Record<string, string>]>([
    ['another mode', { 'hub.mode': 'publish' }],
    ['a mode in capitals', { 'hub.mode': 'SUBSCRIBE' }],
    ['no mode', { 'hub.mode': '' }],
    ['a name that every object has', { 'hub.mode': 'constructor' }],
    ['no topic', { 'hub.topic': '' }],
    ['a topic without end', { 'hub.topic': `https://h.example/${'x'.repeat(2048)}` }],
    ['no challenge', { 'hub.challenge': '' }],
    ['a challenge without end', { 'hub.challenge': 'x'.repeat(1001) }],
  ])('%s is not a request of a hub', (_, more) => {
    expect(asked(more)).toBeUndefined()
  })

  it('any query is read or refused', () => {
    assert(
      property(webQueryParameters(), string(), (query, value) => {
        const found = read(`${query}&hub.topic=${encodeURIComponent(value)}&hub.mode=denied`)
        expect(found === undefined || found.topic.length > 0).toBe(true)
      }),
    )
  })
})

describe('how long a subscription is believed', () => {
  const [hour, day] = [3600, 24 * 3600]
  it.each<[string, number | undefined, number, number]>([
    ['ten days: renewed after five', 10 * day, 10 * day, 5 * day],
    ['a year: fourteen days', 365 * day, 14 * day, 7 * day],
    ['no lease: a day', undefined, day, 12 * hour],
    ['a minute: renewed after an hour, because hubs are not requested more often', 60, 60, hour],
    ['ninety minutes: the same', 90 * 60, 90 * 60, hour],
  ])('%s', (_, given, lease_s, renew_after_s) => {
    expect(renewalOf(given)).toEqual({ lease_s, renew_after_s })
  })
})
