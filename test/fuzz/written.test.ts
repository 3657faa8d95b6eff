/** Claims about what people and sites write in free text: captions, chapters, links, handles and players. */
import fc from 'fast-check'
import { expect } from 'vitest'
import { linesIn } from '../../src/domain/search/webvtt.ts'
import { addressesIn, isNamed } from '../../src/feed/pages/addresses.ts'
import { addressOf, nameIn } from '../../src/feed/pages/given-address.ts'
import { youtube } from '../../src/feed/platforms/youtube.ts'
import { durationWords } from '../../src/schema/values/words.ts'
import { chaptersIn } from '../../src/schema/videos/described-times.ts'
import { linkPieces } from '../../src/views/watching/description.tsx'
import { claim, wordOf } from './claims.ts'

const word = wordOf('abkzéßжя天気ガกอب', 1, 6)
const words = fc.uniqueArray(word, { minLength: 1, maxLength: 6 })

claim(
  'every break inside a caption separates its words, and no mark joins or hides them',
  fc.property(
    words,
    fc.constantFrom('<br>', '<br/>', '<BR />', '\\N', '\\n', '\\h', '\n', ' ', ' <i>', '&nbsp;', '{\\an8} '),
    fc.constantFrom('', '.5', '.123', ',123', '.123456', '.123456789'),
    fc.constantFrom('', ' align:start position:0%'),
    (said, between, decimals, settings) => {
      const cue = `00:00:07${decimals} --> 00:00:09${decimals}${settings}\n${said.join(between)}`
      const lines = linesIn(`WEBVTT\n\n${cue}\n`)
      expect(lines).toEqual([{ start_seconds: 7, text: said.join(' ') }])
    },
  ),
)

claim(
  'a line that grows by words is kept once, whatever sign separates the words',
  fc.property(words, fc.constantFrom(' ', ', ', '. ', '—', ' – ', '… ', '! ', '; ', '، ', '་'), (said, between) => {
    const cues = said.map((_, n) => `00:${10 + n}.000 --> 00:${11 + n}.000\n${said.slice(0, n + 1).join(between)}`)
    expect(linesIn(`WEBVTT\n\n${cues.join('\n\n')}\n`)).toEqual([{ start_seconds: 10, text: said.join(between) }])
  }),
)

const title = fc
  .tuple(fc.constantFrom('', 'UTC ', 'am ', 'PM ', 'h-', 'EST ', 'Uhr '), words)
  .map(([first, more]) => `${first}x ${more.join(' ')}`)
const wide = (text: string) =>
  text.replace(/[\d:]/g, sign => String.fromCharCode(sign.charCodeAt(0) - '0'.charCodeAt(0) + 0xff10))

const native = (text: string) => text.replace(/\d/g, sign => String.fromCodePoint(0x660 + Number(sign)))

/** How one line is written, and the title that it gives. */
const forms: ((time: string, next: string, title: string, at: number) => string)[] = [
  (time, _, title) => `${time} ${title}`,
  (time, _, title) => `${time}: ${title}`,
  (time, _, title) => `(${time}) ${title}`,
  (time, _, title) => `[${time}] - ${title}`,
  (time, _, title) => `- ${time} – ${title}`,
  (time, _, title, at) => `${at + 1}. ${time} ${title}`,
  (time, next, title) => `${time} - ${next} ${title}`,
  (time, _, title) => `${wide(time)} ${title}`,
  (time, next, title) => `${time} to ${next} ${title}`,
  (time, next, title) => `${title} (${time} - ${next})`,
  (time, _, title) => `${native(time)} ${title}`,
  (time, _, title) => `${time}.000 ${title}`,
  (time, _, title, at) => `${String.fromCodePoint(0x2460 + at)} ${time} ${title}`,
  (time, _, title, at) => `${at === 0 ? 'Times: ' : ''}${time} ${title}`,
  (time, _, title) => `${time} ${title}\n99999:00 beyond`,
  (time, _, title) => `${title} ${time}`,
  (time, _, title) => `${title} - ${time}`,
]

