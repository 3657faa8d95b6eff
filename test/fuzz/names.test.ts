/** Claims about identifiers, texts and dates from any feed. */
import fc from 'fast-check'
import { expect } from 'vitest'
import { idsIn } from '../../src/domain/imports/file-names.ts'
import { dateOf } from '../../src/feed/dates/dates.ts'
import { channelIdOf, guidOf, identityOf } from '../../src/feed/formats/identity.ts'
import { attributesIn, descriptionOf, piecesOf, titleOf, withoutEntities } from '../../src/feed/markup/html.ts'
import { webUrlOf } from '../../src/feed/markup/web-url.ts'
import { expectQuick } from '../support/app/quick.ts'
import { anyText, claim, few_runs, madeOf, wordOf } from './claims.ts'

const fit_for_a_path = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/

const word = wordOf('abcdefgxyz0189-_', 1, 12)
const platform = fc
  .tuple(wordOf('abcXYZ019-_', 11, 11), fc.nat(9))
  .map(
    ([id, which]) =>
      [
        `https://www.youtube.com/watch?v=${id}`,
        `https://youtu.be/${id}`,
        `https://www.youtube.com/shorts/${id}`,
        `https://www.youtube.com/embed/${id}`,
        `https://m.youtube.com/watch?list=x&v=${id}`,
        'https://vimeo.com/123456',
        'https://www.dailymotion.com/video/x8abcde',
        'https://tube.example/w/kkGMgK9ZtnKfYAgnEtQxbv',
        'https://rumble.com/v4abcd-some-title.html',
        'https://www.twitch.tv/videos/1234567',
      ][which] ?? '',
  )
/** Any web address, without the tracking parameters that identifiers ignore. */
const address = fc.oneof(
  platform,
  fc
    .tuple(word, fc.array(word, { maxLength: 4 }), fc.array(fc.tuple(word, word), { maxLength: 3 }))
    .map(([host, path, query]) => {
      const parameters = new URLSearchParams(query.map(([name, value]) => [`q${name}`, value]))
      return `https://h${host.replaceAll(/[_-]/g, 'x')}.example/${path.join('/')}${query.length > 0 ? `?${parameters}` : ''}`
    }),
)

/** The identifier of an entry that has only an address; undefined when it is no web address. */
function videoIdOf(given: string): string | undefined {
  const url = webUrlOf(given)
  return url && identityOf(url, { page: url }).video_id
}

/** Other spellings of the same address. */
const respelled: ((url: URL) => void)[] = [
  url => url.searchParams.append('utm_source', 'x'),
  url => url.searchParams.append('fbclid', 'Iw'),
  url => {
    url.protocol = 'http:'
  },
  url => {
    url.hash = '#top'
  },
  url => {
    if (!url.hostname.startsWith('www.') && url.hostname.split('.').length === 2) url.hostname = `www.${url.hostname}`
  },
  url => url.searchParams.sort(),
]

claim(
  'the identifier of a video fits a path and is the same for every spelling of its address',
  fc.property(address, fc.subarray(respelled), (given, changes) => {
    const id = videoIdOf(given)
    expect(id).toMatch(fit_for_a_path)
    const other = new URL(given)
    for (const change of changes) change(other)
    expect([other.href, videoIdOf(other.href)]).toEqual([other.href, id])
  }),
)

claim(
  'any text has an identifier that fits a path, or none, and a guid of 200 characters at most',
  fc.property(
    fc.oneof(
      anyText,
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.tuple(fc.webUrl(), anyText).map(([url, text]) => url + text),
    ),
    given => {
      const id = videoIdOf(given)
      if (id !== undefined) expect(id).toMatch(fit_for_a_path)
      expect(videoIdOf(given)).toBe(id)
      expect(guidOf(given)?.length ?? 0).toBeLessThanOrEqual(200)
      expect(guidOf(given) ?? '').not.toMatch(/\u0000|\p{Surrogate}/u)
    },
  ),
)

const clue = fc.option(fc.oneof(anyText, word, fc.constantFrom('UCabcdefghijklmnopqrstuv', 'new', '..', 'UU')), {
  nil: undefined,
})
claim(
  'the identifier of a channel fits a path, whatever its feed contains',
  fc.property(
    fc.oneof(
      address,
      fc.webUrl({ withQueryParameters: true }),
      fc
        .tuple(fc.constantFrom('channel_id', 'playlist_id'), anyText)
        .map(([name, value]) => `https://www.youtube.com/feeds/videos.xml?${new URLSearchParams({ [name]: value })}`),
    ),
    fc.record({
      channel: clue,
      playlist: clue,
      entry_channels: fc.array(fc.oneof(anyText, word)),
      links: fc.array(fc.oneof(anyText, address)),
    }),
    fc.boolean(),
    (url, clues, isMirror) => {
      const id = channelIdOf(url, clues, isMirror)
      expect(id).toMatch(fit_for_a_path)
      expect(id).not.toBe('new')
      expect(channelIdOf(url, clues, isMirror)).toBe(id)
    },
  ),
)

