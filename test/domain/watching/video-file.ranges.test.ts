/** The headers Range and If-Range. */
import { describe, expect, it } from 'vitest'
import { byteRange, sameFile } from '../../../src/domain/watching/video-file.ts'

const whole = undefined

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
    'bytes=9007199254740993-9007199254740992',
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
  const modified_at = new Date('2026-05-01T12:00:00.750Z')

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
