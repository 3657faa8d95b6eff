/** When yt-dlp is renewed, and when it goes back: decisions over counts, as tables. */
import { describe, expect, it } from 'vitest'
import { no_renewal, type Renewal } from '../../../src/schema/service/renewal.ts'
import {
  isCheckDue,
  isFresh,
  isWanted,
  isWave,
  isWorse,
  mayBeMended,
  type Tally,
} from '../../../src/ytdlp/tools/renewal.ts'

const now = new Date('2026-11-20T12:00:00Z')
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString()
const state = (changes: Partial<Renewal>): Renewal => ({ ...no_renewal, ...changes })

it.each<[string, Partial<Renewal>, boolean, boolean]>([
  ['never checked', {}, false, true],
  ['checked an hour ago', { checked_at: ago(1), outcome: 'up_to_date' }, false, false],
  ['checked a day ago', { checked_at: ago(24), outcome: 'up_to_date' }, false, true],
  ['checked half an hour ago, in a wave', { checked_at: ago(0.5), outcome: 'up_to_date' }, true, false],
  ['checked an hour ago, in a wave', { checked_at: ago(1), outcome: 'up_to_date' }, true, true],
  ['failed half an hour ago', { checked_at: ago(0.5), outcome: 'failed' }, false, false],
  ['failed an hour ago', { checked_at: ago(1), outcome: 'failed' }, false, true],
  ['checked in the future, by a clock that was wrong', { checked_at: ago(-100) }, false, true],
])('a check is due when it was %s: see table', (_, changes, wave, due) => {
  expect(isCheckDue(state(changes), wave, now)).toBe(due)
})

it.each<[string, string, string | undefined, Partial<Renewal>, Renewal['channel'], boolean]>([
  ['the first', '2026.10.01', undefined, {}, 'stable', true],
  ['the same', '2026.10.01', '2026.10.01', {}, 'stable', false],
  ['a newer one', '2026.11.01', '2026.10.01', {}, 'stable', true],
  ['a nightly of the same day', '2026.10.01.120000', '2026.10.01', {}, 'stable', true],
  ['an older one', '2026.09.01', '2026.10.01', {}, 'stable', false],
  ['an older one of the other channel', '2026.10.01', '2026.11.01.1200', { channel: 'nightly' }, 'stable', true],
  ['one that was worse', '2026.11.01', '2026.10.01', { refused: ['2026.11.01'] }, 'stable', false],
  ['one that was worse, as the first', '2026.11.01', undefined, { refused: ['2026.11.01'] }, 'stable', false],
  [
    'one that failed today',
    '2026.11.01',
    '2026.10.01',
    { failed: { version: '2026.11.01', at: ago(5) } },
    'stable',
    false,
  ],
  [
    'one that failed yesterday',
    '2026.11.01',
    '2026.10.01',
    { failed: { version: '2026.11.01', at: ago(24) } },
    'stable',
    true,
  ],
  [
    'one after one that failed',
    '2026.11.02',
    '2026.10.01',
    { failed: { version: '2026.11.01', at: ago(5) } },
    'stable',
    true,
  ],
])('takes %s: see table', (_, latest, own, changes, channel, wanted) => {
  expect(isWanted(latest, own, state(changes), channel, now)).toBe(wanted)
})

it.each<[string, 'transient' | 'operator' | 'local' | 'permanent', boolean]>([
  ['ERROR: [youtube] a: Unable to extract player', 'operator', true],
  ['ERROR: [youtube] a: Failed to extract any player response', 'transient', true],
  ['ERROR: [youtube] a: nsig extraction failed', 'transient', true],
  ['ERROR: unable to download video data: HTTP Error 403: Forbidden', 'transient', true],
  ['ERROR: [youtube] a: Requested format is not available', 'transient', true],
  ['ERROR: [youtube] a: Private video', 'permanent', false],
  ['ERROR: [generic] a: Unsupported URL', 'permanent', false],
  ['ERROR: HTTP Error 404: Not Found', 'permanent', false],
  ['ERROR: HTTP Error 429: Too Many Requests', 'transient', false],
  ['ERROR: Unable to extract: No space left on device', 'local', false],
])('"%s" (%s) may be mended by a newer yt-dlp: %s', (detail, kind, mended) => {
  expect(mayBeMended({ detail, kind })).toBe(mended)
})

const t = (person: string, host: string, succeeded: number, failed: number): Tally => ({
  person,
  host,
  succeeded,
  failed,
})

