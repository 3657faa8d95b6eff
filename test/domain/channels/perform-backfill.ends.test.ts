import { expect, it } from 'vitest'
import { afterFailure, max_attempts } from '../../../src/domain/channels/perform-backfill.ts'
import { ProxyFault } from '../../../src/net/proxy-fault.ts'
import { failures, proxyFailure } from '../../../src/ytdlp/failures/failure.ts'

const now = new Date('2026-11-22T12:00:00Z')
const in_minutes = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
const refusal = { ...failures.unknown, kind: 'rate_limited', sentence: 'The site asks us to slow down.' } as const

it('a site that refuses is asked again later and later, and after a day the backfill is incomplete', () => {
  const after = Array.from({ length: 8 }, (_, n) => afterFailure(refusal, { attempt: n + 1, found: 0 }, now))
  expect(after.map(next => ('run_at' in next ? next.run_at : next.state))).toEqual([
    ...[5, 15, 30, 60, 120, 240, 480].map(in_minutes),
    'incomplete',
  ])
  expect(after.at(0)).toMatchObject({ slow_down: true, error: refusal.sentence })
  expect(max_attempts).toBe(8)
})

it('a list waits as long for a proxy that is away, without a pause of the site', () => {
  const away = proxyFailure(new ProxyFault('away'))
  const after = [1, 2, 7, 8].map(attempt => afterFailure(away, { attempt, found: 0 }, now))
  expect(after).toMatchObject([
    ...[5, 15, 480].map(minutes => ({ run_at: in_minutes(minutes), slow_down: false })),
    { state: 'incomplete', error: away.sentence },
  ])
})

it('a list that breaks off is tried three more times without a pause of the site, and is then incomplete', () => {
  const after = [1, 2, 3, 4].map(attempt => afterFailure(failures.unknown, { attempt, found: 30 }, now))
  expect(after).toMatchObject([
    { run_at: in_minutes(1), slow_down: false },
    { run_at: in_minutes(5), slow_down: false },
    { run_at: in_minutes(15), slow_down: false },
    { state: 'incomplete', error: failures.unknown.sentence },
  ])
})

it('a failure that time does not mend ends a backfill: failed without any entry, otherwise incomplete', () => {
  const permanent = { kind: 'permanent', sentence: 'The site has no such channel.' } as const
  expect(afterFailure(permanent, { attempt: 1, found: 0 }, now)).toEqual({ state: 'failed', error: permanent.sentence })
  expect(afterFailure(permanent, { attempt: 1, found: 9 }, now)).toMatchObject({ state: 'incomplete' })
})
