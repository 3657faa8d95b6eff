/** The decisions of a rule: which videos fit it, as a table, which of these it requests, and that no expression takes long. */
import { describe, expect, it } from 'vitest'
import { fits, judge, perWeek, reasonsOf } from '../../../src/domain/rules/judging.ts'
import { type Judged, patternOf, type Rule, RuleRequest } from '../../../src/schema/rules/rule.ts'
import { expectQuick } from '../../support/app/quick.ts'

const rule = (changes: Partial<Rule> = {}): Rule => ({ ...RuleRequest.parse({ auto_download: true }), ...changes })
const video = (title: string, video_url = 'https://videos.example/v') => ({ title, video_url })
const short = video('Fold a loaf', 'https://www.youtube.com/shorts/abc123DEF45')

describe('a rule', () => {
  it.each<[claim: string, changes: Partial<Rule>, given: ReturnType<typeof video>, expected: boolean]>([
    ['takes everything when nothing limits it', {}, video('Bread'), true],
    ['takes a title with its word', { title_words: ['bread'] }, video('How to bake bread'), true],
    ['takes it in any case', { title_words: ['BREAD'] }, video('How to bake Bread'), true],
    ['takes it in any script and width', { title_words: ['öl', 'хлеб'] }, video('ХЛЕБ за ночь'), true],
    ['takes full-width letters for what they say', { title_words: ['bread'] }, video('ＢＲＥＡＤ'), true],
    ['takes one of several words', { title_words: ['rye', 'bread'] }, video('Bread'), true],
    ['leaves a title without its words', { title_words: ['rye', 'wheat'] }, video('Bread'), false],
    ['takes words for words, not for an expression', { title_words: ['b.ead'] }, video('Bread'), false],
    ['leaves an unwanted word', { without_words: ['trailer'] }, video('Bread: the Trailer'), false],
    [
      'leaves it though a wanted one is there',
      { title_words: ['bread'], without_words: ['live'] },
      video('Bread live'),
      false,
    ],
    ['takes what fits its expression', { title_pattern: '^episode \\d+' }, video('Episode 12: Rye'), true],
    ['leaves what does not', { title_pattern: '^episode \\d+$' }, video('Episode 12: Rye'), false],
    ['wants words and expression', { title_words: ['rye'], title_pattern: '^episode' }, video('Episode 3'), false],
    ['fetches nothing by an expression it cannot read', { title_pattern: '(' }, video('('), false],
    ['takes shorts unless told not to', {}, short, true],
    ['leaves shorts by their address', { skip_shorts: true }, short, false],
    ['leaves shorts by their title', { skip_shorts: true }, video('Loaf #Shorts'), false],
    ['knows that not every short is one', { skip_shorts: true }, video('My shortscut #shortstory'), true],
    ['looks for it in the path alone', { skip_shorts: true }, video('v', 'https://h.example/v?of=/shorts/'), true],
  ])('%s', (_, changes, given, expected) => {
    expect(fits(rule(changes))(given)).toBe(expected)
  })
})

/** Published on that day of a month. */
const judged = (
  video_id: string,
  day: number,
  state: Judged['state'] = 'new',
  facts: Partial<Judged> = {},
): Judged => ({
  ...video(video_id),
  video_id,
  sort_at: new Date(Date.UTC(2026, 10, day)),
  state,
  was_watched: false,
  was_dismissed: false,
  duration_seconds: null,
  live_status: null,
  availability: null,
  ...facts,
})

