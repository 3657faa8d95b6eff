/** In this process: limits for the CPU time of a piece of work, which does not depend on how busy the machine is. */
import process from 'node:process'
import { expect } from 'vitest'

/** The time of one try; of the fastest of three, when that is over the limit: a cold start is no fault either. */
export function expectQuick(most_ms: number, work: () => unknown): void {
  const first = cpuMsOf(work)
  if (first <= most_ms) return
  expect(Math.min(first, cpuMsOf(work), cpuMsOf(work))).toBeLessThanOrEqual(most_ms)
}

/** Milliseconds of this thread alone. */
export function cpuMsOf(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
