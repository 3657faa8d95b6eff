/** How a run of a download ends other than with a file: what is written of it. */

export type Failed = {
  download_error: string
  /** The tool's own words. */
  download_detail?: string | null
  /** `null`: this was the last attempt. */
  next_attempt_at: Date | null
  /** The attempt does not count. */
  refund?: boolean
  /** Only if the run gave no sign of life for so many seconds. */
  silent_s?: number
  /** Until when the video's host asked to be left alone: no download of it starts before. */
  rest_until?: Date | undefined
}

export type HandBack = {
  /** The attempt does not count. */
  refund?: boolean
  /** Only if the run gave no sign of life for so many seconds. */
  silent_s?: number
  /** Done while the row is held, before anybody can take the download up again. */
  meanwhile?: () => Promise<unknown>
}