describe('what a rule requests', () => {
  const choose = (of: Rule, videos: Judged[], left_today: number | null = null) =>
    judge(of, videos, left_today).flatMap(({ video_id, reason }) => (reason === null ? video_id : []))

  it('a rule requests every new video that fits, the newest first', () => {
    const all = [judged('old', 1), judged('new', 3), judged('other', 2)]
    expect(choose(rule(), all)).toEqual(['new', 'other', 'old'])
    expect(choose(rule({ title_words: ['o'] }), all)).toEqual(['other', 'old'])
  })

  it('a rule requests no more videos than it keeps', () => {
    expect(choose(rule({ keep_newest: 2 }), [judged('a', 1), judged('b', 2), judged('c', 3)])).toEqual(['c', 'b'])
  })

  it('a rule does not request older videos once newer ones fill the limit', () => {
    const all = [judged('older', 1), judged('taken', 2, 'held'), judged('taken too', 3, 'held')]
    expect(choose(rule({ keep_newest: 2 }), all)).toEqual([])
    expect(choose(rule({ keep_newest: 2 }), [...all, judged('newer', 4)])).toEqual(['newer'])
    expect(choose(rule({ keep_newest: 3 }), all)).toEqual(['older'])
  })

  it('files and downloads under way count for the limit; failed downloads and deleted files do not', () => {
    const all = [judged('c', 3, 'held'), judged('b', 2), judged('a', 1), judged('gone', 5, 'spent')]
    expect(choose(rule({ keep_newest: 3 }), all)).toEqual(['b', 'a'])
    expect(choose(rule({ keep_newest: 1 }), all)).toEqual([])
    expect(choose(rule({ keep_newest: 1 }), [judged('gone', 5, 'spent'), judged('a', 1)])).toEqual(['a'])
  })

  it('a rule never requests a video again, even if there is room', () => {
    expect(choose(rule({ keep_newest: 9 }), [judged('gone', 2, 'spent'), judged('held', 1, 'held')])).toEqual([])
    expect(choose(rule(), [judged('gone', 2, 'spent')])).toEqual([])
  })

  it('of two equally new videos, the kept one stays', () => {
    const all = [judged('waits', 1), judged('taken', 1, 'held')]
    expect(choose(rule({ keep_newest: 1 }), all)).toEqual([])
  })

  it('videos that do not fit take no room', () => {
    const all = [judged('bread', 1), judged('trailer', 2), judged('live', 3)]
    expect(choose(rule({ keep_newest: 1, without_words: ['trailer', 'live'] }), all)).toEqual(['bread'])
  })
})

describe('why a rule does not request a video', () => {
  const reasonFor = (changes: Partial<Rule>, facts: Partial<Judged> = {}) =>
    reasonsOf(rule(changes))(judged('Bread', 1, 'new', facts))

  it.each<[string, Partial<Rule>, Partial<Judged>, string | null]>([
    ['a title without the words', { title_words: ['rye', 'wheat'] }, {}, 'Title lacks: rye, wheat'],
    ['a title with an unwanted word', { without_words: ['rye', 'bread'] }, {}, 'Title contains: bread'],
    ['a title that does not match', { title_pattern: '^rye' }, {}, 'Title does not match: ^rye'],
    ['a Short', { skip_shorts: true }, { video_url: short.video_url }, 'Short'],
    ['a shorter video', { min_seconds: 300 }, { duration_seconds: 299 }, 'Shorter than 5 minutes'],
    ['a video of the shortest length', { min_seconds: 300 }, { duration_seconds: 300 }, null],
    ['a longer video', { max_seconds: 7200 }, { duration_seconds: 7201 }, 'Longer than 2 hours'],
    ['a video of the greatest length', { max_seconds: 90 }, { duration_seconds: 90 }, null],
    [
      'a longer video, in fractions of minutes',
      { max_seconds: 90 },
      { duration_seconds: 91 },
      'Longer than 1.5 minutes',
    ],
    ['a video of unknown length', { min_seconds: 300 }, {}, 'Length unknown'],
    ['a video of unknown length, when length does not matter', {}, {}, null],
    ['a recording of a stream', { live: 'none' }, { live_status: 'was_live' }, 'Recording of a live stream'],
    ['an ordinary video', { live: 'only' }, { live_status: 'none' }, 'Not a recording of a live stream'],
    ['a recording that is wanted', { live: 'only' }, { live_status: 'was_live' }, null],
    ['a video that may be a recording', { live: 'none' }, {}, 'Unknown whether it was live'],
    ['an announced video', {}, { live_status: 'upcoming' }, 'Not published yet'],
    ['a running stream', { live: 'only' }, { live_status: 'live' }, 'Live now'],
    ['a video for members', {}, { availability: 'members_only' }, 'Members only'],
    ['a private video', {}, { availability: 'private' }, 'Private'],
    ['a removed video', {}, { availability: 'removed' }, 'No longer on the site'],
    ['an unlisted video', {}, { availability: 'unlisted' }, null],
    ['a video with an age limit', {}, { availability: 'age_restricted' }, null],
  ])('%s: the rule says why', (_, changes, facts, reason) => {
    expect(reasonFor(changes, facts)).toBe(reason)
  })

  it('videos beyond the limit of a day wait for the next day, and take room meanwhile', () => {
    const all = [1, 2, 3, 4].map(day => judged(`v${day}`, day))
    expect(judge(rule({ most_per_day: 1, keep_newest: 3 }), all, 1)).toEqual([
      { video_id: 'v4', reason: null },
      { video_id: 'v3', reason: 'Next day (UTC): at most 1 per day', limit: 'day' },
      { video_id: 'v2', reason: 'Next day (UTC): at most 1 per day', limit: 'day' },
      { video_id: 'v1', reason: 'Only the newest 3 are kept', limit: 'room' },
    ])
  })

  it('a video that does not fit takes nothing of the day', () => {
    const all = [judged('v1', 1), judged('v2', 2, 'new', { availability: 'members_only' })]
    expect(judge(rule({ most_per_day: 1 }), all, 1).map(({ reason }) => reason)).toEqual(['Members only', null])
  })
})

