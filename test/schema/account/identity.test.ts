import { expect, it } from 'vitest'
import { namesOnePerson } from '../../../src/schema/account/identity.ts'

it.each(['alice', 'Zoë', '日本', '0', '1f(2)', 'uid=alice,ou=people', 'a b', 'nullman', '-ana-', 'a<b>'])(
  '%j names one person',
  text => {
    expect(namesOnePerson(text)).toBe(true)
  },
)

it.each([
  '',
  '   ',
  '\u00a0\u3000',
  '\u3164',
  '\u2800',
  '\u034f\ufe0f',
  '\u200b',
  'a\u0000',
  'a\nb',
  'ali\u202ece',
  '(null)',
  ' {user.id} ',
  '{{ sub }}',
  ...['null', 'NULL', 'undefined', 'None', 'nil', '-', '<no value>', '$(user)', '%{REMOTE_USER}e', '[object Object]'],
  '\ud800',
])('%j names no one', text => {
  expect(namesOnePerson(text)).toBe(false)
})
