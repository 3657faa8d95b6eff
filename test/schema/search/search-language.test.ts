/** What a person types into the search field: words, filters, and filters that are wrong or not complete yet. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { max_filters, readSearch } from '../../../src/schema/search/search-language.ts'
import { holds } from '../../support/run/holds.ts'

const now = new Date('2026-11-23T12:00:00Z')
const read = (typed: string) => readSearch(typed, now)
const meaningsOf = (typed: string) => read(typed).parts.map(({ means }) => means)

describe('words and filters', () => {
  it('are told apart, wherever they are', () => {
    const { words, parts, hints } = read('before:2025 sour channel:kitchen dough on:disk longer:20m is:unwatched')

    expect(words).toBe('sour dough')
    expect(parts.map(({ typed, means }) => [typed, means])).toEqual([
      ['before:2025', 'Before 2025'],
      ['channel:kitchen', 'Channel: kitchen'],
      ['on:disk', 'On disk'],
      ['longer:20m', 'Longer than 20 min'],
      ['is:unwatched', 'Unwatched'],
    ])
    expect(hints).toEqual([])
  })

  it('a name with spaces is in quotation marks, also in those of a phone, and the last one may be missing', () => {
    for (const typed of ['channel:"slow kitchen" rye', 'channel:“slow kitchen” rye', 'rye channel:"slow kitchen'])
      expect(read(typed)).toMatchObject({
        words: 'rye',
        parts: [{ typed: 'channel:"slow kitchen"', means: 'Channel: slow kitchen' }],
      })
  })

  it('a minus excludes, and case does not matter', () => {
    expect(meaningsOf('-Channel:Kitchen -ON:DISK -is:unwatched -group:music')).toEqual([
      'Not channel: Kitchen',
      'Not on disk',
      'Watched',
      'Not group: music',
    ])
  })

  it('inside a phrase nothing is a filter', () => {
    expect(read('"on:disk is:watched" rye')).toMatchObject({ words: '"on:disk is:watched" rye', parts: [], hints: [] })
    expect(read('-"on:disk rye')).toMatchObject({ words: '-"on:disk rye', parts: [], hints: [] })
  })

  it.each([
    'Re:Zero 12:31 https://videos.example/on:disk',
    'longer: than life',
    'is: before: it',
    'or noir',
    'bread or cake',
    '--on:disk',
    'a:b:c -- : ::',
    'foo"bar baz"qux',
  ])('%s has only words, as typed', typed => {
    expect(read(typed)).toEqual({ words: typed, filters: [], parts: [], hints: [] })
  })

  it('an “or” next to a filter is left out, and stays between words', () => {
    expect(read('channel:a or channel:b').words).toBe('')
    expect(read('bread or on:disk cake').words).toBe('bread cake')
    expect(read('or on:disk bread OR cake or').words).toBe('bread OR cake')
  })

  it('each filter can be removed, and the rest stays', () => {
    expect(read('"rye"  on:disk cake or before:2025').parts.map(({ without }) => without)).toEqual([
      '"rye" cake before:2025',
      '"rye" on:disk cake',
    ])
  })

  it(`after ${max_filters} filters the next is answered with a hint`, () => {
    const { filters, hints } = read('on:disk '.repeat(max_filters + 1))
    expect([filters.length, hints.map(({ hint }) => hint)]).toEqual([max_filters, ['At most 20 filters count.']])
  })
})

describe('a hint', () => {
  it('mends a key that is nearly right, which stays a word', () => {
    expect(read('rye chanel:"slow kitchen"')).toEqual({
      words: 'rye chanel:"slow kitchen"',
      filters: [],
      parts: [],
      hints: [
        {
          typed: 'chanel:"slow kitchen"',
          hint: 'Did you mean channel:"slow kitchen"?',
          instead: 'rye channel:"slow kitchen"',
        },
      ],
    })
    expect(read('befor:soon in:the -no:disk').hints.map(({ instead }) => instead)).toEqual([
      'befor:soon in:the -on:disk',
    ])
  })

  it('mends a value that is nearly right, which is left out', () => {
    expect(read('rye -is:wached')).toEqual({
      words: 'rye',
      filters: [],
      parts: [],
      hints: [{ typed: '-is:wached', hint: 'Did you mean -is:watched?', instead: 'rye -is:watched' }],
    })
  })

  it('says what may follow a key, at a wrong value and at none yet', () => {
    for (const typed of ['rye before:soon', 'rye before:', 'before:"" rye', 'before: on:disk'])
      expect(read(typed).hints).toEqual([
        { typed: expect.stringMatching('before:'), hint: expect.stringContaining('before:2025-04-30'), instead: null },
      ])
    expect(read('rye before:').words).toBe('rye')
  })

  it.each([
    ['longer: 20m', 'longer:20m'],
    ['rye -IS: short on:disk', 'rye -IS:short on:disk'],
    ['channel: "slow kitchen" rye', 'channel:"slow kitchen" rye'],
  ])('at %s says that no space belongs there, and both stay words', (typed, instead) => {
    const key = typed.match(/\S+: /)?.[0].trim()
    const mended = instead.match(/-?[a-z]+:(\w+|".*")/i)?.[0]
    expect(read(typed).hints).toEqual([{ typed: key, hint: `Leave out the space: ${mended}`, instead }])
    expect(read(typed).words).toBe(typed.replace(' on:disk', ''))
    expect(read(instead).hints).toEqual([])
  })

  it.each(['is:queued or is:downloading', 'bread or on:disk', 'on:disk OR rye or channel:a or -is:short'])(
    'at %s says once that no “or” counts there',
    typed => {
      expect(read(typed).hints).toEqual([
        {
          typed: typed.match(/or/i)?.[0],
          hint: 'All filters must fit, so this “or” is left out. Search for one at a time.',
          instead: null,
        },
      ])
    },
  )

  it.each(['channel:a or channel:b', 'group:a or group:b', 'on:disk or', 'or on:disk', 'bread or cake on:disk'])(
    'at %s there is none: the “or” says what is so, or nothing yet',
    typed => {
      expect(read(typed).hints).toEqual([])
    },
  )

  it('there are at most five', () => {
    expect(read('is:x '.repeat(30)).hints).toHaveLength(5)
  })
})

const pieces = fc.constantFrom(
  ...['rye', 'or', 'OR', '-rye', '"slow rye"', '"open', '“', '12:31', 'Re:Zero', ' ', '  ', '-', ':', '"'],
  ...['on:disk', '-is:watched', 'before:2025', 'channel:"slow kitchen"', 'group:x', 'longer:', 'is:x', 'channel: '],
)
const anyTyped = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.oneof(pieces, pieces, fc.string())).map(parts => parts.join('')),
  fc.array(pieces).map(parts => parts.join(' ')),
)

describe('any text', () => {
  it('is read without an error, and what is read, typed again, is read the same', () => {
    holds(
      fc.property(anyTyped, typed => {
        const { words, filters, parts } = read(typed)
        const again = read([...parts.map(part => part.typed), words].join(' '))
        expect([again.words, again.filters]).toEqual([words, filters])
      }),
      { runs: 2000 },
    )
  })

  it('without one filter has exactly the others, and the same words', () => {
    holds(
      fc.property(anyTyped, typed => {
        const { words, filters, parts } = read(typed)
        fc.pre(parts.length < max_filters)
        for (const [at, { without }] of parts.entries())
          expect(read(without)).toMatchObject({ words, filters: filters.toSpliced(at, 1) })
      }),
      { runs: 2000 },
    )
  })

  it('with a hint followed has one filter more', () => {
    holds(
      fc.property(anyTyped, fc.constantFrom('chanel:x', 'is:unwached', '-no:disk', 'is:seen'), (typed, wrong) => {
        const { filters, hints } = read(`${wrong} ${typed}`)
        fc.pre(filters.length < max_filters)
        expect(read(hints[0]?.instead ?? '').filters).toHaveLength(filters.length + 1)
      }),
      { runs: 500 },
    )
  })
})
