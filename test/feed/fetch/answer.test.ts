import { describe, expect, it } from 'vitest'
import { cachingOf, conditionsOf, retryAfterOf } from '../../../src/feed/fetch/answer.ts'
import { parseFeed } from '../../../src/feed/formats/parse.ts'
import { documentOf } from '../../support/media/feeds.ts'

const now = new Date('2026-11-20T12:00:00Z')

describe('how long an answer is fresh', () => {
  it.each<[string, Record<string, string>, number | null]>([
    ['by max-age', { 'cache-control': 'public, max-age=900' }, 900],
    ['less what it aged on the way', { 'cache-control': 'max-age=900', age: '300' }, 600],
    ['by Expires', { expires: 'Fri, 20 Nov 2026 12:15:00 GMT', date: 'Fri, 20 Nov 2026 12:00:00 GMT' }, 900],
    [
      'by the clock of the site, not ours',
      { expires: 'Fri, 20 Nov 2026 09:15:00 GMT', date: 'Fri, 20 Nov 2026 09:00:00 GMT' },
      900,
    ],
    ['by ours when it has none', { expires: 'Fri, 20 Nov 2026 12:15:00 GMT' }, 900],
    ['by max-age before Expires', { 'cache-control': 'max-age=60', expires: 'Fri, 20 Nov 2026 13:00:00 GMT' }, 60],
    ['not for caches of others', { 'cache-control': 's-maxage=900' }, null],
    ['not at all', { 'cache-control': 'no-cache, max-age=900' }, null],
    ['nor here', { 'cache-control': 'max-age=0' }, null],
    ['nor when it has gone by', { expires: 'Thu, 01 Jan 1970 00:00:00 GMT' }, null],
    ['nor with nonsense', { expires: '0', 'cache-control': 'max-age=soon' }, null],
    ['nor without a word', {}, null],
  ])('%s', (_, headers, fresh_s) => {
    expect(cachingOf(headers, now).fresh_s).toBe(fresh_s)
  })
})

describe('validators', () => {
  it('validators are sent back unchanged', () => {
    const headers = { etag: 'W/"a,b"', 'last-modified': 'yesterday, about noon' }
    expect(conditionsOf(cachingOf(headers, now))).toEqual({
      'if-none-match': 'W/"a,b"',
      'if-modified-since': 'yesterday, about noon',
    })
  })

  it('missing and overlong validators are not sent', () => {
    expect(conditionsOf(cachingOf({ etag: '' }, now))).toEqual({})
    expect(conditionsOf(cachingOf({ etag: `"${'x'.repeat(5000)}"` }, now))).toEqual({})
  })
})

describe('Retry-After', () => {
  it.each<[string | undefined, number | undefined]>([
    ['120', 120],
    ['Fri, 20 Nov 2026 12:10:00 GMT', 600],
    ['999999999', 86_400],
    ['Sat, 20 Nov 2027 12:00:00 GMT', 86_400],
    ['0', undefined],
    ['-5', undefined],
    ['Fri, 20 Nov 2026 11:00:00 GMT', undefined],
    ['later', undefined],
    [undefined, undefined],
  ])('%s is %s seconds', (value, seconds) => {
    expect(retryAfterOf(value, now)).toBe(seconds)
  })
})

describe('how often a feed wants to be fetched', () => {
  const rss = (words: string) =>
    `<rss xmlns:when="http://purl.org/rss/1.0/modules/syndication/"><channel><title>T</title>${words}</channel></rss>`
  it.each<[string, string, number | undefined]>([
    ['ttl', rss('<ttl> 90 </ttl>'), 90],
    ['its period', rss('<when:updatePeriod> Hourly </when:updatePeriod>'), 60],
    [
      'its period and frequency',
      rss('<when:updatePeriod>daily</when:updatePeriod><when:updateFrequency>2</when:updateFrequency>'),
      720,
    ],
    ['the longer of both', rss('<ttl>90</ttl><when:updatePeriod>hourly</when:updatePeriod>'), 90],
    [
      'its period in Atom',
      '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"><title>T</title><sy:updatePeriod>weekly</sy:updatePeriod></feed>',
      10_080,
    ],
    ['nothing it says', rss('<ttl>0</ttl><when:updatePeriod>constructor</when:updatePeriod>'), undefined],
    [
      'no number',
      rss('<ttl>often</ttl><when:updatePeriod>daily</when:updatePeriod><when:updateFrequency>0</when:updateFrequency>'),
      undefined,
    ],
    ['silence', rss(''), undefined],
  ])('by %s', (_, text, minutes) => {
    expect(parseFeed(documentOf(text)).every_minutes).toBe(minutes)
  })
})
