/** The rate of all downloads together, by a clock that the test moves. */
import { beforeEach, expect, it } from 'vitest'
import { sharedRate } from '../../../src/ytdlp/process/shared-rate.ts'

const piece = 8192
const megabyte = 1_000_000
let time_ms: number
/** By how much each timer is late. */
let late_ms: number
beforeEach(() => {
  time_ms = 0
  late_ms = 0
})
const clock = {
  now: () => time_ms,
  wait: async (ms: number) => {
    time_ms += ms + late_ms
  },
}

/** Lets so many bytes pass, and calls `onPiece` after each piece. */
async function pass(pace: (bytes: number) => Promise<unknown>, bytes: number, onPiece = () => {}) {
  for (let left = bytes; left > 0; left -= piece) {
    await pace(Math.min(piece, left))
    onPiece()
  }
}
const at = (bytes_s: number | undefined) => sharedRate(() => bytes_s, clock)
const never = () => false

it('bytes pass at the rate', async () => {
  await pass(at(megabyte).of(never).pace, 20 * megabyte)
  expect(time_ms / 1000).toBeCloseTo(20, 1)
})

it('timers that are late do not slow it down', async () => {
  late_ms = 120
  await pass(at(megabyte).of(never).pace, 20 * megabyte)
  expect(time_ms / 1000).toBeGreaterThan(19)
  expect(time_ms / 1000).toBeLessThan(21)
})

it('bytes pass evenly: no quarter of a second has more than its share, and a pause is not made up for', async () => {
  const { pace } = at(megabyte).of(never)
  const passed = new Map<number, number>()
  const count = () => {
    const quarter = Math.floor(time_ms / 250)
    passed.set(quarter, (passed.get(quarter) ?? 0) + piece)
  }
  await pass(pace, 5 * megabyte, count)
  expect(Math.max(...passed.values())).toBeLessThan(1.2 * 250_000)

  time_ms += 3_600_000
  const resumed_ms = time_ms
  await pass(pace, 5 * megabyte)
  expect(time_ms - resumed_ms).toBeGreaterThan(4400)
})

it('two runs share the rate evenly', async () => {
  const rate = at(megabyte)
  const order: string[] = []
  const run = (name: string) => pass(rate.of(never).pace, megabyte, () => order.push(name))
  await Promise.all([run('first'), run('second')])
  expect(time_ms / 1000).toBeCloseTo(2, 1)
  const half = order.slice(0, order.length / 2)
  expect(half.filter(name => name === 'first').length / half.length).toBeCloseTo(0.5, 1)
})

it('another rate counts at once, also for a piece that waits', async () => {
  const rate = sharedRate(() => (time_ms < 10_000 ? 16_384 : 10 * megabyte), clock)
  const { pace } = rate.of(never)
  await pass(pace, 10 * 16_384)
  expect(time_ms).toBeLessThan(10_300)
  await pace(megabyte)
  expect(time_ms).toBeLessThan(10_500)
})

it('a watched run does not wait, and takes nothing from the others', async () => {
  const rate = at(megabyte)
  const watched = rate.of(() => true)
  await pass(watched.pace, 50 * megabyte)
  expect(time_ms).toBe(0)
  const { pace } = rate.of(never)
  await pass(pace, 4 * megabyte, () => void watched.pace(piece))
  expect(time_ms / 1000).toBeCloseTo(4, 1)
})

it('a run that is watched while it waits goes on at once', async () => {
  let is_watched = false
  const rate = sharedRate(() => 16_384, {
    ...clock,
    wait: async ms => {
      time_ms += ms
      is_watched = time_ms >= 2000
    },
  })
  await rate.of(() => is_watched).pace(megabyte)
  expect(time_ms).toBeLessThan(2300)
})

it('nothing waits without a rate', async () => {
  const { pace, hasWaited } = at(undefined).of(never)
  await pass(pace, 50 * megabyte)
  expect(time_ms).toBe(0)
  expect(hasWaited(1000)).toBe(false)
})

it('a run knows that it waits, and that it has waited a moment ago', async () => {
  const { pace, hasWaited } = at(16_384).of(never)
  const passing = pace(piece)
  expect(hasWaited(1000)).toBe(true)
  await passing
  expect(hasWaited(1000)).toBe(true)
  time_ms += 1001
  expect(hasWaited(1000)).toBe(false)
})
