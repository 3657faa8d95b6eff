/**
 * Gives memory back to the system when the process has nothing to do. V8 keeps the memory that a busy minute needed until its next
 * full collection, and an idle process may never have one: a web process kept 340 MB after a load, of which 20 MB were in use.
 * The limit of the young generation that web processes have makes that less, but does not give it back. With this file, a service at rest
 * has 125 MB instead of 150, its Postgres included (`npm run bench -- rest`).
 */
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { every } from './every.ts'

const check_ms = 2000
/** The part of the time in which code runs. Heartbeats of a worker and a few requests stay below it. */
const idle_below = 0.05
/** Less than this is not worth a pause of about a tenth of a second. */
const worth_bytes = 16 * 1024 * 1024

/** Checks every `check_ms`. Does nothing without `node --expose-gc`, which the npm scripts and the image have; Deno is not affected. */
export function giveBackWhenIdle(every_ms = check_ms): void {
  const collect = globalThis.gc
  if (!collect) return
  let last = performance.eventLoopUtilization()
  let needed_bytes = 0
  every(every_ms, () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    if (utilization > idle_below || process.memoryUsage.rss() < needed_bytes + worth_bytes) return
    // Other kinds of collection keep the freed pages for the next busy minute.
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    needed_bytes = process.memoryUsage.rss()
  }).unref()
}
