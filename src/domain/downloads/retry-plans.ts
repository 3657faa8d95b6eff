/**
 * How long to wait after each kind of failure, and when to stop trying, as data for `retries.ts`.
 *
 * A person's download has three attempts. A rule's download is retried for as long as the reason may be temporary, after all
 * other downloads and without interrupting any; only a video that is gone for good ends it. What is private or for members is left
 * to looks (`domain/videos/look-results.ts`), which serve all people at once.
 * After two failures in a row at one site, one download tries and the others wait for it.
 */
import type { Reason } from '../../schema/downloads/run.ts'

export type RetryPlan = {
  /** Minutes to wait before each attempt, in this order. A person's own download uses the first waits only. */
  waits: readonly number[]
  /** Minutes to wait before all later attempts. Absent: after the last wait the download is given up. */
  later?: number
  /** Which other downloads of the person's rules wait while one download tries: downloads from the site, or all. */
  holds?: 'site' | 'everything'
  /** Shown while the download waits, in place of a failure's sentence that asks the person to act. */
  sentence?: string
  /** Shown when all waits are used up. */
  ends?: string
}

/** Hourly checks for a recording that its site still processes. After these, an unfinished recording is downloaded too. */
export const processing_checks = 48

export const [hour, day] = [60, 24 * 60]
/** The same wait so many times. */
export const times = (count: number, minutes: number): number[] => Array<number>(count).fill(minutes)

const gone: RetryPlan = { waits: [] }

/** Soon at first, then ever more slowly, and finally once a day. */
const site_trouble: RetryPlan = { waits: [0.5, 2, 10, hour, 4 * hour, 12 * hour], later: day, holds: 'site' }

/** Soon at first, then each day for a week, and finally once a week. */
const unknown: RetryPlan = { waits: [0.5, 2, hour, 12 * hour, ...times(7, day)], later: 7 * day }

export const retry_plans: Readonly<Record<Reason, RetryPlan>> = {
  site_trouble,
  silent: site_trouble,
  rate_limited: { waits: [15, hour, 4 * hour, 12 * hour], later: day, holds: 'site' },
  bot_check: {
    waits: [hour, 3 * hour, 6 * hour, 12 * hour],
    later: day,
    holds: 'site',
    sentence: "The site is asking for a bot check. We'll keep trying.",
  },
  fingerprint: { waits: [6 * hour], later: day, holds: 'site', sentence: 'The site refuses our download tools.' },
  extraction: {
    waits: [6 * hour],
    later: day,
    holds: 'site',
    sentence: 'The site has changed, and our download tools cannot read it yet.',
  },
  no_room: { waits: [], later: hour, holds: 'everything', sentence: 'There is not enough space left on the disk.' },
  quota: { waits: [], later: hour, holds: 'everything', sentence: 'You have used all the space you can keep here.' },
  tools: { waits: [], later: day, holds: 'everything', sentence: 'The download tools are not set up correctly.' },
  local: { waits: [10, hour], later: day },
  storage: { waits: times(6, 5), later: 30, holds: 'everything' },
  proxy: { waits: [...times(3, 1), ...times(6, 5)], later: 30, holds: 'everything' },
  premiere: { waits: times(24, hour), later: day, sentence: 'This video is not out yet.' },
  live: { waits: times(24, hour), later: day, sentence: 'This video is live or not out yet.' },
  processing: { waits: [...times(processing_checks, hour), ...times(14, day)], later: 7 * day },
  sign_in: {
    waits: times(3, day),
    later: 7 * day,
    sentence: 'You need to be signed in on the site to see this video.',
  },
  geography: { waits: times(7, day), later: 7 * day },
  unavailable: unknown,
  not_found: {
    waits: [hour, day, 6 * day],
    sentence: 'The site says that this video does not exist.',
    ends: 'The site has said for a week that this video does not exist, so we no longer check.',
  },
  too_long: {
    waits: [day, 7 * day],
    sentence: 'The download took more than three hours and was stopped.',
    ends: 'The download took more than three hours each time, so it is not tried again.',
  },
  cut_off: {
    waits: [hour, day, 7 * day],
    sentence: 'The download was interrupted three times in a row.',
    ends: 'The download was interrupted every time, so it is not tried again.',
  },
  unknown,
  // A look notices when the video opens, and the download is then requested again.
  members: gone,
  private: gone,
  removed: gone,
  password: gone,
  copy_protected: gone,
  unsupported: gone,
  address_refused: gone,
}