claim(
  'a list of chapters is read in every usual form, whatever word a title begins with',
  fc.property(
    fc.constantFrom(...forms),
    fc.array(fc.tuple(fc.integer({ min: 1, max: 2000 }), title), { minLength: 2, maxLength: 8 }),
    (form, given) => {
      let now = 0
      const chapters = given.map(([seconds, title], at) => {
        if (at > 0) now += seconds
        return { start_seconds: now, title }
      })
      const lines = chapters.map(({ start_seconds, title }, at) => {
        const next = chapters[at + 1]?.start_seconds ?? start_seconds + 1
        return form(durationWords(start_seconds), durationWords(next), title, at)
      })
      const description = `Words before it.\n\n${lines.join('\n')}\n\nAnd after it.`
      expect(chaptersIn({ description, duration_seconds: null })).toEqual(chapters)
    },
  ),
)

const path = fc
  .tuple(fc.constantFrom('x', 'w/2', 'a?b=1&c=2', 'x_(y)', 'x_[y]', '(x)/z', 'a,b', '@z', '#z'), fc.nat(99))
  .map(([end, n]) => `https://a${n}.example/${end}`)

claim(
  'a link ends where the punctuation of any script begins, and keeps its own brackets',
  fc.property(
    path,
    fc.constantFrom(...'。、，；：！？」』）】》〉“”„«»…،۔।።។\u200b '.split(''), ').', '].', '),', ':', '!'),
    words,
    (address, sign, after) => {
      const text = `(${address}${sign}${/^[ -~]+$/.test(sign) && sign !== ' ' ? ' ' : ''}${after.join(' ')}`
      const pieces = linkPieces(text)
      expect(pieces.map(({ words }) => words).join('')).toBe(text)
      expect(pieces.flatMap(({ words, href }) => (href ? [words] : []))).toEqual([address])
    },
  ),
)

claim(
  'an address is read from any text around it, the same in the field and in a list',
  fc.property(
    // In a list a comma may separate two cells.
    path.filter(address => !address.includes(',')),
    fc.constantFrom('', 'x ', 'x\n', '(', '[x](', '**', '„', '\u200e', '\u2067', 'Link:'),
    fc.constantFrom('', '.', '。', ' x', '\nx', '**', '“', '\u200b', '\u2069\ufe0f', '…', '\u061c!'),
    (address, before, after) => {
      const given = `${before}${address}${/[([]/.test(before) ? ')' : ''}${after}`
      expect(addressOf(given)).toBe(address)
      expect([...addressesIn(given)].flatMap(line => (isNamed(line) ? line.address : []))).toEqual([address])
      expect(nameIn(given)).toBeUndefined()
    },
  ),
)

const handle = wordOf('abzAZ019_.-éßжяДなつ乙チ中文频อนุรักน์नमस्तेمرحبا', 3, 30)

claim(
  'a handle in any script is found in a list, alone or in an address, and its page has the tabs of a channel',
  fc.property(handle, fc.constantFrom('', '- ', '* '), (name, before) => {
    fc.pre(/^[\p{L}\p{N}]/u.test(name) && /[\p{L}\p{M}\p{N}]$/u.test(name))
    const page = new URL(`https://www.youtube.com/@${name}`)
    expect([...addressesIn(`${before}@${name}`)]).toEqual([{ address: `@${name}` }])
    expect([...addressesIn(`${before}${page.href}`)]).toEqual([{ address: page.href }])
    const tabs = ['videos', 'shorts', 'streams'].map(tab => `https://www.youtube.com${page.pathname}/${tab}`)
    expect(youtube.listingsIn?.(page)).toEqual(tabs)
  }),
)

const id = wordOf('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-', 11, 11)

claim(
  'the player of a list or of a channel is no video, whatever it is asked to play, and every other player is one',
  fc.property(
    fc.oneof(id, fc.constantFrom('videoseries', 'live_stream')),
    fc.constantFrom('www.youtube.com', 'youtube.com', 'm.youtube.com', 'www.youtube-nocookie.com', 'youtu.be'),
    fc.constantFrom('embed', 'v', 'e', 'live', 'shorts'),
    fc.constantFrom('', '/', '?list=PLabcdefghijklmnop', '?channel=UCabcdefghijklmnopqrstuv', '?t=4'),
    (name, host, place, end) => {
      const address = new URL(
        host === 'youtu.be' ? `https://${host}/${name}${end}` : `https://${host}/${place}/${name}${end}`,
      )
      const video = name === 'videoseries' || name === 'live_stream' ? undefined : name
      expect(youtube.videoIdIn?.(address)).toBe(video)
      const page = youtube.pageOfVideo?.(address.href)
      expect([undefined, video && `https://www.youtube.com/watch?v=${video}`]).toContain(page)
    },
  ),
)
