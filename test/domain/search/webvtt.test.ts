/** Captions as sites write them, and as no one should. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linesIn, max_letters_of_line, max_lines } from '../../../src/domain/search/webvtt.ts'
import { rolling } from '../../support/media/captions.ts'
import { holds } from '../../support/run/holds.ts'

const vtt = (...cues: string[]) => `WEBVTT\n\n${cues.join('\n\n')}\n`
const said = (webvtt: string) => linesIn(webvtt).map(({ start_seconds, text }) => [start_seconds, text])

describe('linesIn', () => {
  it('shows each line of rolling captions once, where it begins', () => {
    expect(said(rolling)).toEqual([
      [0, 'today we bake a loaf'],
      [2, 'of sourdough bread & butter'],
      [5, '[Music]'],
      [8, 'the crust sings'],
    ])
  })

  it('joins a line that grows word by word', () => {
    const cues = ['today', 'today we', 'today we bake'].map((text, n) => `00:0${n}.000 --> 00:0${n + 1}.000\n${text}`)
    expect(said(vtt(...cues, '00:03.000 --> 00:04.000\nbread'))).toEqual([
      [0, 'today we bake'],
      [3, 'bread'],
    ])
  })

  it('joins a line that grows in a script without spaces', () => {
    const cues = ['今日は', '今日は天気が', '今日は天気がいい'].map(
      (text, n) => `00:0${n}.000 --> 00:0${n + 1}.000\n${text}`,
    )
    expect(said(vtt(...cues))).toEqual([[0, '今日は天気がいい']])
  })

  it.each([
    ['at a comma and a full stop', ['Hello', 'Hello, world', 'Hello, world. Bye']],
    ['at a dash and a mark of a question', ['Well', 'Well—no', 'Well—no?']],
    ['in Tibetan, which has no spaces', ['བོད', 'བོད་ཡིག', 'བོད་ཡིག་ནི']],
    ['in Arabic', ['مرحبا', 'مرحبا، يا', 'مرحبا، يا صديقي']],
  ])('joins a line that grows %s', (_, texts) => {
    const cues = texts.map((text, n) => `00:0${n}.000 --> 00:0${n + 1}.000\n${text}`)
    expect(said(vtt(...cues))).toEqual([[0, texts.at(-1)]])
  })

  it.each([
    ['a longer word', ['can', 'cannot']],
    ['a contraction', ['it', "it's done"]],
    ['a number', ['3', '3.14']],
  ])('does not take %s for a line that grew', (_, texts) => {
    const cues = texts.map((text, n) => `00:0${n}.000 --> 00:0${n + 1}.000\n${text}`)
    expect(said(vtt(...cues)).map(([, text]) => text)).toEqual(texts)
  })

  it.each([
    ['<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>を読む', '漢字を読む'],
    ['<ruby>漢<rp>(</rp><rt.small>かん</rt><rp>)</rp></ruby>字', '漢字'],
    ['<ruby>明日<rt><c.blue>あした</c></ruby>また', '明日また'],
  ])('leaves out how the letters of %s are read', (text, shown) => {
    expect(said(vtt(`00:00.000 --> 00:01.000\n${text}`))).toEqual([[0, shown]])
  })

  it('a break inside a line separates words', () => {
    expect(said(vtt('00:00.000 --> 00:01.000\none<br>two<br/>three<br />four\\Nfive'))).toEqual([
      [0, 'one two three four five'],
    ])
  })

  it('reads times with microseconds', () => {
    expect(said(vtt('00:00:01.000000 --> 00:00:02.000000\none'))).toEqual([[1, 'one']])
  })

  it('keeps the same lines of a dialogue in another order', () => {
    expect(said(vtt('00:01.000 --> 00:02.000\n- Yes.\n- No.', '00:02.000 --> 00:03.000\n- No.\n- Yes.'))).toEqual([
      [1, '- Yes. - No.'],
      [2, '- No. - Yes.'],
    ])
  })

  it('keeps the joiners of letters and emoji, and no line of joiners alone', () => {
    const texts = ['می\u200cخواهم', 'क्\u200dष', '👩\u200d🍳', '\u200d \u200c']
    const cues = texts.map((text, n) => `00:0${n}.000 --> 00:0${n + 1}.000\n${text}`)
    expect(said(vtt(...cues)).map(([, text]) => text)).toEqual(texts.slice(0, 3))
  })

  it('reads talks: names of cues, several lines, notes and styles', () => {
    const talk = vtt(
      'STYLE\n::cue { color: white }',
      'NOTE translated by\nsomeone',
      '1\n00:00:12.610 --> 00:00:15.000 line:90%\n<v Ann>Good <i>morning</i>.\nHow are you?</v>',
      '2\n00:01:02.000 --> 00:01:04.500\n{\\an8}I&#39;ve been <b>blown&nbsp;away</b>.',
    )
    expect(said(talk)).toEqual([
      [12, 'Good morning. How are you?'],
      [62, "I've been blown away."],
    ])
  })

  it('reads what was made from SubRip: commas, Windows line ends, and names without an empty line before', () => {
    const made = 'WEBVTT\r\n\r\n1\r\n00:00:01,500 --> 00:00:02,000\r\nOne\r\n2\r\n1:00:03,000 --> 1:00:04,000\r\nTwo'
    expect(said(made)).toEqual([
      [1, 'One'],
      [3603, 'Two'],
    ])
  })

  it('keeps a refrain that is sung again later', () => {
    const cues = ['00:01.000 --> 00:02.000\nLa la', '00:10.000 --> 00:11.000\nLa la']
    expect(said(vtt(...cues))).toEqual([
      [1, 'La la'],
      [10, 'La la'],
    ])
  })

  it('leaves signs of markup as text where they were written as text', () => {
    expect(said(vtt('00:01.000 --> 00:02.000\n&lt;script&gt; is 1 < 2'))).toEqual([[1, '<script> is 1 < 2']])
  })

  it.each([
    ['nothing', ''],
    ['a page', '<!doctype html><title>Sign in</title>'],
    ['no times', 'WEBVTT\n\nhello'],
    ['nonsense in place of times', 'WEBVTT\n\nnow --> then\nhello'],
    ['times beyond any video', 'WEBVTT\n\n999999:00:00.000 --> 999999:00:01.000\nhello'],
    ['only spaces and marks', 'WEBVTT\n\n00:01.000 --> 00:02.000\n <i></i>&nbsp;\u200b'],
  ])('finds no line in %s', (_, text) => {
    expect(linesIn(text)).toEqual([])
  })

  it.each([
    ['signs that open nothing', `00:00.000 --> 00:01.000\n${'<'.repeat(1_000_000)}`],
    ['braces that open nothing', `00:00.000 --> 00:01.000\n${'{\\'.repeat(1_000_000)}`],
    ['entities', `00:00.000 --> 00:01.000\n${'&amp;'.repeat(500_000)}`],
    ['arrows', '-->'.repeat(1_000_000)],
    ['one cue of very many lines', `00:00.000 --> 00:01.000\n${'a\nb\n'.repeat(500_000)}`],
    ['very many cues', '00:00.000 --> 00:01.000\na\n\n00:09.000 --> 00:09.100\nb\n\n'.repeat(100_000)],
  ])('stays within its bounds with %s', (_, text) => {
    const lines = linesIn(`WEBVTT\n\n${text}`)
    expect(lines.length).toBeLessThanOrEqual(max_lines)
    for (const line of lines) expect(line.text.length).toBeLessThanOrEqual(max_letters_of_line)
  })

  it('never fails, and always returns ordered, bounded lines that Postgres can store', () => {
    const pieces = fc.constantFrom(
      ...['WEBVTT', '\n', '\n\n', '\r\n', '00:01.000 --> 00:02.000', '00:00:00.5-->9:9', ' --> ', '<c>', '</c>', '<'],
      ...['&amp;', '&#0;', '&#xd800;', '\0', '\ud800', '\ue000', 'hello', '12', 'NOTE', '你好'],
    )
    const any = fc.array(fc.oneof(pieces, fc.string({ unit: 'binary' })), { maxLength: 60 })
    holds(
      fc.property(any, parts => {
        const lines = linesIn(parts.join(''))
        for (const [at, { start_seconds, text }] of lines.entries()) {
          expect(start_seconds).toBeGreaterThanOrEqual(lines[at - 1]?.start_seconds ?? 0)
          expect(text.isWellFormed() && text === text.trim() && text !== '').toBe(true)
          expect(text).not.toMatch(/[\0\n\ue000]/)
        }
      }),
    )
  })

  it('every word of plain cues is found again, in its order', () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/)
    const cue = fc.tuple(fc.integer({ min: 2, max: 30 }), fc.array(word, { minLength: 1, maxLength: 8 }))
    holds(
      fc.property(fc.array(cue, { minLength: 1, maxLength: 30 }), cues => {
        let at = 0
        const texts = cues.map(([pause, words]) => {
          at += pause
          const clock = `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`
          return `${clock}.000 --> ${clock}.900\n${words.join(' ')}`
        })
        const read = linesIn(vtt(...texts)).map(({ text }) => text)
        expect(read.join(' ')).toBe(cues.flatMap(([, words]) => words).join(' '))
      }),
    )
  })
})
