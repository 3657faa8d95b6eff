/**
 * The hours in which downloads run, and their rates, as this process is configured. Pages and the API say from here when waiting downloads
 * start, so that a change of the configuration changes no row. Workers decide by the same functions.
 */
import { any_time, type DownloadTimes, openingsOf, rateAt } from '../schema/downloads/hours.ts'
import { currentTime } from './clock.ts'

type TimesConfig = {
  DOWNLOAD_HOURS?: DownloadTimes['hours']
  DOWNLOAD_RATE?: DownloadTimes['rates']
  TZ?: string | undefined
}

/** By the clock of `TZ`; unless it is set, of the system. */
export const timesIn = ({ DOWNLOAD_HOURS: hours = [], DOWNLOAD_RATE: rates = [], TZ }: TimesConfig): DownloadTimes => ({
  hours,
  rates,
  time_zone: TZ ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
})

/** Bytes per second now, looked up once a second; `undefined`: no limit. */
export function rateIn(times: DownloadTimes): () => number | undefined {
  let known: { second: number; rate: number | undefined } | undefined
  return () => {
    const at = currentTime()
    const second = Math.floor(at.getTime() / 1000)
    if (known?.second !== second) known = { second, rate: rateAt(times, at) }
    return known.rate
  }
}

let here = { times: any_time, opensAt: openingsOf(any_time) }

export function setDownloadTimes(times: DownloadTimes): void {
  here = { times, opensAt: openingsOf(times) }
}

export const downloadTimes = (): DownloadTimes => here.times

/** When downloads begin to run; `null`: they run now. */
export const hoursBeginAt = (): Date | null => here.opensAt(currentTime()) ?? null
