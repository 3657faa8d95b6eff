import { expect, it } from 'vitest'
import { asciiDigits } from '../../../src/schema/values/digits.ts'

it.each([
  ['12:34', '12:34'],
  ['１２：３４', '12:34'],
  ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
  ['۰۱۲۳۴۵۶۷۸۹', '0123456789'],
  ['०९ ༠༩ 𝟎𝟗𝟘𝟡', '09 09 0909'],
  ['² ½ Ⅷ no digit', '2 1⁄2 VIII no digit'],
])('the digits of %j are %j', (text, plain) => expect(asciiDigits(text)).toBe(plain))

it('every script that Intl writes has its digits', () => {
  for (const script of Intl.supportedValuesOf('numberingSystem')) {
    const written = new Intl.NumberFormat(`en-u-nu-${script}`, { useGrouping: false }).format(9_876_543_210)
    if (/^\p{Nd}{10}$/u.test(written)) expect([script, asciiDigits(written)]).toEqual([script, '9876543210'])
  }
})