const markup = madeOf([
  '<p>',
  '</p>',
  '<br/>',
  '<b',
  '<script>',
  '</script>',
  '<style>',
  '<!--',
  '-->',
  '<!',
  '<?',
  '<3',
  '</',
  '<a href="',
  "<img alt='",
  '>',
  '"',
  "'",
  '=',
  '&',
  '&amp;',
  '&lt;b&gt;',
  '&#65;',
  '&#x1F600;',
  '&#55357;',
  '&#0;',
  '&nbsp;',
  '&eacute',
  ' ',
  '\n',
  'x',
])

claim(
  'a title is one line of at most 500 whole characters without control characters, and does not change when it is read again',
  fc.property(fc.oneof(anyText, markup), fc.constantFrom('html' as const, 'text' as const), (given, kind) => {
    const title = titleOf(given, kind)
    if (title === undefined) return
    expect(title.length).toBeGreaterThan(0)
    expect(title.length).toBeLessThanOrEqual(500)
    expect(title.isWellFormed()).toBe(true)
    expect(title).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/)
    expect(titleOf(title, 'text')).toBe(title)
  }),
)

claim(
  'a description is whole characters without control characters, read in time proportional to its length',
  fc.property(
    fc.oneof(
      anyText,
      markup,
      fc.tuple(markup, fc.nat(2000)).map(([unit, times]) => unit.repeat(times).slice(0, 100_000)),
    ),
    given => {
      let text = ''
      expectQuick(200, () => {
        text = descriptionOf(given) ?? ''
      })
      expect(text.isWellFormed()).toBe(true)
      expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
    },
  ),
  few_runs,
)

claim(
  'text written as entities is decoded exactly once',
  fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom(10, 16), (text, base) => {
    const coded = [...text].map(letter => `&#${base === 16 ? 'x' : ''}${(letter.codePointAt(0) ?? 0).toString(base)};`)
    expect(withoutEntities(coded.join(''))).toBe(text)
    expect(withoutEntities(coded.join('').replaceAll('&', '&amp;'))).toBe(coded.join(''))
  }),
)

claim(
  'any markup is read in one pass that gives every attribute a name',
  fc.property(fc.oneof(markup, anyText), html => {
    for (const piece of piecesOf(html)) {
      if ('text' in piece) expect(html).toContain(piece.text)
      else for (const [name] of attributesIn(piece.attributes)) expect(name).not.toBe('')
    }
  }),
)

claim(
  'a date is read to the second from every format',
  fc.property(
    fc.date({ min: new Date('1000-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true }),
    fc.integer({ min: -12 * 60, max: 14 * 60 }),
    (date, east) => {
      const second = new Date(Math.floor(date.getTime() / 1000) * 1000)
      const there = new Date(second.getTime() + east * 60_000)
      const zone = `${east < 0 ? '-' : '+'}${[Math.abs(east) / 60, Math.abs(east) % 60].map(n => String(Math.floor(n)).padStart(2, '0')).join(':')}`
      const ways = [
        second.toISOString(),
        second.toUTCString(),
        there.toISOString().replace(/\.000Z$/, zone),
        there.toUTCString().replace('GMT', zone.replace(':', '')),
        second.toISOString().replace('T', ' ').replace('.000Z', ''),
      ]
      for (const written of ways) expect([written, dateOf(written)]).toEqual([written, second])
    },
  ),
)

const youtube_id = fc
  .tuple(wordOf('ABCXYZabcxyz0189-_', 7, 7), fc.constantFrom(...'AEIMQUYgosw048'))
  // Never like words, `_8k` or `AAc`, as one identifier in a hundred and twenty is.
  .map(([middle, end]) => `aB7${middle}${end}`)
const lower_word = wordOf('aehinorst', 3, 9)
const spoken = fc.array(lower_word, { minLength: 1, maxLength: 4 })
const quality = fc
  .tuple(
    fc.constantFrom('AV1', 'VP9', 'h264', 'HEVC', 'WEBRip'),
    fc.constantFrom('-', '_', '.'),
    fc.constantFrom('1080p', '2160p60', '720p'),
  )
  .map(parts => parts.join(''))
const tag = fc.oneof(
  quality,
  lower_word,
  fc.tuple(lower_word, fc.nat(99)).map(([text, n]) => `${text}-${n}`),
)

claim(
  'the id in the name of a file is found, whatever words and qualities are around it, and these never look like one',
  fc.property(youtube_id, spoken, fc.array(tag, { maxLength: 3 }), fc.nat(5), (id, words, tags, form) => {
    const named = [`[${id}]`, `(${id})`, `[youtube-${id}]`, `{yt-${id}}`][form]
    const name = (part: string) => `${words.join(' ')} ${part}${tags.map(text => `[${text}]`).join(' ')}.mp4`
    const likely = (text: string) => idsIn(text).flatMap(({ id, by }) => (by === 'shape' || by === 'site' ? [id] : []))
    expect(likely(name(named ?? ''))).toEqual(named === undefined ? [] : [id])
    const other = idsIn(`${words.join('_')}-${id}.mp4`).filter(({ by }) => by === 'guess')
    expect(other.map(({ id }) => id)).toEqual([id])
  }),
)
