/** In this process: limits for the CPU time of a piece of work. */
import process from 'node:process'
import { expect } from 'vitest'

/** A busy or slow machine takes several times as long. What these tests look for takes hundreds of times as long. */
const room = 5

/**
 * `most_ms`: on an idle machine. Checks the time of one try, or of the fastest of three when the first is over the limit, because a cold
 * start is slow.
 */
export function expectQuick(most_ms: number, work: () => unknown): void {
  const first = cpuMsOf(work)
  if (first <= most_ms * room) return
  expect(Math.min(first, cpuMsOf(work), cpuMsOf(work))).toBeLessThanOrEqual(most_ms * room)
}

/** CPU milliseconds of this thread only. */
export function cpuMsOf(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
