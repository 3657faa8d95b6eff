/** Measures this process: how long requests take, how late its timers are, its memory and its processor time. Kept in memory. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import process from 'node:process'
import type { Distribution, Labels } from '../schema/service/metrics.ts'

/** `le`: the upper bounds of the buckets, in order. */
export function histogram<Names extends Labels>(le: number[]) {
  const kept = new Map<string, Distribution>()
  return {
    le,
    record(labels: Names, value: number): void {
      const key = JSON.stringify(labels)
      const found = kept.get(key) ?? { labels, counts: Array<number>(le.length + 1).fill(0), sum: 0 }
      const at = le.findIndex(bound => value <= bound)
      const bucket = at === -1 ? le.length : at
      found.counts[bucket] = (found.counts[bucket] ?? 0) + 1
      found.sum += value
      kept.set(key, found)
    },
    all: (): Distribution[] => [...kept.values()],
  }
}

export type ProcessFigures = {
  memory_bytes: number
  cpu_seconds: number
  /** Seconds since 1970. */
  started_at: number
  /** How late timers were, in 99 of 100 cases, since the last reading. */
  late_seconds: number
}

/** Measures from the first call on. */
export function processMeasure(): () => ProcessFigures {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  const started_at = Date.now() / 1000 - process.uptime()
  return () => {
    const { user, system } = process.cpuUsage()
    const late_ns = delay.percentile(99)
    delay.reset()
    return {
      memory_bytes: process.memoryUsage().rss,
      cpu_seconds: (user + system) / 1e6,
      started_at,
      late_seconds: Math.max(0, late_ns / 1e9 - 0.02) || 0,
    }
  }
}
