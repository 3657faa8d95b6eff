/** What a rule is for, as a table; which of that it fetches; and that no expression can hold up anybody. */
import { describe, expect, it } from 'vitest'
import { choose, fits } from '../../../src/domain/channels/rules.ts'
import { patternOf } from '../../../src/schema/pattern.ts'
import { type Judged, type Rule, RuleForm, RuleRequest } from '../../../src/schema/rule.ts'
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

describe('what a rule fetches', () => {
  const judged = (video_id: string, day: number, state: Judged['state'] = 'new') => ({
    ...video(video_id),
    video_id,
    sort_at: new Date(Date.UTC(2026, 10, day)),
    state,
  })

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

  it('a rule judges the newest hundred videos only, so that no save takes too long', () => {
    const many = Array.from({ length: 150 }, (_, n) => judged(`v${n}`, 150 - n))
    expect(choose(rule(), many)).toHaveLength(100)
    expect(choose(rule(), [judged('taken', 200, 'held'), ...many])).toHaveLength(100)
    expect(choose(rule({ title_words: ['v149'] }), many)).toEqual([])
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

describe('the form', () => {
  const faultsOf = (fields: object) =>
    RuleForm.safeParse(fields).error?.issues.map(({ path, message }) => [path.join('.'), message])

  it('empty fields mean no limits', () => {
    expect(RuleForm.parse({ title_words: ' ', keep_newest: '', title_pattern: '' })).toEqual(
      rule({ auto_download: false }),
    )
  })

  it('words are separated by commas', () => {
    const fields = { auto_download: 'on', title_words: ' rye , sour dough,, ', keep_days: ' 30 ' }
    expect(RuleForm.parse(fields)).toEqual(rule({ title_words: ['rye', 'sour dough'], keep_days: 30 }))
  })

  it.each([
    [{ keep_newest: 'ten' }, 'keep_newest', 'Use a number from 1 to 500.'],
    [{ keep_newest: '0' }, 'keep_newest', 'Use a number from 1 to 500.'],
    [{ keep_newest: '1.5' }, 'keep_newest', 'Use a number from 1 to 500.'],
    [{ keep_newest: '1e9' }, 'keep_newest', 'Use a number from 1 to 500.'],
    [{ keep_days: '-1' }, 'keep_days', 'Use a number from 1 to 3650.'],
    [{ title_words: 'x'.repeat(101) }, 'title_words', 'One word is too long. Use at most 100 characters.'],
    [{ without_words: 'x,'.repeat(31) }, 'without_words', 'Use at most 30 words.'],
    [{ title_pattern: '(' }, 'title_pattern', expect.stringContaining('can’t be used')],
  ])('says at the field what is wrong: %o', (fields, field, sentence) => {
    expect(faultsOf(fields)).toEqual([[field, sentence]])
  })
})
