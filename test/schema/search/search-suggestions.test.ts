/** What completes the last piece of a search. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readSearch } from '../../../src/schema/search/search-language.ts'
import { nameBegunIn, suggestionsFor } from '../../../src/schema/search/search-suggestions.ts'
import { holds } from '../../support/run/holds.ts'

const now = new Date('2026-11-23T12:00:00Z')
const searchesFor = (typed: string, names: string[] = []) =>
  suggestionsFor(typed, names, now).map(({ search }) => search)

it.each([
  ['rye be', ['rye before:']],
  ['-LO', ['-longer:']],
  ['on', ['on:disk ']],
  ['is', ['is:']],
])('%s begins a key', (typed, searches) => {
  expect(searchesFor(typed)).toEqual(searches)
})

it.each(['b', 'bread', '12', '"be', 'be ', '', 'before: be"', 'on:disk', 'is:live', 're:'])(
  '%s begins nothing that is known',
  typed => {
    expect(searchesFor(typed)).toEqual([])
  },
)

it('values follow their key, those that begin as typed', () => {
  expect(searchesFor('rye is:un')).toEqual(['rye is:unwatched '])
  expect(searchesFor('-is:h')).toEqual(['-is:hidden '])
  expect(searchesFor('on:')).toEqual(['on:disk '])
  expect(searchesFor('before:').slice(0, 3)).toEqual(['before:2026 ', 'before:2025 ', 'before:2026-11 '])
  expect(searchesFor('longer:2')).toEqual(['longer:20m ', 'longer:2h '])
})

it('each says what it means, unless it is the same', () => {
  expect(suggestionsFor('is:live', [], now)).toEqual([])
  expect(suggestionsFor('is:liv', [], now)).toEqual([{ search: 'is:live ', typed: 'is:live', means: 'Live streams' }])
  expect(suggestionsFor('-on:d', [], now)).toEqual([{ search: '-on:disk ', typed: '-on:disk', means: 'Not on disk' }])
})

it('a name with spaces is in quotation marks, and one with quotation marks is shortened', () => {
  const names = ['Kitchen', 'Slow Kitchen', 'The “good” kitchen', '"""']
  expect(searchesFor('rye channel:"ki', names)).toEqual([
    'rye channel:Kitchen ',
    'rye channel:"Slow Kitchen" ',
    'rye channel:kitchen ',
  ])
})

it('a name is looked up until its second quotation mark is typed', () => {
  expect(nameBegunIn('rye -group:to')).toEqual({ key: 'group', name: 'to' })
  expect(nameBegunIn('channel:"slow ki')).toEqual({ key: 'channel', name: 'slow ki' })
  expect(nameBegunIn('channel:')).toEqual({ key: 'channel', name: '' })
  for (const typed of ['channel:"slow"', 'channel:slow ', 'channel', 'is:live'])
    expect(nameBegunIn(typed)).toBeUndefined()
})

it('every suggestion is at most a key, or a filter without a hint', () => {
  const typed = fc.tuple(
    fc.constantFrom('', '-', 'rye ', '"rye" -'),
    fc.constantFrom('channel:', 'group:"', 'before:', 'after:2', 'longer:1', 'shorter:', 'is:', 'on:d', 'be', 'sh'),
  )
  holds(
    fc.property(typed, fc.array(fc.string({ unit: 'grapheme' })), ([first, last], names) => {
      for (const search of searchesFor(first + last, names))
        if (!search.endsWith(':')) expect([search, readSearch(search, now).hints]).toEqual([search, []])
    }),
  )
})
