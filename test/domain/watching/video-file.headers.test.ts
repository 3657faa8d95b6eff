/** The headers of a request for a file: Range, If-Range, and the conditions with their dates. */
import { describe, expect, it } from 'vitest'
import { byteRange, type Conditions, conditionOf, sameFile } from '../../../src/domain/watching/video-file.ts'

const whole = undefined
const modified_at = new Date('2026-05-01T12:00:00.750Z')

describe('ranges of a file of 10 bytes', () => {
  it.each([
    ['bytes=0-4', 0, 4],
    ['bytes=0-0', 0, 0],
    ['bytes=0-1', 0, 1],
    ['bytes=3-', 3, 9],
    ['bytes=0-', 0, 9],
    ['bytes=9-', 9, 9],
    ['bytes=-1', 9, 9],
    ['bytes=-10', 0, 9],
    ['bytes=-400', 0, 9],
    ['bytes=2-50', 2, 9],
    ['bytes=0-18446744073709551616', 0, 9],
    ['bytes=-18446744073709551616', 0, 9],
    ['bytes=00000-00004', 0, 4],
    ['BYTES=0-4', 0, 4],
    ['bytes=   0-4 ', 0, 4],
  ])('the header %j requests this part of a file of 10 bytes', (header, first, last) => {
    expect(byteRange(header, 10)).toEqual({ first, last })
  })

  it.each(['bytes=10-', 'bytes=10-50', 'bytes=500-600', 'bytes=-0', 'bytes=18446744073709551616-'])(
    'no byte of a file of 10 bytes satisfies %j',
    header => {
      expect(byteRange(header, 10)).toBe('unsatisfiable')
    },
  )

  it.each([
    undefined,
    '',
    'asdf',
    'bytes',
    'bytes=',
    'bytes=,',
    'bytes=-',
    'bytes=100200',
    'bytes=x-4',
    'bytes=4-x',
    'bytes=--4',
    'bytes=1--2',
    'bytes=1-2-3',
    'bytes=5-2',
    'bytes=9007199254740991-9007199254740990',
    'bytes=0x0-0x4',
    'bytes=1e0-4',
    'bytes=+1-4',
    'bytes=1.5-4',
    'bytes=０-４',
    'bytes 0-4',
    'items=0-4',
    'bytes=0-0,2-3',
    `bytes=${'0-,'.repeat(10_000)}0-`,
  ])('the header %.40j requests the whole file', header => {
    expect(byteRange(header, 10)).toBe(whole)
  })
})

it('no range of an empty file can be satisfied', () => {
  for (const header of ['bytes=0-', 'bytes=0-0', 'bytes=-1']) expect(byteRange(header, 0)).toBe('unsatisfiable')
})

describe('If-Range', () => {
  const etag = '"a-b"'

  it.each([undefined, etag, 'Fri, 01 May 2026 12:00:00 GMT'])('If-Range %j matches the same file', header => {
    expect(sameFile(header, etag, modified_at)).toBe(true)
  })

  it.each(['"other"', `W/${etag}`, 'Fri, 01 May 2026 11:59:40 GMT', 'Fri, 01 May 2026 12:00:01 GMT', 'foo', ''])(
    'If-Range %j does not match the file',
    header => {
      expect(sameFile(header, etag, modified_at)).toBe(false)
    },
  )
})

describe('If-Match and If-None-Match', () => {
  const known = { etag: '"now"', modified_at }
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
})
