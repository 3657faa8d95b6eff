/** Claims about how long work may hold up everybody else, in the processor's own time: a busy machine is no fault. */
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
