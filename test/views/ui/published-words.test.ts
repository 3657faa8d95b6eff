import { expect, it } from 'vitest'
import type { Precision } from '../../../src/schema/sources/facts.ts'
import { publishedWords } from '../../../src/views/ui/published-words.ts'

const now = new Date('2026-11-20T12:00:00Z')

it.each<[Precision, string, string]>([
  ['exact', '2026-11-20T09:00:00Z', '3 hours ago'],
  ['day', '2026-11-20T00:00:00Z', 'today'],
  ['day', '2026-11-19T00:00:00Z', '1 day ago'],
  ['day', '2026-11-21T00:00:00Z', 'tomorrow'],
  ['day', '2026-11-22T00:00:00Z', 'in 1 day'],
  ['day', '2023-03-05T00:00:00Z', '3 years ago'],
  ['approximate', '2026-11-20T09:00:00Z', 'about 3 hours ago'],
  ['approximate', '2023-03-05T00:00:00Z', 'about 3 years ago'],
  ['approximate', '2026-11-20T11:59:55Z', 'just now'],
  ['approximate', '2026-11-20T14:00:00Z', 'in 2 hours'],
])('a date of precision %s at %s is %s', (precision, at, words) => {
  expect(publishedWords(new Date(at), precision, now)).toBe(words)
})
