/** Subtitles as WebVTT, converted by the real ffmpeg. */
import { expect, it } from 'vitest'
import { linesIn } from '../../../src/domain/search/webvtt.ts'
import { webVttOf } from '../../../src/ytdlp/convert/text-subtitles.ts'
import { expectQuick } from '../../support/app/quick.ts'
import { toolsForTests } from '../../support/process/tools.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const converted = (text: string) =>
  webVttOf(toolsForTests(), { text, folder: newFolder(), signal: new AbortController().signal })
const said = async (text: string) =>
  linesIn((await converted(text)) ?? '').map(({ start_seconds, text }) => `${start_seconds} ${text}`)

it('WebVTT stays as it is', async () => {
  const text =
    'WEBVTT\nKind: captions\n\nSTYLE\n::cue { color: red }\n\n00:00:00.000 --> 00:00:01.000 align:start\n<v Ann>Hello\n'
  expect(await converted(text)).toBe(text)
})

it.each([
  ['lower case', 'webvtt\n\n00:00:01.000 --> 00:00:02.000\nHello\n'],
  ['blank lines before it', '\n\nWEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello\n'],
  ['commas in its times', 'WEBVTT\n\n00:00:01,000 --> 00:00:02,000\nHello\n'],
])('WebVTT with %s is mended', async (_, text) => {
  expect(await converted(text)).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello\n')
})

it('SubRip becomes WebVTT', async () => {
  const text =
    '1\r\n00:00:01,5 --> 00:00:02,250 X1:10\r\n{\\an8}Hello,\r\n<i>you</i>\r\n\r\n2\r\n0:01:00,000 --> 0:01:01,000\r\nBye\r\n'
  expect(await converted(text)).toBe(
    'WEBVTT\n\n00:00:01.500 --> 00:00:02.250\nHello,\n<i>you</i>\n\n00:01:00.000 --> 00:01:01.000\nBye\n',
  )
})

it.each([
  [
    'a blank line after each line',
    '1\n\n00:00:01,000 --> 00:00:02,000\n\nHello\n\nyou\n\n2\n\n00:00:03,000 --> 00:00:04,000\n\nBye\n',
    ['1 Hello you', '3 Bye'],
  ],
  [
    'a blank line in a cue',
    '1\n00:00:01,000 --> 00:00:02,000\nHello\n\nyou\n\n2\n00:00:03,000 --> 00:00:04,000\nBye\n',
    ['1 Hello you', '3 Bye'],
  ],
  [
    'no blank line between cues',
    '1\n00:00:01,000 --> 00:00:02,000\nHello\n2\n00:00:03,000 --> 00:00:04,000\nBye\n',
    ['1 Hello', '3 Bye'],
  ],
  ['a mark before the first number', '\u200e1\n00:00:01,000 --> 00:00:02,000\nHello\n', ['1 Hello']],
  [
    'dashes in its arrows',
    '1\n00:00:01,000 –-> 00:00:02,000\nHello\n\n2\n00:00:03,000 —> 00:00:04,000\nBye\n',
    ['1 Hello', '3 Bye'],
  ],
  ['digits of Arabic', '١\n٠٠:٠٠:٠١,٠٠٠ --> ٠٠:٠٠:٠٢,٠٠٠\nمرحبا\n', ['1 مرحبا']],
  ['digits of Devanagari', '१\n००:००:०१,००० --> ००:००:०९,०००\nनमस्ते\n', ['1 नमस्ते']],
  [
    'numbers as its words',
    '1\n00:00:01,000 --> 00:00:02,000\n7\n\n2\n00:00:03,000 --> 00:00:04,000\n8\n',
    ['1 7', '3 8'],
  ],
  ['signs that are no tags', '1\n00:00:01,000 --> 00:00:02,000\n1 < 2 & 3 > 2\n', ['1 1 < 2 & 3 > 2']],
  ['signs before letters', '1\n00:00:01,000 --> 00:00:02,000\nif a<x then <i>y</i>\n', ['1 if a<x then y']],
  ['an open tag', '1\n00:00:01,000 --> 00:00:02,000\nif a <b then c\n', ['1 if a <b then c']],
  ['line ends of other systems', '1\u202800:00:01,000 --> 00:00:02,000\u2029Hello\u0085you\r', ['1 Hello you']],
  ['drawings of SubStation Alpha', '1\n00:00:01,000 --> 00:00:02,000\n{\\pos(1,2)\\c&HFF&}Sign\n', ['1 Sign']],
])('SubRip with %s says the same in WebVTT', async (_, text, expected) => {
  expect(await said(text)).toEqual(expected)
})

it.each([
  [
    'SubStation Alpha',
    '[Script Info]\nTitle: x\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\b1}Hello\\Nyou\n',
  ],
  ['SubViewer', '0:00:01.000,0:00:02.000\nHello[br]you\n\n0:00:03.000,0:00:04.000\nBye\n'],
  ['lyrics', '[00:01.00]Hello you\n[00:03.00]Bye\n'],
  ['MicroDVD', '{1}{1}23.976\n{24}{48}Hello|you\n{72}{96}Bye\n{120}{144}Again\n'],
  [
    'SAMI',
    '<SAMI><BODY><SYNC Start=1000><P Class=ENCC>Hello<br>you<SYNC Start=2000><P Class=ENCC>&nbsp;</BODY></SAMI>',
  ],
])('%s becomes WebVTT', async (_, text) => {
  expect((await said(text))[0]).toBe('1 Hello you')
})

it.each([
  '',
  'just words',
  '<html>00:00:01,000</html>',
  '<tt xmlns="http://www.w3.org/ns/ttml"><body><p begin="00:00:01.000" end="00:00:02.000">Hello</p></body></tt>',
  '{"wireMagic":"pb3","events":[{"tStartMs":1000,"segs":[{"utf8":"Hello"}]}]}',
  '#EXTM3U\n#EXTINF:1,\nfile:///etc/hostname\n',
])('%o is not read', async text => {
  expect(await converted(text)).toBeUndefined()
})

it.each([
  ['no hours', '00:01,000 --> 00:02,500'],
  ['no hours, and a colon', '00:01:000 --> 00:02:500'],
  ['spaces before the times', '  00:00:01,000 --> 00:00:02,500'],
  ['four digits', '00:00:01,0000 --> 00:00:02,5000'],
  ['a colon before the milliseconds', '00:00:01:000 --> 00:00:02:500'],
  ['no spaces around the arrow', '0:00:01.0-->0:00:02.5'],
  ['no milliseconds at the start', '00:00:01 --> 00:00:02,500'],
])('SubRip with %s becomes WebVTT: %s', async (_, times) => {
  expect(await converted(`1\n${times}\nHello\n`)).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nHello\n')
})

it('many line ends of other systems are read quickly', async () => {
  const all: Promise<unknown>[] = []
  // The text is prepared before ffmpeg starts.
  expectQuick(1000, () => all.push(converted('1\u20281:\u2028'.repeat(100_000))))
  await Promise.all(all)
})

it('line breaks of other formats are line breaks in WebVTT', async () => {
  const text = '00:00:01,000 --> 00:00:02,500\nOne\\Ntwo<br>three<br />four\n'
  expect(await converted(text)).toContain('\nOne\ntwo\nthree\nfour\n')
})
