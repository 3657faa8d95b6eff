/** Counts uses by a key, such as the requests of a user, in windows of a fixed length. Kept in memory. */

/** The use that was just counted is the `used`th of a window that ends after `wait_s`. */
export type Use = { used: number; wait_s: number }

/**
 * The window of a key begins with its first use. Keys whose window has ended are forgotten. `now`: milliseconds of a clock that is
 * never set back.
 *
 * The count is made at once, without the promises and timers of a library that can also count in a database.
 */
export function countIn(window_s: number, now = () => performance.now()): (key: string) => Use {
  // The windows are in the order in which they end, because all have the same length.
  const windows = new Map<string, { used: number; ends_at: number }>()
  const forgetEnded = (at: number) => {
    for (const [key, { ends_at }] of windows) {
      if (ends_at > at) return
      windows.delete(key)
    }
  }
  return key => {
    const at = now()
    let window = windows.get(key)
    if (!window || window.ends_at <= at) {
      forgetEnded(at)
      window = { used: 0, ends_at: at + window_s * 1000 }
      windows.set(key, window)
    }
    window.used++
    return { used: window.used, wait_s: Math.max(1, Math.ceil((window.ends_at - at) / 1000)) }
  }
}
