/** Reads how far a conversion by ffmpeg is, from the lines of its `-progress`. Pure. */

/** Takes each line that ffmpeg prints; returns the percent, 0–100 and rising, or undefined where there is nothing new to tell. */
export function conversionReader(duration_s: number | undefined): (line: string) => number | undefined {
  let told = 0
  return line => {
    const [, time_us] = /^out_time_us=(\d{1,15})$/.exec(line) ?? []
    if (!time_us || !duration_s || duration_s <= 0) return undefined
    const percent = Math.min(100, Math.floor(Number(time_us) / (duration_s * 10_000)))
    if (percent <= told) return undefined
    told = percent
    return percent
  }
}
