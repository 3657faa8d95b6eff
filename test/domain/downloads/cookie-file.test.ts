import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cookieHost,
  hostAboveIn,
  hostsAbove,
  lastExpiry,
  readCookies,
  writeCookies,
} from '../../../src/domain/downloads/cookie-file.ts'
import { expectQuick } from '../../support/app/quick.ts'
import { holds } from '../../support/run/holds.ts'

const now = new Date('2026-05-01T12:00:00Z')
const later = now.getTime() / 1000 + 3600
const line = (...fields: (string | number)[]) => fields.join('\t')
const namesIn = (text: string, host = 'site.example') => {
  const cookies = readCookies(text, host, now)
  return cookies === 'no_file' ? cookies : cookies.map(({ name }) => name)
}

it.each([
  ['youtube.com', 'youtube.com'],
  [' https://www.YouTube.com/watch?v=1 ', 'youtube.com'],
  ['www.youtube.com.', 'youtube.com'],
  ['members.site.example', 'members.site.example'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['news.bbc.co.uk', 'news.bbc.co.uk'],
  ['alice.github.io', 'alice.github.io'],
  ['www.github.io', 'www.github.io'],
])('%j means the host %s', (typed, host) => {
  expect(cookieHost(typed)).toBe(host)
})

it.each([
  ...[
    '',
    'com',
    'co.uk',
    'github.io',

    'localhost',
    '127.0.0.1',
    '[::1]',
    '2130706433',
    '0x7f.1',
    'a b',
    '.',
  ],
  ...['user:password@', 'ftp://site.example', '../site', 'site_with.example', 'a'.repeat(250).concat('.example')],
])('%j is no host of a site', typed => {
  expect(cookieHost(typed)).toBeUndefined()
})

it('a host gets what is stored for it or for a host above it, the nearest first', () => {
  expect(hostsAbove('a.b.site.co.uk')).toEqual(['a.b.site.co.uk', 'b.site.co.uk', 'site.co.uk'])
  expect(hostsAbove('127.0.0.1')).toEqual([])
})

describe('a cookie file', () => {
  it('keeps the cookies for the host and for those below it, also those of a session and those hidden from scripts', () => {
    const text = [
      '# Netscape HTTP Cookie File',
      line('.site.example', 'TRUE', '/', 'TRUE', later, 'own', '1'),
      line('#HttpOnly_.site.example', 'TRUE', '/', 'TRUE', 0, 'session', '2'),
      line('shop.site.example', 'FALSE', '/', 'FALSE', `${later}.75`, 'below', ''),
      line('.notsite.example', 'TRUE', '/', 'TRUE', later, 'other', '3'),
      line('.example', 'TRUE', '/', 'TRUE', later, 'above', '4'),
      line('.site.example', 'TRUE', '/', 'TRUE', 1_700_000_000, 'expired', '5'),
      line('.site.example', 'TRUE', '/', 'TRUE', '', 'no-end', '6'),
    ].join('\r\n')
    expect(namesIn(text)).toEqual(['own', 'session', 'below', 'no-end'])
  })

  it('can have cookies for a host above the named one, the nearest first', () => {
    const above = (...rows: [domain: string, expires_s: number][]) =>
      hostAboveIn(
        rows.map(([domain, at]) => line(domain, 'TRUE', '/', 'TRUE', at, 'a', 'b')).join('\n'),
        'a.b.c.example',
        now,
      )
    expect(above(['.c.example', 0], ['b.c.example', 0])).toBe('b.c.example')
    expect(above(['.c.example', later], ['b.c.example', 1_700_000_000])).toBe('c.example')
    expect(above(['.example', 0], ['.z.c.example', 0], ['.other.example', 0])).toBeUndefined()
    expect(above()).toBeUndefined()
  })

  it.each([
    [[0, 0], null],
    [[0, 1_800_000_000, 1_900_000_000], '2030-03-17T17:46:40.000Z'],
    [[1_800_000_000, 99_999_999_999_999], '9999-12-31T00:00:00.000Z'],
  ])('with expiry times %j ends at %s', (times, end) => {
    const cookies = readCookies(
      times.map((at, n) => line('.site.example', 'TRUE', '/', 'TRUE', at, `c${n}`, 'v')).join('\n'),
      'site.example',
      now,
    )
    expect(cookies === 'no_file' ? cookies : (lastExpiry(cookies)?.toISOString() ?? null)).toBe(end)
  })

  it('may have lost its tabs where it was pasted', () => {
    expect(namesIn(`.site.example   TRUE / TRUE ${later} pasted value`)).toEqual(['pasted'])
  })

  it.each([
    '',
    '# Netscape HTTP Cookie File',
    '[{"domain": ".site.example"}]',
    'Cookie: a=b',
    'MZ\u0000\u0001',
    'TRUE',
  ])('%j is no cookie file', text => {
    expect(namesIn(text)).toBe('no_file')
  })

  it.each(['\n', 'a\n', '\t', ' a', `${line('.site.example', 'TRUE', '/', 'TRUE', 0, 'a')}\n`])(
    'of 2 MB is read quickly, also one of %j only',
    piece => {
      const text = piece.repeat(2_000_000 / piece.length)
      expectQuick(30, () => readCookies(text, 'site.example', now))
    },
  )

  it('is written for yt-dlp in one form, for https only', () => {
    const cookies = readCookies(
      line('#HttpOnly_site.example', 'TRUE', '/', 'FALSE', 0, 'a', 'b=c d'),
      'site.example',
      now,
    )
    if (cookies === 'no_file') throw new Error('not read')
    expect(writeCookies(cookies)).toBe(
      `# Netscape HTTP Cookie File\n${line('.site.example', 'TRUE', '/', 'TRUE', 0, 'a', 'b=c d')}\n`,
    )
  })

  it('whatever it contains, every line that is written has seven fields, belongs to the host, and is read as it was', () => {
    const field = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom('.site.example', 'a.site.example', 'TRUE', 'FALSE', '/', '0', '1e3', '#HttpOnly_.site.example'),
    )
    const rows = fc.array(fc.array(field, { minLength: 1, maxLength: 9 }).map(fields => fields.join('\t')))
    holds(
      fc.property(rows, rows => {
        const cookies = readCookies(rows.join('\n'), 'site.example', now)
        if (cookies === 'no_file') return
        const written = writeCookies(cookies)
        const [head, ...lines] = written.split('\n')
        expect([head, lines.pop(), lines.length]).toEqual(['# Netscape HTTP Cookie File', '', cookies.length])
        for (const one of lines) {
          expect(one.split('\t')).toHaveLength(7)
          expect(one.split('\t')[0]).toMatch(/^\.?([a-z0-9.-]*\.)?site\.example$/)
        }
        if (cookies.length > 0) expect(readCookies(written, 'site.example', now)).toEqual(cookies)
      }),
    )
  })
})
