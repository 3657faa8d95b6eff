/** The word that a person probably meant. */
import { expect, it } from 'vitest'
import { isOneOff, nearest } from '../../../src/schema/search/search-filters.ts'

it.each([
  ['chanel', 'channel'],
  ['channell', 'channel'],
  ['chennel', 'channel'],
  ['chnanel', 'channel'],
  ['NO', 'on'],
])('%s is one letter away from %s', (typed, word) => {
  expect(isOneOff(typed, word)).toBe(true)
})

it.each([
  ['channel', 'channel'],
  ['chael', 'channel'],
  ['re', 'is'],
  ['', 'is'],
])('“%s” is not one letter away from %s', (typed, word) => {
  expect(isOneOff(typed, word)).toBe(false)
})

it('a beginning of a word means the word, before one that is a letter away', () => {
  expect(nearest('lat', ['later', 'lag'])).toBe('later')
  expect(nearest('lagg', ['later', 'lag'])).toBe('lag')
  expect(nearest('', ['later', 'lag'])).toBeUndefined()
  expect(nearest('zzz', ['later', 'lag'])).toBeUndefined()
})
