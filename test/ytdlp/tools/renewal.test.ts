/** When yt-dlp is renewed, with which version, and for how long that version is judged: decisions as tables. */
import { expect, it } from 'vitest'
import { no_renewal, type Renewal } from '../../../src/schema/service/renewal.ts'
import { isCheckDue, isFresh, isWanted, mayBeMended } from '../../../src/ytdlp/tools/renewal.ts'

const now = new Date('2026-11-20T12:00:00Z')
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString()
const state = (changes: Partial<Renewal>): Renewal => ({ ...no_renewal, ...changes })

it.each<[string, Partial<Renewal>, boolean, boolean]>([
  ['never checked', {}, false, true],
  ['checked an hour ago', { checked_at: ago(1), outcome: 'up_to_date' }, false, false],
  ['checked a day ago', { checked_at: ago(24), outcome: 'up_to_date' }, false, true],
  ['checked two hours ago, while downloads fail', { checked_at: ago(2), outcome: 'up_to_date' }, true, false],
  ['checked three hours ago, while downloads fail', { checked_at: ago(3), outcome: 'up_to_date' }, true, true],
  ['failed half an hour ago', { checked_at: ago(0.5), outcome: 'failed' }, false, false],
  ['failed half an hour ago, while downloads fail', { checked_at: ago(0.5), outcome: 'failed' }, true, false],
  ['failed an hour ago', { checked_at: ago(1), outcome: 'failed' }, false, true],
  ['checked in the future, by a clock that was wrong', { checked_at: ago(-100) }, false, true],
])('a check is due when it was %s: see table', (_, changes, is_failing, due) => {
  expect(isCheckDue(state(changes), is_failing, now)).toBe(due)
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

it.each<[string, Partial<Renewal>, boolean]>([
  ['an hour', { switched_at: ago(1), outcome: 'up_to_date' }, true],
  ['two days', { switched_at: ago(48), outcome: 'up_to_date' }, false],
  ['an hour, which was the way back', { switched_at: ago(1), outcome: 'rolled_back' }, false],
  ['no switch', {}, false],
])('a version is judged so long after the switch: %s', (_, changes, fresh) => {
  expect(isFresh(state(changes), now)).toBe(fresh)
})
