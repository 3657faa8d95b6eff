import { expect, it } from 'vitest'
import { decide } from '../../src/domain/perform-download.ts'
import type { Failure } from '../../src/ytdlp/failure.ts'

const now = new Date('2026-05-01T12:00:00Z')
const failure = (kind: Failure['kind']): Failure => ({
  kind,
  reason: 'unknown',
  sentence: 'It failed.',
  detail: 'raw words',
})
const minutesLater = ({ next_attempt_at }: { next_attempt_at: Date | null }) =>
  next_attempt_at && (next_attempt_at.getTime() - now.getTime()) / 60_000

it.each([
  ['transient', 1, 0.5],
  ['transient', 2, 2],
  ['transient', 3, null],
  ['rate_limited', 1, 15],
  ['rate_limited', 2, 60],
  ['rate_limited', 3, null],
  ['permanent', 1, null],
  ['operator', 1, null],
  ['local', 1, null],
  ['scheduled', 1, 60],
  ['scheduled', 3, 60],
] as const)('tries again after a %s failure of attempt %d in %s minutes', (kind, attempt, minutes) => {
  expect(minutesLater(decide(failure(kind), attempt, now))).toBe(minutes)
})

it('leaves a site alone after the last attempt too, and after no other failure', () => {
  expect(decide(failure('rate_limited'), 3, now)).toMatchObject({ next_attempt_at: null, rest_until: expect.any(Date) })
  expect(decide(failure('transient'), 1, now).rest_until).toBeUndefined()
})

it('keeps the raw words beside the sentence, where there are any', () => {
  expect(decide(failure('permanent'), 1, now)).toMatchObject({
    download_error: 'It failed.',
    download_detail: 'raw words',
  })
  expect(decide({ ...failure('local'), detail: '' }, 1, now).download_detail).toBeNull()
})

it('does not count an attempt that came too early', () => {
  expect(decide(failure('scheduled'), 1, now).refund).toBe(true)
  expect(decide(failure('transient'), 1, now).refund).toBeFalsy()
})

it('gives up a video that is still not out a week after it was asked for', () => {
  const days = (n: number) => new Date(now.getTime() - n * 86_400_000)
  expect(decide(failure('scheduled'), 1, now, days(6)).next_attempt_at).not.toBeNull()
  expect(decide(failure('scheduled'), 1, now, days(8))).toMatchObject({
    next_attempt_at: null,
    download_error: expect.stringContaining('Ask again when it is.'),
  })
  expect(decide(failure('transient'), 1, now, days(8)).next_attempt_at).not.toBeNull()
})
