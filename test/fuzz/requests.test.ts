/** Claims about the parts of a request that need no database: the next page, ranges, file names and hosts. */
import fc from 'fast-check'
import { Hono } from 'hono'
import { expect } from 'vitest'
import { byteRange } from '../../src/domain/watching/video-file.ts'
import { knownHosts } from '../../src/routes/http/client.ts'
import type { Env } from '../../src/routes/http/context.ts'
import { attachment } from '../../src/routes/http/disposition.ts'
import { pageBefore, safeNext } from '../../src/routes/http/redirects.ts'
import { before } from '../../src/routes/http/steps.ts'
import { anyText, claim, few_runs, madeOf, wordOf } from './claims.ts'
import { partRange, readDisposition } from './standards.ts'

const path_pieces = [
  '/',
  '//',
  '\\',
  '/\\',
  '.',
  '..',
  '@',
  ':',
  '?',
  '#',
  '%2f',
  '%5c',
  '%09',
  '%0a',
  '%',
  '%25',
  '%2e',
  '\t',
  '\n',
  '\r',
  ' ',
  'https:',
  'javascript:',
  'evil.example',
  'evil.example:80',
  '[::1]',
  'channels',
  '\u3002',
  '\uff0f',
  '\u2044',
  '\u0000',
]
const bases = ['https://here.example', 'http://127.0.0.1:8000']

claim(
  'any `next` leads only to this site, decoded or not',
  fc.property(
    fc.oneof(
      anyText,
      madeOf(path_pieces, 10),
      madeOf(path_pieces, 10).map(text => `/${text}`),
    ),
    next => {
      const path = safeNext(next)
      for (const base of bases) {
        for (const read of [path, decodeURIComponent(path)]) expect(new URL(read, base).origin).toBe(base)
        expect(new URL(path, `${base}/login?next=x`).origin).toBe(base)
      }
      expect(pageBefore(next, new URL('https://here.example/x'), '/')).toMatch(/^\/(?![/\\])/)
    },
  ),
)

const plain = wordOf('abcXYZ019-_.~', 1, 12).filter(word => !/^\.{1,2}$/.test(word))
claim(
  'a page of our own is kept as `next` unchanged',
  fc.property(
    fc.array(plain, { maxLength: 5 }),
    fc.array(fc.tuple(plain, fc.string({ unit: fc.constantFrom(...'abc /&=é€#') })), { maxLength: 3 }),
    fc.option(plain, { nil: undefined }),
    (path, query, hash) => {
      const parameters = new URLSearchParams(query)
      const page = `/${path.join('/')}${query.length > 0 ? `?${parameters}` : ''}${hash === undefined ? '' : `#${hash}`}`
      expect(safeNext(page)).toBe(page)
    },
  ),
)

const amount = fc.oneof(fc.nat(12), fc.nat(), fc.maxSafeNat(), fc.constantFrom('', '00', '007'))
const range = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('bytes=', 'Bytes=', 'items=', 'bytes = ', ' bytes='),
      fc.array(fc.tuple(amount, amount), { minLength: 1, maxLength: 3 }),
    )
    .map(([unit, parts]) => unit + parts.map(([from, to]) => `${from}-${to}`).join(',')),
  fc.integer({ min: 1 }).map(from => `bytes=${from}-${from - 1}`),
  madeOf(['bytes', '=', '-', ',', '0', '5', '9', ' ', '\t', '18446744073709551616'], 10),
)

claim(
  'a range has the meaning that RFC 9110 gives it',
  fc.property(range, fc.oneof(fc.nat(20), fc.maxSafeNat()), (header, size) => {
    expect(byteRange(header, size)).toEqual(partRange(header, size))
  }),
)

const title = fc.oneof(
  anyText,
  madeOf(
    [
      '"',
      '\\',
      '%',
      '\r\n',
      ';',
      "''",
      'filename=',
      '*',
      '../',
      '.',
      ' ',
      'con',
      'é',
      '日本',
      '\u202e',
      '😀',
      '\u0000',
      'a',
    ],
    15,
  ),
)
claim(
  'the name of a saved file is valid by the standard and on every file system',
  fc.property(title, fc.constantFrom('mp4', 'm4a'), (given, extension) => {
    const header = attachment(given, extension)
    expect(header).toMatch(/^[\x20-\x7e]+$/)
    const { type, filename = '', extended = filename } = readDisposition(header)
    expect(type).toBe('attachment')
    for (const name of [filename, extended]) {
      expect(name.endsWith(`.${extension}`)).toBe(true)
      expect(name).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}/\\:*?"<>|]/u)
      expect(name).not.toMatch(/^[ .]|[ .]\.\w+$|^(con|prn|aux|nul|com\d|lpt\d)\./i)
      expect(Buffer.byteLength(name)).toBeLessThan(200)
    }
  }),
)

claim(
  'a title that is valid on every file system is the file name unchanged',
  fc.property(
    fc.array(wordOf("abcXYZ019éß日本語😀-_()'!", 1, 5), {
      minLength: 1,
      maxLength: 8,
    }),
    parts => {
      const { filename, extended = filename } = readDisposition(attachment(parts.join(' '), 'mp4'))
      expect(extended).toBe(`${parts.join(' ')}.mp4`)
    },
  ),
)

/** Texts that a client can send as a header. */
const isHeader = (text: string) => /^[ -~]*$/.test(text)

const onLoopback = new Hono<Env>()
  .use(before(knownHosts({ HOST: '127.0.0.1', PUBLIC_URL: 'https://tv.example' })))
  .get('/', c => c.text('here'))
onLoopback.onError((_, c) => c.text('refused', 421))

const host_pieces = [
  'localhost',
  '127.0.0.1',
  '[::1]',
  'tv.example',
  'evil.test',
  '.',
  ':',
  ':8000',
  '@',
  '/',
  '%2e',
  '2130706433',
  ' ',
]

claim(
  'a service on loopback accepts only its own names, with any port',
  fc.asyncProperty(madeOf(host_pieces, 6).filter(isHeader), async host => {
    const answer = await onLoopback.request('/', { headers: { host } })
    const name = /^(.*?)\.?(:\d*)?$/.exec(host.trim().toLowerCase())?.[1] ?? ''
    if (answer.status === 200)
      expect(URL.parse(`http://${name}/`)?.hostname).toMatch(/^(localhost|127\.0\.0\.1|\[::1\]|tv\.example)\.?$/)
    if (host.includes('evil.test')) expect(answer.status).toBe(421)
  }),
  few_runs,
)
