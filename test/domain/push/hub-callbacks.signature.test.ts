import { createHmac } from 'node:crypto'
import { assert, property, string, uint8Array } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { signatureCheck } from '../../../src/domain/push/hub-callbacks.ts'

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
