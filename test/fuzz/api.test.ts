/** Claims about the API: every operation accepts or refuses any JSON, query and name in a path, and never breaks. */
import fc from 'fast-check'
import { beforeAll, expect } from 'vitest'
import { DomainError } from '../../src/errors.ts'
import { unlimited, useApp } from '../support/app/app.ts'
import { operations } from '../support/app/contract.ts'
import { follows, type Person, person } from '../support/app/people.ts'
import { anyText, claim, few_runs, fewest_runs } from './claims.ts'

const app = useApp({
  limits: unlimited,
  findFeed: async () => {
    throw new DomainError('not_a_feed', 'There are no feeds in this test.')
  },
})
let alice: Person
beforeAll(async () => {
  alice = await person(app.sql, 'alice')
  await follows(alice, 'kitchen', ['v1', 'v2', 'v3'])
})

const fields = [
  'url',
  'rss_url',
  'save',
  'video_ids',
  'quality',
  'auto_download',
  'title_words',
  'without_words',
  'title_pattern',
  'skip_shorts',
  'keep_newest',
  'keep_days',
  'text',
  'limit',
  'cursor',
  'status',
  'q',
  'video_id',
  '__proto__',
  'constructor',
]
const value = fc.oneof(
  fc.jsonValue(),
  anyText,
  fc.constantFrom<unknown>(
    true,
    false,
    null,
    0,
    -1,
    1e308,
    2 ** 53,
    'best',
    '720',
    'v1',
    'https://h.example/f',
    'https://h.example/\u0000',
    '\u0000',
    '(',
    [],
    ['v1', 'v1', '\u0000'],
    {},
  ),
)
const body = fc.oneof(value, fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 8 }))
const name = fc.oneof(
  fc.constantFrom('kitchen', 'v1', '..', '%00', '0', '-1', '1 or 1=1'),
  anyText.filter(text => text.length < 300 && text !== ''),
)

claim(
  'no API operation breaks, whatever the request contains',
  fc.asyncProperty(
    fc.constantFrom(...Object.keys(operations)),
    name,
    fc.option(body, { nil: undefined }),
    fc.array(fc.tuple(fc.constantFrom(...fields), anyText), { maxLength: 3 }),
    async (operation, id, json, query) => {
      const [method = '', path = ''] = operation.split(' ')
      const named = path.replace(/\{\w+\}/g, () => encodeURIComponent(id))
      const search = query.length > 0 ? `?${new URLSearchParams(query)}` : ''
      const sends = !['get', 'delete'].includes(method)
      const answer = await app.ask(`/api${named}${search}`, {
        as: alice,
        method: method.toUpperCase(),
        ...(sends && { json }),
      })
      expect(answer.status, await answer.text()).toBeLessThan(500)
    },
  ),
  few_runs,
)

const two = fc.nat(99).map(n => String(n).padStart(2, '0'))
const cursor = fc.oneof(
  anyText,
  fc
    .tuple(
      fc.tuple(fc.nat(999_999), two, two, two, two, two),
      fc.constantFrom('', '.5', '.123456'),
      fc.constantFrom('', ' BC'),
      fc.bigInt({ min: 0n, max: 10n ** 18n }),
    )
    .map(([[year, month, day, hour, minute, second], fraction, era, id]) =>
      Buffer.from(
        `${String(year).padStart(4, '0')}-${month}-${day} ${hour}:${minute}:${second}${fraction}+00${era}|${id}`,
      ).toString('base64url'),
    ),
)

claim(
  'any cursor is refused, or leads to a page',
  fc.asyncProperty(cursor, fc.constantFrom('/api/history/kitchen', '/channels/kitchen', '/'), async (given, path) => {
    const answer = await app.ask(`${path}?${new URLSearchParams({ cursor: given })}`, { as: alice })
    expect(answer.status, await answer.text()).toBeLessThan(500)
  }),
  few_runs,
)

claim(
  'pages of videos lose and repeat none, whatever their dates',
  fc.asyncProperty(
    fc.array(fc.option(fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })), {
      minLength: 1,
      maxLength: 12,
    }),
    fc.integer({ min: 1, max: 5 }),
    async (dates, limit) => {
      const bob = await person(app.sql, 'bob')
      await bob.library.channels.save(
        { channel_id: 'c', title: 'C', rss_url: 'https://videos.example/c.xml' },
        dates.map((published_at, n) => ({
          video_id: `v${n}`,
          video_url: `https://videos.example/${n}`,
          title: `${n}`,
          thumbnail_url: null,
          description: null,
          published_at,
        })),
      )
      const seen: string[] = []
      let next: string | undefined
      do {
        const { entries, next_cursor } = await bob.library.videos.list({ limit, cursor: next })
        seen.push(...entries.map(({ video_id }) => video_id))
        next = next_cursor ?? undefined
      } while (next !== undefined)
      expect(seen.toSorted()).toEqual(dates.map((_, n) => `v${n}`).toSorted())
    },
  ),
  fewest_runs,
)
