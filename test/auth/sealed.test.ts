import { expect, it } from 'vitest'
import { seal, unseal } from '../../src/auth/sealed.ts'

const key = 'a-key-of-more-than-thirty-two-letters'
const text = 'LOGIN_INFO=secret; ☃'

it('opens what was sealed, and nothing of it can be read without opening', () => {
  const sealed = seal(key, 'of alice for a.example', text)
  expect(unseal(key, 'of alice for a.example', sealed)).toBe(text)
  expect(Buffer.from(sealed).includes('LOGIN_INFO')).toBe(false)
})

it('seals the same text differently each time', () => {
  expect(seal(key, 'p', text)).not.toEqual(seal(key, 'p', text))
})

it('opens nothing with another key, for another purpose, or after any change', () => {
  const sealed = seal(key, 'of alice for a.example', text)
  expect(unseal(`${key}s`, 'of alice for a.example', sealed)).toBeUndefined()
  expect(unseal(key, 'of bob for a.example', sealed)).toBeUndefined()
  for (let at = 0; at < sealed.length; at++) {
    const changed = Uint8Array.from(sealed, (byte, n) => (n === at ? byte ^ 1 : byte))
    expect([at, unseal(key, 'of alice for a.example', changed)]).toEqual([at, undefined])
  }
  for (const length of [0, 1, 12, 28, sealed.length - 1])
    expect(unseal(key, 'of alice for a.example', sealed.slice(0, length))).toBeUndefined()
})
