import { describe, expect, it } from 'vitest'
import { headerIdentity, nameIn } from '../../src/auth/trusted-header.ts'

/** As it arrives: a character for each byte. */
const bytesOf = (text: string) => Buffer.from(text, 'utf8').toString('latin1')

describe('a name in the header', () => {
  it.each([
    ['alice', 'alice'],
    ['  alice\t', 'alice'],
    ['Alice', 'Alice'],
    ['%61lice', '%61lice'],
    ['=?utf-8?q?alice?=', '=?utf-8?q?alice?='],
    ['"alice"', '"alice"'],
    ['alice@example.org', 'alice@example.org'],
    [bytesOf('Zoë'), 'Zoë'],
    ['a'.repeat(255), 'a'.repeat(255)],
  ])('%j is taken as it is', (value, name) => {
    expect(nameIn(value)).toBe(name)
  })

  it.each(['', ' ', '\t'])('%j signs no one in', value => {
    expect(nameIn(value)).toBeUndefined()
  })

  it.each([
    ['two values', 'alice, bob'],
    ['a list with an empty part', 'alice,'],
    ['what Caddy did not replace', '{http.reverse_proxy.header.Remote-User}'],
    ['what Apache writes for no name', '(null)'],
    ['a control character', 'ali\u0000ce'],
    ['a line break', 'alice\nbob'],
    ['a tab inside', 'ali\tce'],
    ['a letter that is not UTF-8', 'Zo\u00eb'],
    ['a spelling of UTF-8 that is too long', '\u00c1\u00a1'],
    ['a sign that turns the direction of text', bytesOf('ali\u202ece')],
    ['a sign of no width', bytesOf('ali\u200bce')],
    ['letters that are not seen', bytesOf('\u3164\u2800')],
    ['256 letters', 'a'.repeat(256)],
  ])('%s: it is not clear who is meant', (_, value) => {
    expect(nameIn(value)).toBeNull()
  })

  it('the same name in another header is another identity', () => {
    expect(headerIdentity('Remote-User', 'alice')).toEqual({
      issuer: 'header:remote-user',
      subject: 'alice',
      name: 'alice',
    })
    expect(headerIdentity('x-user', 'alice').issuer).toBe('header:x-user')
  })
})
