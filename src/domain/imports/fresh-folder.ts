/** Keeps a work folder that no download has claimed: housekeeping removes such folders when they have not changed for an hour. */
import { utimes } from 'node:fs/promises'

const every_ms = 10 * 60_000

export function keepFresh(folder: string): { end(): void } {
  const timer = setInterval(() => {
    const now = new Date()
    // A failure does no harm: the next time is early enough.
    utimes(folder, now, now).catch(() => {})
  }, every_ms)
  return { end: () => clearInterval(timer) }
}
