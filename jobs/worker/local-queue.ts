/**
 * Works around a fault of graphile-worker 0.18.0: its local queue cannot be released while it has jobs and no query in progress.
 *
 * It then starts to give its jobs back and throws ("Cannot background something when the queue is already released"). The pool
 * stops without waiting for that statement, so the jobs may stay locked for 4 hours, and its connections stay open.
 */
import type { WorkerEvents } from 'graphile-worker'

/** Call before the pool is opened. The queue then has something in progress when it is released, and waits for its jobs. */
export function waitForReturnedJobs(events: WorkerEvents): void {
  events.once('localQueue:init', ({ localQueue }) => {
    // The pool releases the queue right after this event, before the promise counts as settled.
    // biome-ignore lint/complexity/useLiteralKeys: the method is private.
    events.once('pool:gracefulShutdown', () => localQueue['background'](Promise.resolve()))
  })
}
