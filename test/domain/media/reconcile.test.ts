/** Two servers and Backlot, changed and synchronised in any order: they agree in the end, and then send nothing. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nothing_watched, type OurWatching, reconcile, type Sides } from '../../../src/domain/media/reconcile.ts'
import type { Watching, WatchState } from '../../../src/schema/media/media-server.ts'
import { holds } from '../../support/run/holds.ts'

const at = (seconds: number) => new Date(seconds * 1000)
const state = (is_watched: boolean, position_seconds: number): WatchState => ({ is_watched, position_seconds })
const ours = (of: WatchState, seconds?: number, forgotten?: number): OurWatching => ({
  ...of,
  at: seconds === undefined ? null : at(seconds),
  forgotten_at: forgotten === undefined ? null : at(forgotten),
})
const theirs = (of: WatchState, seconds?: number): Watching => ({
  ...of,
  at: seconds === undefined ? null : at(seconds),
})

const [begun, further, watched] = [state(false, 100), state(false, 200), state(true, 0)]
const agreed: Sides = { ours: begun, theirs: begun }

describe('since the last exchange', () => {
  it.each([
    ['nothing changed', agreed, ours(begun, 1), theirs(begun, 9), 'nothing'],
    ['we changed', agreed, ours(further, 1), theirs(begun, 9), 'send'],
    ['the server changed', agreed, ours(begun, 9), theirs(further, 1), 'take'],
    ['both changed to the same', agreed, ours(watched, 1), theirs(watched, 9), 'nothing'],
    ['both changed, the server later', agreed, ours(further, 1), theirs(watched, 9), 'take'],
    ['both changed, we later', agreed, ours(further, 9), theirs(watched, 1), 'send'],
    ['both changed, the server at an unknown time', agreed, ours(further, 1), theirs(nothing_watched), 'send'],
    ['both changed, we at an unknown time', agreed, ours(nothing_watched), theirs(watched, 9), 'send'],
    ['the server rounded a position', agreed, ours(begun, 1), theirs(state(false, 104), 9), 'nothing'],
    [
      'the mark there was taken away',
      { ours: watched, theirs: watched },
      ours(watched, 1),
      theirs(nothing_watched),
      'take',
    ],
    [
      'the mark here was taken away',
      { ours: watched, theirs: watched },
      ours(nothing_watched),
      theirs(watched, 1),
      'send',
    ],
    [
      'the server made something else of our mark',
      { ours: watched, theirs: further },
      ours(watched, 1),
      theirs(further, 9),
      'nothing',
    ],
  ] as const)('%s', (_, last, here, there, expected) => {
    expect(reconcile(last, here, there)).toBe(expected)
  })
})

describe('at the first exchange', () => {
  it.each([
    ['only we know something', ours(begun, 1), theirs(nothing_watched), 'send'],
    ['only the server knows something', ours(nothing_watched), theirs(watched), 'take'],
    ['both know something, the server later', ours(watched, 1), theirs(begun, 2), 'take'],
    ['both know something, we later', ours(begun, 2), theirs(watched, 1), 'send'],
  ] as const)('%s', (_, here, there, expected) => {
    expect(reconcile(undefined, here, there)).toBe(expected)
  })
})

it('leaves a video out of the history from which it was removed, until it is watched anew', () => {
  const removed = ours(nothing_watched, 5, 5)
  expect(reconcile(undefined, removed, theirs(further, 4))).toBe('nothing')
  expect(reconcile(undefined, removed, theirs(watched))).toBe('nothing')
  expect(reconcile(undefined, removed, theirs(watched, 6))).toBe('take')
})

/** How a server stores a position: it may round it up or down, forget short ones, or ignore what it is told. */
const roundings: ((position: number) => number)[] = [
  position => position,
  position => Math.floor(position / 50) * 50,
  position => Math.ceil(position / 60) * 60,
  position => (position < 60 ? 0 : position),
]
type Side = { known: Watching; round?: ((position: number) => number) | undefined; ignores?: boolean; last?: Sides }

/** One exchange, as `exchange.ts` does it. Returns whether something was sent or taken. */
function exchange(backlot: { known: OurWatching }, server: Side): boolean {
  const verdict = reconcile(server.last, backlot.known, server.known)
  if (verdict === 'take') backlot.known = { ...server.known, forgotten_at: null }
  if (verdict === 'send' && !server.ignores) {
    const { is_watched, position_seconds, at } = backlot.known
    server.known = { is_watched, at, position_seconds: server.round?.(position_seconds) ?? position_seconds }
  }
  server.last = { ours: stateOf(backlot.known), theirs: stateOf(server.known) }
  return verdict !== 'nothing'
}
const stateOf = ({ is_watched, position_seconds }: WatchState) => ({ is_watched, position_seconds })

type Name = 'backlot' | 'first' | 'second'
type Step = { of: Name; state: WatchState; has_time: boolean } | { sync: 'first' | 'second' }
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    of: fc.constantFrom<Name>('backlot', 'first', 'second'),
    state: fc.constantFrom(nothing_watched, begun, further, watched, state(false, 61), state(true, 130)),
    has_time: fc.boolean(),
  }),
  fc.record({ sync: fc.constantFrom<'first' | 'second'>('first', 'second') }),
)

function run(steps: Step[], first: Side, second: Side) {
  const backlot = { known: ours(nothing_watched) }
  const all = { backlot, first, second }
  for (const [now, one] of steps.entries()) {
    if ('sync' in one) exchange(backlot, all[one.sync])
    else all[one.of].known = { forgotten_at: null, ...one.state, at: one.has_time ? at(now) : null }
  }
  return backlot
}
const server = (more: Partial<Side> = {}): Side => ({ known: theirs(nothing_watched), ...more })

it('two servers and Backlot agree after two rounds, whatever changed where, and then send nothing', () => {
  holds(
    fc.property(fc.array(step, { maxLength: 30 }), steps => {
      const [first, second] = [server(), server()]
      const backlot = run(steps, first, second)
      for (let round = 0; round < 2; round++) for (const one of [first, second]) exchange(backlot, one)
      expect([stateOf(first.known), stateOf(second.known)]).toEqual(Array(2).fill(stateOf(backlot.known)))
      expect([exchange(backlot, first), exchange(backlot, second)]).toEqual([false, false])
    }),
    { runs: 500 },
  )
})

it('servers that round, forget or ignore what they are told make no loop', () => {
  const odd = fc.record({ round: fc.constantFrom(...roundings), ignores: fc.boolean() })
  holds(
    fc.property(fc.array(step, { maxLength: 30 }), odd, odd, (steps, one, other) => {
      const [first, second] = [server(one), server(other)]
      const backlot = run(steps, first, second)
      for (let round = 0; round < 3; round++) for (const each of [first, second]) exchange(backlot, each)
      expect([exchange(backlot, first), exchange(backlot, second)]).toEqual([false, false])
    }),
    { runs: 500 },
  )
})
