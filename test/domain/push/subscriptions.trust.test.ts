import { describe, expect, it } from 'vitest'
import { type CheckResult, isProven, noteOfCheck } from '../../../src/domain/push/subscriptions.ts'
import type { Subscription } from '../../../src/schema/push/push.ts'

const now = new Date('2026-11-20T12:00:00Z')
const minutes = (count: number) => new Date(now.getTime() + count * 60_000)
const push_id = 'p'
const subscription = (more: Partial<Subscription> = {}): Subscription => ({
  push_id,
  ...{
    hub: 'https://hub.example/',
    topic: 'https://h.example/',
    state: 'active',
    check_at: null,
    rechecks: 0,
    streak: 2,
  },
  active_since: minutes(-600),
  lease_until: minutes(600),
  ...more,
})
const noteOf = (push: Partial<Subscription>, result: Partial<CheckResult> = {}) =>
  noteOfCheck(subscription(push), { has_news: false, is_enough: false, before: minutes(-30), now, ...result })

describe('whether a feed may be checked more slowly', () => {
  it.each<[string, Partial<Subscription>, boolean]>([
    ['after two announcements in a row', {}, true],
    ['after one', { streak: 1 }, false],
    ['while the hub has not confirmed', { state: 'pending' }, false],
    ['when the hub refuses', { state: 'denied' }, false],
    ['when a renewal failed and the lease is over', { state: 'failed' }, false],
    ['when no one follows it', { state: 'ending' }, false],
    ['after the end of the lease', { lease_until: now }, false],
    ['without a lease', { lease_until: null }, false],
  ])('%s: %o is %s', (_, push, proven) => {
    expect(isProven(subscription(push), now)).toBe(proven)
  })
})

describe('what a check says about pushes', () => {
  const check_at = minutes(-1)

  it('new videos after a push count for the hub, also when a check by the clock finds them first', () => {
    expect(noteOf({ check_at }, { has_news: true })).toEqual({ push_id, found_by: 'push', checked: check_at })
    const later = minutes(1)
    expect(noteOf({ check_at: later }, { has_news: true })).toEqual({ push_id, found_by: 'push', checked: later })
  })

  it.each([
    [0, 1],
    [1, 5],
  ])('a push without news, after %i further checks, leads to another check in %i minutes', (rechecks, wait) => {
    expect(noteOf({ check_at, rechecks })).toEqual({
      ...{ push_id, checked: check_at, is_fruitless: true },
      recheck_at: minutes(wait),
    })
  })

  it('the third check without news is the last one', () => {
    expect(noteOf({ check_at, rechecks: 2 })).toEqual({ push_id, checked: check_at, is_fruitless: true })
    expect(noteOf({ check_at, rechecks: 99 })).toEqual({ push_id, checked: check_at, is_fruitless: true })
  })

  it('a push for a changed title, or at a host that wants fewer requests, needs no further check', () => {
    expect(noteOf({ check_at }, { is_enough: true })).toEqual({ push_id, checked: check_at })
  })

  it('a further check that is not due yet stays planned', () => {
    expect(noteOf({ check_at: minutes(1) })).toBeUndefined()
  })

  it('new videos that no push announced count against the hub', () => {
    expect(noteOf({}, { has_news: true })).toEqual({ push_id, found_by: 'poll' })
  })

  it.each<[string, Partial<Subscription>, Partial<CheckResult>]>([
    ['nothing new', {}, {}],
    ['the hub announces only since the check before', { active_since: minutes(-20) }, { has_news: true }],
    ['the first check', {}, { has_news: true, before: null }],
    ['a subscription that has never been active', { active_since: null }, { has_news: true }],
    ['a lease that is over', { lease_until: minutes(-1) }, { has_news: true }],
    ['a hub that refuses', { state: 'denied' }, { has_news: true }],
  ])('%s counts neither for nor against it', (_, push, result) => {
    expect(noteOf(push, result)).toBeUndefined()
  })
})
