/** Sharing slots, as tables: who may start, and who gives up a slot. */
import { describe, expect, it } from 'vitest'
import {
  crowdsHost,
  fairShareFlags,
  reservedForOthers,
  slices,
  slowPause,
  speedometer,
  yieldReason,
} from '../../../src/domain/downloads/slots.ts'
import type { SlotQueue, SlotRun } from '../../../src/schema/downloads/run.ts'
import type { UserId } from '../../../src/schema/values/user.ts'

const run = (who: string, claim: string, ran_s: number, more: Partial<SlotRun> = {}): SlotRun => ({
  user_id: who as UserId,
  claim,
  video_host: `${claim}.example`,
  ran_s,
  is_processing: false,
  restarts: 0,
  ...more,
})
const waiter = (who: string, video_host = 'free.example') => ({ user_id: who as UserId, video_host, is_late: false })
const again = (who: string) => ({ ...waiter(who), is_late: true })
const queue = (
  slots: number,
  runs: SlotRun[],
  waiting: [who: string, host?: string][],
  more: Partial<SlotQueue> = {},
): SlotQueue => ({
  slots,
  runs,
  waiting: waiting.map(([user_id, video_host]) => waiter(user_id, video_host)),
  yielded: [],
  placesAt: () => 2,
  ...more,
})
const wanted = (who: string, video_host = 'free.example', restarts = 0) => ({
  user_id: who as UserId,
  video_host,
  restarts,
})
const kept = { restarts: slices.max_restarts }
const on = (video_host: string) => ({ video_host })

describe('a download may start', () => {
  it.each<[claim: string, SlotQueue, ReturnType<typeof wanted>, ReturnType<typeof reservedForOthers>]>([
    ['while no one else waits, in every slot', queue(2, [run('a', '1', 9)], [['a']]), wanted('a'), undefined],
    [
      'but not in the last slot, while another waits',
      queue(2, [run('a', '1', 9)], [['a'], ['b']]),
      wanted('a'),
      'slots',
    ],
    [
      'but not in the last slot, while a rule of another tries again',
      queue(2, [run('a', '1', 9)], [], { waiting: [again('b')] }),
      wanted('a'),
      'slots',
    ],
    ['of the other', queue(2, [run('a', '1', 9)], [['a'], ['b']]), wanted('b'), undefined],
    ['up to all slots but one', queue(4, [run('a', '1', 9)], [['b']]), wanted('a'), undefined],
    ['in the only slot', queue(1, [], [['b']]), wanted('a'), undefined],
    [
      'but not right after its person yielded a slot',
      queue(1, [], [['b']], { yielded: ['a' as UserId] }),
      wanted('a'),
      'slots',
    ],
    [
      'after it yielded, when no one waits any longer',
      queue(1, [], [], { yielded: ['a' as UserId] }),
      wanted('a'),
      undefined,
    ],
    [
      'but not at the last place of a host that another waits for',
      queue(4, [run('a', '1', 9, on('h'))], [['b', 'h']]),
      wanted('a', 'h'),
      'host',
    ],
    ['at another host', queue(4, [run('a', '1', 9, on('h'))], [['b', 'h']]), wanted('a', 'g'), undefined],
    [
      'though it may not be handed back, where a slot is left that changes hands',
      queue(2, [], []),
      wanted('a', 'h', slices.max_restarts),
      undefined,
    ],
    [
      'but not in the last slot that changes hands',
      queue(2, [run('b', '1', 9, kept)], []),
      wanted('a', 'h', slices.max_restarts),
      'slots',
    ],
  ])('%s', (_, given, who, expected) => {
    expect(reservedForOthers(given, who)).toBe(expected)
  })

  it('a download may start when no flag excludes it', () => {
    const full = queue(2, [run('a', '1', 9, on('h'))], [['b', 'h']])
    expect(fairShareFlags(full)).toEqual(['user:a'])
    expect(fairShareFlags({ ...full, slots: 4 })).toEqual(['host:h@a'])
    expect(fairShareFlags(queue(2, [run('a', '1', 9)], [['a']]))).toEqual([])
  })
})

