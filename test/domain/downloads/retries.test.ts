/** When a failed download is tried next: a person’s three times in all, a rule’s by its plan. */
import { describe, expect, it } from 'vitest'
import { afterFailure, type DownloadPast, takesUnfinished } from '../../../src/domain/downloads/retries.ts'
import { retry_plans } from '../../../src/domain/downloads/retry-plans.ts'
import { Reason } from '../../../src/schema/downloads/run.ts'
import { error_table } from '../../../src/ytdlp/failures/error-table.ts'
import { type Failure, failures } from '../../../src/ytdlp/failures/failure.ts'
import { failureOf } from '../../../src/ytdlp/failures/read-error.ts'

const now = new Date('2026-05-01T12:00:00Z')
const failure = (kind: Failure['kind'], reason: Reason = 'unknown', more: Partial<Failure> = {}): Failure => ({
  kind,
  reason,
  sentence: 'It failed.',
  detail: 'raw words',
  ...more,
})
const past = (changes: Partial<DownloadPast> = {}): DownloadPast => ({
  attempt: 1,
  by_rule: false,
  failing: null,
  ...changes,
})
const minutesLater = ({ next_attempt_at }: { next_attempt_at: Date | null }) =>
  next_attempt_at && (next_attempt_at.getTime() - now.getTime()) / 60_000
const [hour, day] = [60, 24 * 60]

describe('a person’s download', () => {
  it.each([
    ['transient', 'site_trouble', 1, 0.5],
    ['transient', 'site_trouble', 2, 2],
    ['transient', 'site_trouble', 3, null],
    ['transient', 'unknown', 1, 0.5],
    ['transient', 'unavailable', 2, 2],
    ['transient', 'silent', 1, 0.5],
    ['rate_limited', 'rate_limited', 1, 15],
    ['rate_limited', 'rate_limited', 2, 60],
    ['rate_limited', 'rate_limited', 3, null],
    ['permanent', 'members', 1, null],
    ['permanent', 'private', 1, null],
    ['operator', 'bot_check', 1, null],
    ['local', 'no_room', 1, null],
  ] as const)(
    'a person’s download is tried again after a %s failure (%s) of attempt %d in %s minutes',
    (kind, reason, attempt, minutes) => {
      expect(minutesLater(afterFailure(failure(kind, reason), past({ attempt }), now))).toBe(minutes)
    },
  )

  it('a person’s download waits for an announced video, and the attempt does not count', () => {
    const failed = afterFailure(failure('scheduled', 'premiere', { starts_in_s: 86_400 }), past({ attempt: 3 }), now)
    expect(minutesLater(failed)).toBe(day + 2)
    expect(failed.refund).toBe(true)
    expect(afterFailure(failure('transient'), past(), now).refund).toBeFalsy()
  })

  it.each([
    ['[vimeo:event] 1: This live event is scheduled for 2026-05-01T15:00:00Z', 3 * hour + 2],
    ['[CBC] 1: This livestream has not yet started', hour],
    ['[ARDMediathek] 1: This video is only available after 20:00', hour],
    ['[Reddit] 1: This video is processing', hour],
  ])('a person’s download waits for what begins later, on every site, and no attempt counts: %s', (said, minutes) => {
    const failed = afterFailure(failureOf({ said: `ERROR: ${said}`, now }), past({ attempt: 3 }), now)
    expect([minutesLater(failed), failed.refund]).toEqual([minutes, true])
  })

  it('what a site told the operator’s account is not stored with a failure', () => {
    const details = [{}, { is_for_log: true }].map(
      more => afterFailure(failure('permanent', 'removed', more), past(), now).download_detail,
    )
    expect(details).toEqual(['raw words', null])
  })

  it('a person’s download waits for the storage, and the attempt does not count', () => {
    const failed = afterFailure(failure('outage', 'storage'), past({ attempt: 3 }), now)
    expect([minutesLater(failed), failed.refund]).toEqual([5, true])
  })

  it('a person’s download waits for the proxy until it works, and no attempt counts', () => {
    const seen = (failures: number) =>
      afterFailure(failure('outage', 'proxy'), past({ attempt: 3, failing: { reason: 'proxy', failures } }), now)
    expect([0, 3, 500].map(failures => minutesLater(seen(failures)))).toEqual([1, 5, 30])
    expect([0, 3, 500].map(failures => seen(failures).refund)).toEqual([true, true, true])
  })

  it('a person’s download waits for a premiere for more than a week, checking hourly and then daily', () => {
    const seen = (failures: number) =>
      minutesLater(
        afterFailure(failure('scheduled', 'premiere'), past({ failing: { reason: 'premiere', failures } }), now),
      )
    expect([0, 23, 24, 200].map(seen)).toEqual([hour, hour, day, day])
  })

  it('a person’s download waits for a recording for hours, then days, then weeks', () => {
    const seen = (failures: number) =>
      minutesLater(
        afterFailure(failure('scheduled', 'processing'), past({ failing: { reason: 'processing', failures } }), now),
      )
    expect([0, 47, 48, 61, 62, 500].map(seen)).toEqual([hour, hour, day, day, 7 * day, 7 * day])
  })

  it('a failure records the tool’s own message next to the sentence', () => {
    expect(afterFailure(failure('permanent', 'removed'), past(), now)).toMatchObject({
      download_error: 'It failed.',
      download_detail: 'raw words',
    })
    expect(afterFailure(failure('local', 'no_room', { detail: '' }), past(), now).download_detail).toBeNull()
  })
})

