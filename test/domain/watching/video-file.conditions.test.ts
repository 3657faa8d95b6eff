/** Conditional requests for a file: If-Match, If-None-Match and their dates. */
import { expect, it } from 'vitest'
import { type Conditions, conditionOf } from '../../../src/domain/watching/video-file.ts'

const known = { etag: '"now"', modified_at: new Date('2026-05-01T12:00:00.750Z') }
const then = 'Fri, 01 May 2026 12:00:00 GMT'
const before = 'Fri, 01 May 2026 11:00:00 GMT'

it.each<[Conditions, ReturnType<typeof conditionOf>]>([
  [{}, 'send'],
  [{ if_none_match: '"now"' }, 'not_modified'],
  [{ if_none_match: 'W/"now"' }, 'not_modified'],
  [{ if_none_match: '"old", "now"' }, 'not_modified'],
  [{ if_none_match: '*' }, 'not_modified'],
  [{ if_none_match: '"old"' }, 'send'],
  [{ if_none_match: '"old"', if_modified_since: then }, 'send'],
  [{ if_modified_since: then }, 'not_modified'],
  [{ if_modified_since: before }, 'send'],
  [{ if_modified_since: 'whenever' }, 'send'],
  [{ if_match: '"now"' }, 'send'],
  [{ if_match: '*' }, 'send'],
  [{ if_match: '"old"' }, 'failed'],
  [{ if_match: 'W/"now"' }, 'failed'],
  [{ if_unmodified_since: then }, 'send'],
  [{ if_unmodified_since: before }, 'failed'],
  [{ if_match: '"now"', if_unmodified_since: before }, 'send'],
])('a request with %j is answered with %s', (asked, answer) => {
  expect(conditionOf(asked, known)).toBe(answer)
})