describe('a run yields its slot', () => {
  const both = [run('a', '1', 100), run('a', '2', 200)]
  it.each<[claim: string, SlotQueue, claim_of: string, is_slow: boolean, ReturnType<typeof yieldReason>]>([
    ['where one person holds all and another waits: the longest running', queue(2, both, [['b']]), '2', false, 'share'],
    ['and no other', queue(2, both, [['b']]), '1', false, undefined],
    ['not while no one waits', queue(2, both, []), '2', true, undefined],
    ['not for more of the same person', queue(2, both, [['a']]), '2', true, undefined],
    ['not while a slot is free', queue(3, both, [['b']]), '2', true, undefined],
    ['not in its first minute', queue(2, [run('a', '1', 10), run('a', '2', 59)], [['b']]), '2', true, undefined],
    [
      'while another of the same has run its minute',
      queue(2, [run('a', '1', 61), run('a', '2', 59)], [['b']]),
      '1',
      false,
      'share',
    ],
    [
      'not where it leaves a slot to others',
      queue(2, [run('a', '1', 100), run('c', '2', 90)], [['b']]),
      '1',
      false,
      undefined,
    ],
    ['when it is slow', queue(2, [run('a', '1', 100), run('c', '2', 90)], [['b']]), '1', true, 'slow'],
    [
      'but not to one who holds as many',
      queue(2, [run('a', '1', 100), run('b', '2', 90)], [['b']]),
      '1',
      true,
      undefined,
    ],
    [
      'and to one who holds fewer',
      queue(3, [run('a', '1', 100), run('a', '3', 80), run('b', '2', 90)], [['b']]),
      '1',
      true,
      'slow',
    ],
    [
      'not to what a rule tries again, behind everything else',
      queue(2, both, [], { waiting: [again('b')] }),
      '2',
      true,
      undefined,
    ],
    [
      'after its slice, to one who has none',
      queue(2, [run('a', '1', 700), run('c', '2', 650)], [['b']]),
      '1',
      false,
      'slice',
    ],
    ['one for each who has none', queue(2, [run('a', '1', 700), run('c', '2', 650)], [['b']]), '2', false, undefined],
    ['two for two', queue(2, [run('a', '1', 700), run('c', '2', 650)], [['b'], ['d']]), '2', false, 'slice'],
    [
      'not after its slice, to one who has one',
      queue(2, [run('a', '1', 700), run('b', '2', 9)], [['b']]),
      '1',
      false,
      undefined,
    ],
    ['in turns where there is one slot', queue(1, [run('a', '1', 601)], [['b']]), '1', false, 'slice'],
    ['not before its slice is over', queue(1, [run('a', '1', 599)], [['b']]), '1', false, undefined],
    [
      'not while it converts, if another can',
      queue(2, [run('a', '1', 900, { is_processing: true }), run('a', '2', 70)], [['b']]),
      '1',
      true,
      undefined,
    ],
    [
      'even if it converts, where one person holds all: the youngest',
      queue(
        2,
        both.map(each => ({ ...each, is_processing: true })),
        [['b']],
      ),
      '1',
      false,
      'share',
    ],
    [
      'not when the site began again too often',
      queue(2, [run('a', '1', 9999, kept), run('a', '2', 9)], [['b']]),
      '1',
      true,
      undefined,
    ],
    [
      'at a host whose places one person holds',
      queue(9, [run('a', '1', 100, on('h')), run('a', '2', 90, on('h'))], [['b', 'h']]),
      '1',
      false,
      'share',
    ],
    [
      'not at another host, when that would not help',
      queue(2, [run('a', '1', 100, on('h')), run('a', '2', 900, on('g'))], [['b', 'h']], { placesAt: () => 1 }),
      '2',
      true,
      undefined,
    ],
  ])('%s', (_, given, claim, is_slow, expected) => {
    expect(yieldReason(given, claim, is_slow)).toBe(expected)
  })
})

it('a slow run pauses longer each time, and at most half an hour', () => {
  expect([0, 1, 2, 4, 5, 99].map(slowPause)).toEqual([60, 120, 240, 960, 1800, 1800])
})

it('the speed is known after one minute, over the last minute', () => {
  const speed = speedometer()
  expect(speed(0, 0)).toBeUndefined()
  expect(speed(30_000, 600_000)).toBeUndefined()
  expect(speed(60_000, 600_000)).toBe(10_000)
  expect(speed(90_000, 600_000)).toBe(0)
})

describe('crowdsHost', () => {
  const site = 'free.example'
  const two = [run('alice', 'a', 5, { video_host: site }), run('alice', 'b', 5, { video_host: site })]

  it.each<[what: string, SlotQueue, boolean]>([
    ['as many as the host has places, and another person waits there', queue(2, two, [['bob', site]]), true],
    ['one, at a host with one place', queue(2, two.slice(1), [['bob', site]], { placesAt: () => 1 }), false],
    ['fewer than the places', queue(2, two.slice(1), [['bob', site]]), false],
    ['another person waits at another host', queue(2, two, [['bob', 'other.example']]), false],
    ['the same person waits', queue(2, two, [['alice', site]]), false],
    ['only a late retry waits', queue(2, two, [], { waiting: [again('bob')] }), false],
  ])('%s', (_, given, expected) => {
    expect(crowdsHost(given, wanted('alice'))).toBe(expected)
  })
})