describe('how many videos a week a rule would request', () => {
  const now = new Date('2026-12-01T00:00:00Z')
  const posted = (days_ago: number, facts: Partial<Judged> = {}) =>
    judged(`v${days_ago}`, 1, 'earlier', { sort_at: new Date(now.getTime() - days_ago * 86_400_000), ...facts })

  it('counts the videos that fit, over the time since the oldest', () => {
    const all = [1, 3, 8, 10, 14].map(days => posted(days, { duration_seconds: days === 3 ? 10 : 600 }))
    expect(perWeek(rule(), all, now)).toBe(2.5)
    expect(perWeek(rule({ min_seconds: 60 }), all, now)).toBe(2)
  })

  it('counts a quarter of a year at most, and no more than the limit of a day allows', () => {
    const all = [...Array.from({ length: 130 }, (_, n) => posted(n / 2)), posted(400)]
    expect(perWeek(rule(), all, now)).toBe(10)
    expect(perWeek(rule({ most_per_day: 1 }), all, now)).toBe(7)
  })

  it('is unknown for a channel that posted next to nothing', () => {
    expect(perWeek(rule(), [], now)).toBeNull()
    expect(perWeek(rule(), [posted(1), posted(200)], now)).toBeNull()
  })
})

describe('an expression of a stranger', () => {
  const longest = [`${'a'.repeat(100_000)}!`, 'ab'.repeat(50_000), `${'x'.repeat(50_000)}y`]

  it.each([
    '(a+)+$',
    '(a|aa)+$',
    '(a|a?)+$',
    '(x+x+)+y',
    '(.*)(.*)(.*)(.*)(.*)(.*)z',
    '(.?){30}z',
    '(\\pL{1,9}){1,9}z!',
    '(?:\\pL?){120}z!',
    `(?:${'a?'.repeat(60)}${'a'.repeat(60)})`,
    'a'.repeat(200),
  ])('is judged at once, however it is meant: %s', written => {
    const isIn = patternOf(written)
    expect(isIn).toBeDefined()
    expectQuick(200, () => {
      for (const title of longest) isIn?.(title)
    })
  })

  it.each([
    '(',
    '[',
    'a**',
    '(\\pL{1,9}){1,9}'.repeat(5),
    '(?=a)b',
    '(a)\\1',
    '((((a{10}){10}){10}){10}){10}',
    'x{1000}'.repeat(28),
    'a'.repeat(201),
  ])('is refused when it cannot be read, or asks for too much: %s', written => {
    expect(patternOf(written)).toBeUndefined()
    expect(RuleRequest.safeParse({ auto_download: true, title_pattern: written }).success).toBe(false)
  })
})
