/**
 * Starts the embedded server again when it dies, as when the system kills it for lack of memory. When that does not help, it gives up, so
 * that the service can end and whatever supervises it can start it anew.
 */
import { setTimeout } from 'node:timers/promises'

export type Keeping = {
  /** The server is dead, and is started again. */
  onDeath(): void
  /** It does not start any more, or died too often. */
  onLost(fault: Error): void
}

type Server = { isRunning(): Promise<boolean>; start(): Promise<unknown> }

/** Seconds before each start. A server that has run for `well_ms` has all of them again. */
const all_waits_s = [0, 1, 2, 5, 10, 20]
const well_ms = 10 * 60_000
const look_ms = 1000

/** Returns a function that ends this, and resolves when nothing is started any more. */
export function keepRunning(
  server: Server,
  { onDeath, onLost }: Keeping,
  { check_ms = look_ms, waits_s = all_waits_s } = {},
): () => Promise<void> {
  const ended = new AbortController()
  const { signal } = ended
  const pause = (ms: number) => setTimeout(ms, undefined, { signal, ref: false }).catch(() => {})
  let started_at = performance.now()
  let starts = 0

  const startAgain = async () => {
    for (let fault: unknown; !signal.aborted; ) {
      const wait_s = waits_s[starts++]
      if (wait_s === undefined) return onLost(lost(fault))
      await pause(wait_s * 1000)
      if (signal.aborted) return
      fault = await server.start().then(
        () => undefined,
        (fault: unknown) => fault ?? true,
      )
      started_at = performance.now()
      if (fault === undefined) return
    }
  }

  const keep = async () => {
    for (;;) {
      await pause(check_ms)
      if (signal.aborted) return
      if (await server.isRunning()) {
        if (performance.now() - started_at > well_ms) starts = 0
        continue
      }
      onDeath()
      await startAgain()
      if (starts > waits_s.length) return
    }
  }
  const kept = keep().catch((fault: unknown) => onLost(lost(fault)))

  return async () => {
    ended.abort()
    await kept
  }
}

const lost = (cause: unknown) =>
  new Error(
    cause instanceof Error
      ? `The embedded Postgres died and does not start again. ${cause.message}`
      : 'The embedded Postgres dies again and again. Check the memory and the disk of this machine, and the server.log next to its data.',
    { cause },
  )