describe('a wave', () => {
  it.each<[string, Tally[], Tally[], boolean]>([
    ['nothing', [], [], false],
    ['five failures of two people', [t('alice', 'a', 0, 3), t('bob', 'a', 0, 2)], [], true],
    ['four failures of two people', [t('alice', 'a', 0, 3), t('bob', 'a', 0, 1)], [], false],
    [
      'a thousand failures of one person',
      [t('bob', 'a', 0, 999), t('bob', 'b', 0, 999)],
      [t('alice', 'x', 9, 0)],
      false,
    ],
    ['a thousand of one person and one of another', [t('bob', 'a', 0, 999), t('alice', 'c', 0, 1)], [], false],
    ['three at a host that worked for others', [t('bob', 'a', 0, 3)], [t('alice', 'a', 5, 0)], true],
    ['two at a host that worked for others', [t('bob', 'a', 0, 2)], [t('alice', 'a', 5, 0)], false],
    [
      'three at a host that worked for nobody else',
      [t('bob', 'a', 0, 3)],
      [t('bob', 'a', 5, 0), t('alice', 'b', 5, 0)],
      false,
    ],
    ['three of the only person, where it worked', [t('alice', 'a', 0, 3)], [t('alice', 'a', 5, 0)], true],
    ['a hundred of the only person, where it never worked', [t('alice', 'a', 0, 100)], [t('alice', 'b', 5, 0)], false],
  ])('is %s: see table', (_, last_hour, day_before, wave) => {
    expect(isWave(last_hour, day_before)).toBe(wave)
  })
})

describe('a version that is worse', () => {
  const worked = [t('alice', 'a', 9, 1), t('bob', 'a', 9, 0), t('carol', 'b', 5, 0)]
  it.each<[string, Tally[], Tally[], boolean]>([
    ['nothing downloaded since', worked, [], false],
    ['everything fails for two people', worked, [t('alice', 'a', 0, 2), t('bob', 'a', 0, 1)], true],
    ['only two failures', worked, [t('alice', 'a', 0, 1), t('bob', 'a', 0, 1)], false],
    ['all failures of one person', worked, [t('bob', 'a', 0, 500)], false],
    ['one person who names broken addresses', worked, [t('bob', 'evil', 0, 500), t('bob', 'worse', 0, 500)], false],
    ['two who name addresses that never worked', worked, [t('alice', 'evil', 0, 9), t('bob', 'evil', 0, 9)], false],
    [
      'as many for whom it works as for whom not',
      worked,
      [t('alice', 'a', 0, 9), t('bob', 'a', 0, 9), t('carol', 'b', 1, 0), t('dave', 'a', 1, 0)],
      false,
    ],
    ['failures of people for whom others work', worked, [t('alice', 'a', 1, 9), t('bob', 'a', 1, 9)], false],
    [
      'a host that failed as often before',
      [t('alice', 'a', 1, 9), t('bob', 'a', 1, 9)],
      [t('alice', 'a', 0, 9), t('bob', 'a', 0, 9)],
      false,
    ],
    [
      'two of many people, at a site that worked for them alone',
      [...worked, t('dave', 'a', 5, 0), t('mallory', 'evil', 9, 0), t('mallory2', 'evil', 9, 0)],
      [t('mallory', 'evil', 0, 3), t('mallory2', 'evil', 0, 3), t('alice', 'a', 1, 0)],
      false,
    ],
    [
      'two of many people, at a site that worked for others',
      [...worked, t('dave', 'a', 5, 0), t('erin', 'b', 5, 0)],
      [t('alice', 'a', 0, 3), t('bob', 'a', 0, 1)],
      true,
    ],
    ['everything fails for the only person', [t('alice', 'a', 9, 0)], [t('alice', 'a', 0, 3)], true],
  ])('is told by what happened since the switch: %s', (_, before, after, worse) => {
    expect(isWorse(before, after)).toBe(worse)
  })

  it.each<[string, Partial<Renewal>, boolean]>([
    ['an hour', { switched_at: ago(1), outcome: 'up_to_date' }, true],
    ['two days', { switched_at: ago(48), outcome: 'up_to_date' }, false],
    ['an hour, which was the way back', { switched_at: ago(1), outcome: 'rolled_back' }, false],
    ['no switch', {}, false],
  ])('is judged so long after the switch: %s', (_, changes, fresh) => {
    expect(isFresh(state(changes), now)).toBe(fresh)
  })
})
