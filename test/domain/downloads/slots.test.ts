/** Sharing slots, as tables: whose jobs are skipped, and who gives a slot to another person. */
import { describe, expect, it } from 'vitest'
import { crowdsHost, fairShareFlags, slices, yieldsSlot } from '../../../src/domain/downloads/slots.ts'
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
const waiter = (who: string, video_host = 'free.example') => ({ user_id: who as UserId, video_host })
const queue = (
  slots: number,
  runs: SlotRun[],
  waiting: [who: string, host?: string][],
  placesAt = () => 2,
): SlotQueue => ({
  slots,
  runs,
  waiting: waiting.map(([user_id, video_host]) => waiter(user_id, video_host)),
  placesAt,
})
const kept = { restarts: slices.max_restarts }
const on = (video_host: string) => ({ video_host })

describe('workers skip the downloads of', () => {
  it.each<[who: string, SlotQueue, string[]]>([
    ['no one while no one else waits', queue(2, [run('a', '1', 9)], [['a']]), []],
    [
      'a person who has all slots but one, while another waits',
      queue(2, [run('a', '1', 9)], [['a'], ['b']]),
      ['user:a'],
    ],
    ['no one who leaves two slots', queue(4, [run('a', '1', 9), run('a', '2', 9)], [['b']]), []],
    ['no one where there is one slot', queue(1, [run('a', '1', 9)], [['b']]), []],
    [
      'no one while the other waits for a place at a host',
      queue(2, [run('a', '1', 9, on('h'))], [['b', 'h']], () => 1),
      [],
    ],
  ])('%s', (_, given, expected) => {
    expect(fairShareFlags(given)).toEqual(expected)
  })
})

describe('a run yields its slot', () => {
  const both = [run('a', '1', 100), run('a', '2', 200)]
  const converting = both.map(each => ({ ...each, is_processing: true }))
  it.each<[claim: string, SlotQueue, claim_of: string, boolean]>([
    ['where one person holds all and another waits: the longest running', queue(2, both, [['b']]), '2', true],
    ['and no other', queue(2, both, [['b']]), '1', false],
    ['not while no one waits', queue(2, both, []), '2', false],
    ['not for more of the same person', queue(2, both, [['a']]), '2', false],
    ['not while a slot is free', queue(3, both, [['b']]), '2', false],
    ['not in its first minute', queue(2, [run('a', '1', 10), run('a', '2', 59)], [['b']]), '2', false],
    [
      'while another of the same has run its minute',
      queue(2, [run('a', '1', 61), run('a', '2', 59)], [['b']]),
      '1',
      true,
    ],
    ['not where two people share the slots', queue(2, [run('a', '1', 900), run('c', '2', 900)], [['b']]), '1', false],
    ['after ten minutes where there is one slot', queue(1, [run('a', '1', 601)], [['b']]), '1', true],
    ['not before ten minutes are over', queue(1, [run('a', '1', 599)], [['b']]), '1', false],
    [
      'not while it converts in the only slot',
      queue(1, [run('a', '1', 900, { is_processing: true })], [['b']]),
      '1',
      false,
    ],
    [
      'not while it converts, if another can',
      queue(2, [run('a', '1', 900, { is_processing: true }), run('a', '2', 70)], [['b']]),
      '1',
      false,
    ],
    ['even if it converts, where one person holds all: the youngest', queue(2, converting, [['b']]), '1', true],
    [
      'not when the site began again too often',
      queue(2, [run('a', '1', 9999, kept), run('a', '2', 9)], [['b']]),
      '1',
      false,
    ],
    [
      'at a host whose places one person holds',
      queue(9, [run('a', '1', 100, on('h')), run('a', '2', 90, on('h'))], [['b', 'h']]),
      '1',
      true,
    ],
    [
      'not at another host, when that would not help',
      queue(2, [run('a', '1', 100, on('h')), run('a', '2', 900, on('g'))], [['b', 'h']], () => 1),
      '2',
      false,
    ],
  ])('%s', (_, given, claim, expected) => {
    expect(yieldsSlot(given, claim)).toBe(expected)
  })
})

describe('crowdsHost', () => {
  const site = 'free.example'
  const two = [run('alice', 'a', 5, { video_host: site }), run('alice', 'b', 5, { video_host: site })]

  it.each<[what: string, SlotQueue, boolean]>([
    ['as many as the host has places, and another person waits there', queue(2, two, [['bob', site]]), true],
    ['one, at a host with one place', queue(2, two.slice(1), [['bob', site]], () => 1), false],
    ['fewer than the places', queue(2, two.slice(1), [['bob', site]]), false],
    ['another person waits at another host', queue(2, two, [['bob', 'other.example']]), false],
    ['the same person waits', queue(2, two, [['alice', site]]), false],
  ])('%s', (_, given, expected) => {
    expect(crowdsHost(given, waiter('alice'))).toBe(expected)
  })
})