it.each<[Reason, string, string | null]>([
  ['members', '', 'members_only'],
  ['private', '', 'private'],
  ['removed', '', 'removed'],
  ['sign_in', 'Sign in to confirm your age', 'age_restricted'],
  ['sign_in', 'Sign in to continue', null],
  ['site_trouble', '', null],
])('a failure because of %s (%j) says that the video is %j', (reason, detail, availability) => {
  expect(afterFailure(failure('permanent', reason, { detail }), past(), now).availability).toBe(availability)
})

describe('a rule’s download', () => {
  /** Minutes to each of the next attempts while the reason stays the same; `null`: it ends. */
  const waits = (reason: Reason, count: number) =>
    Array.from({ length: count }, (_, n) =>
      minutesLater(
        afterFailure(failure('permanent', reason), past({ by_rule: true, failing: { reason, failures: n } }), now),
      ),
    )

  it.each<[Reason, (number | null)[]]>([
    ['site_trouble', [0.5, 2, 10, hour, 4 * hour, 12 * hour, day, day]],
    ['silent', [0.5, 2, 10, hour, 4 * hour, 12 * hour, day, day]],
    ['rate_limited', [15, hour, 4 * hour, 12 * hour, day, day]],
    ['bot_check', [hour, 3 * hour, 6 * hour, 12 * hour, day, day]],
    ['fingerprint', [6 * hour, day, day]],
    ['extraction', [6 * hour, day, day]],
    ['no_room', [hour, hour, hour]],
    ['quota', [hour, hour, hour]],
    ['tools', [day, day]],
    ['local', [10, hour, day, day]],
    ['storage', [5, 5, 5, 5, 5, 5, 30, 30]],
    ['proxy', [1, 1, 1, 5, 5, 5, 5, 5, 5, 30, 30]],
    ['premiere', [hour, hour, hour]],
    ['live', [hour, hour]],
    ['processing', [...Array(48).fill(hour), ...Array(14).fill(day), 7 * day, 7 * day]],
    ['sign_in', [day, day, day, 7 * day, 7 * day]],
    ['geography', [...Array(7).fill(day), 7 * day, 7 * day]],
    ['unavailable', [0.5, 2, hour, 12 * hour, ...Array(7).fill(day), 7 * day, 7 * day]],
    ['unknown', [0.5, 2, hour, 12 * hour, ...Array(7).fill(day), 7 * day, 7 * day]],
    ['not_found', [hour, day, 6 * day, null]],
    ['too_long', [day, 7 * day, null]],
    ['cut_off', [hour, day, 7 * day, null]],
    ['members', [null]],
    ['private', [null]],
    ['removed', [null]],
    ['password', [null]],
    ['copy_protected', [null]],
    ['unsupported', [null]],
    ['address_refused', [null]],
  ])('a rule’s download is tried again after %s in %j minutes', (reason, expected) => {
    expect(waits(reason, expected.length)).toEqual(expected)
  })

  it('every reason has a retry plan', () => {
    expect(Object.keys(retry_plans).toSorted()).toEqual([...Reason.options].toSorted())
    for (const { reason } of [...error_table.map(([, found]) => found), ...Object.values(failures)])
      expect(retry_plans[reason]).toBeDefined()
  })

  it('a rule’s download waits for the announced time of a premiere, and checks at least once a week', () => {
    const inSeconds = (starts_in_s: number) =>
      minutesLater(afterFailure(failure('scheduled', 'premiere', { starts_in_s }), past({ by_rule: true }), now))
    expect([60, 3600, 3 * 86_400, 40 * 86_400].map(inSeconds)).toEqual([10, 62, 3 * day + 2, 7 * day])
  })

  it('a rule’s download starts its plan again when it fails for another reason', () => {
    const failed = afterFailure(
      failure('permanent', 'geography'),
      past({ by_rule: true, failing: { reason: 'sign_in', failures: 9 } }),
      now,
    )
    expect([minutesLater(failed), failed.failures]).toEqual([day, 1])
  })

  it('a rule’s download says either that it waits or that it ended', () => {
    for (const reason of Reason.options) {
      for (const failures of [0, 1, 5, 50, 5000]) {
        const failed = afterFailure(
          failure('permanent', reason),
          past({ by_rule: true, failing: { reason, failures } }),
          now,
        )
        const says_end = /no longer|not tried again/.test(failed.download_error)
        if (failed.next_attempt_at) expect(says_end, `${reason} ${failures}`).toBe(false)
        else if (retry_plans[reason].ends) expect(says_end, `${reason} ${failures}`).toBe(true)
      }
    }
  })

  it('a rule’s download has three quick attempts first, like a person’s', () => {
    const transient = (attempt: number, failures: number) =>
      afterFailure(
        failure('transient', 'site_trouble'),
        past({ by_rule: true, attempt, failing: { reason: 'site_trouble', failures } }),
        now,
      ).resets_attempts
    expect([transient(1, 0), transient(2, 1), transient(3, 2)]).toEqual([false, false, true])
    expect(afterFailure(failure('permanent', 'geography'), past({ by_rule: true }), now).resets_attempts).toBe(true)
    expect(afterFailure(failure('permanent', 'removed'), past({ by_rule: true }), now).resets_attempts).toBe(false)
  })

  it('a failure holds a rule’s other downloads when the site or the disk is the reason, not when the video is', () => {
    const holds = (reason: Reason) => afterFailure(failure('permanent', reason), past({ by_rule: true }), now).holds
    // The next one tries at once: a single failure may be the video's own.
    expect(holds('bot_check')).toEqual({ of: 'site', waits_s: [0, 900, 3600, 10_800, 21_600, 43_200, 86_400] })
    expect(holds('quota')).toMatchObject({ of: 'everything', waits_s: expect.arrayContaining([3600]) })
    for (const reason of ['members', 'private', 'premiere', 'geography', 'unknown'] as const)
      expect(holds(reason)).toBeUndefined()
    expect(afterFailure(failure('permanent', 'bot_check'), past(), now).holds).toBeUndefined()
  })
})

it('an unfinished recording is downloaded after two days of hourly checks', () => {
  const taken = (reason: Reason, failures: number) => takesUnfinished(past({ failing: { reason, failures } }))
  expect([taken('processing', 47), taken('processing', 48), taken('live', 100)]).toEqual([false, true, false])
  expect(takesUnfinished(past())).toBe(false)
})

it.each([true, false])('a fault of an hour does not begin the checks for a recording anew (by a rule: %s)', by_rule => {
  const checked = past({ by_rule, attempt: 3, failing: { reason: 'processing', failures: 47 } })
  const after = afterFailure(failure('transient', 'site_trouble'), checked, now)
  expect(after).toMatchObject({ reason: 'processing', failures: 48, refund: true })
  expect(minutesLater(after)).toBe(hour)
})

it('only a site that asks to slow down is paused, for downloads of people and of rules', () => {
  for (const by_rule of [true, false])
    expect(afterFailure(failure('rate_limited', 'rate_limited'), past({ by_rule }), now).slow_down).toBe(true)
  expect(afterFailure(failure('transient'), past(), now).slow_down).toBe(false)
})
