/** Subtitles as WebVTT. */
import { expect, it } from 'vitest'
import { webVttOf } from '../../../src/domain/imports/import-file.ts'

it('WebVTT stays as it is', () => {
  const text = 'WEBVTT\nKind: captions\n\n00:00.000 --> 00:01.000\nHello\n'
  expect(webVttOf(text)).toBe(text)
})

it('SubRip becomes WebVTT', () => {
  const text =
    '1\r\n00:00:01,5 --> 00:00:02,250 X1:10\r\n{\\an8}Hello,\r\n<i>you</i>\r\n\r\n2\r\n0:01:00,000 --> 0:01:01,000\r\nBye\r\n'
  expect(webVttOf(text)).toBe(
    'WEBVTT\n\n1\n00:00:01.500 --> 00:00:02.250\nHello,\n<i>you</i>\n\n2\n00:01:00.000 --> 00:01:01.000\nBye\n',
  )
})

it.each(['', 'just words', 'WEBVTT\n\nno times', '<html>00:00:01,000</html>'])('%o is no subtitles', text => {
  expect(webVttOf(text)).toBeUndefined()
})

it.each([
  ['no hours', '00:01,000 --> 00:02,500'],
  ['no hours, and a colon', '00:01:000 --> 00:02:500'],
  ['spaces before the times', '  00:00:01,000 --> 00:00:02,500'],
  ['four digits', '00:00:01,0000 --> 00:00:02,5000'],
  ['a colon before the milliseconds', '00:00:01:000 --> 00:00:02:500'],
  ['no spaces around the arrow', '0:00:01.0-->0:00:02.5'],
  ['no milliseconds at the start', '00:00:01 --> 00:00:02,500'],
])('SubRip with %s becomes WebVTT: %s', (_, times) => {
  expect(webVttOf(`1\n${times}\nHello\n`)).toBe('WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.500\nHello\n')
})

it('line breaks of other formats are line breaks in WebVTT', () => {
  const text = '00:00:01,000 --> 00:00:02,500\nOne\\Ntwo<br>three<br />four\n'
  expect(webVttOf(text)).toContain('\nOne\ntwo\nthree\nfour\n')
})
