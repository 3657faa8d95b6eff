/** In this process: limits for the CPU time of a piece of work, which does not depend on how busy the machine is. */
import process from 'node:process'
import { expect } from 'vitest'

/** The time of one try, or of the fastest of three when the first is over the limit, because a cold start is slow. */
export function expectQuick(most_ms: number, work: () => unknown): void {
  const first = cpuMsOf(work)
  if (first <= most_ms) return
  expect(Math.min(first, cpuMsOf(work), cpuMsOf(work))).toBeLessThanOrEqual(most_ms)
}

/** CPU milliseconds of this thread only. */
export function cpuMsOf(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
