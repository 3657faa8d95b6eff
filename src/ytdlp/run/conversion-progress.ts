/** Reads the progress of a conversion from the lines that ffmpeg prints for `-progress`. Pure. */

/** Returns a function for each line that ffmpeg prints: the percent so far, 0–100, or `undefined` when it has not risen. */
export function conversionReader(duration_s: number | undefined): (line: string) => number | undefined {
  let latest = 0
  return line => {
    const [, time_us] = /^out_time_us=(\d{1,15})$/.exec(line) ?? []
    if (!time_us || !duration_s || duration_s <= 0) return undefined
    const percent = Math.min(100, Math.floor(Number(time_us) / (duration_s * 10_000)))
    if (percent <= latest) return undefined
    latest = percent
    return percent
  }
}
