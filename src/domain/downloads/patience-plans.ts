/**
 * How long each reason of a failure is waited for, and when waiting ends, as data. `patience.ts` reads it: a person's download
 * uses the first waits only.
 */
import type { Reason } from '../../schema/reason.ts'

export type Plan = {
  /** How many times to wait for so many minutes, in this order. The last wait repeats for ever, unless the plan `ends`. */
  waits: readonly (readonly [times: number, minutes: number])[]
  /** What else waits while one download tries: the other downloads of the site, or all that the person's rules asked for. */
  holds?: 'site' | 'everything'
  /** Said while it waits, where the sentence of the failure would tell the person to act. */
  sentence?: string
  /** Said when all waits are used up. */
  ends?: string
}

export const [hour, day] = [60, 24 * 60]
export const ever = Number.POSITIVE_INFINITY
const gone: Plan = { waits: [] }

/** Soon at first, then ever more slowly, once a day in the end. */
const site_trouble: Plan = {
  waits: [
    [1, 0.5],
    [1, 2],
    [1, 10],
    [1, hour],
    [1, 4 * hour],
    [1, 12 * hour],
    [ever, day],
  ],
  holds: 'site',
}

export const plans: Readonly<Record<Reason, Plan>> = {
  site_trouble,
  silent: site_trouble,
  rate_limited: {
    waits: [
      [1, 15],
      [1, hour],
      [1, 4 * hour],
      [1, 12 * hour],
      [ever, day],
    ],
    holds: 'site',
  },
  bot_check: {
    waits: [
      [1, hour],
      [1, 3 * hour],
      [1, 6 * hour],
      [1, 12 * hour],
      [ever, day],
    ],
    holds: 'site',
    sentence: 'The site wants proof that we are not a bot.',
  },
  extraction: {
    waits: [
      [1, 6 * hour],
      [ever, day],
    ],
    holds: 'site',
    sentence: 'The site has changed in a way that is not understood here yet.',
  },
  no_room: { waits: [[ever, hour]], holds: 'everything', sentence: 'There is not enough space left on the disk.' },
  quota: { waits: [[ever, hour]], holds: 'everything', sentence: 'There is no room left in what you can keep here.' },
  tools: { waits: [[ever, day]], holds: 'everything', sentence: 'The downloading tools are not set up right.' },
  local: {
    waits: [
      [1, 10],
      [1, hour],
      [ever, day],
    ],
  },
  premiere: {
    waits: [
      [24, hour],
      [ever, day],
    ],
    sentence: 'This video is not out yet.',
  },
  live: {
    waits: [
      [24, hour],
      [ever, day],
    ],
    sentence: 'This video is live or not out yet.',
  },
  members: {
    waits: [
      [30, day],
      [12, 30 * day],
    ],
    sentence: 'Members only.',
    ends: 'This video has been for paying members only for over a year, so we no longer check.',
  },
  sign_in: {
    waits: [
      [3, day],
      [ever, 7 * day],
    ],
    sentence: 'The site shows this video only to people who are signed in.',
  },
  geography: {
    waits: [
      [7, day],
      [ever, 7 * day],
    ],
  },
  private: {
    waits: [
      [1, day],
      [1, 2 * day],
      [1, 4 * day],
    ],
    sentence: 'This video is private.',
    ends: 'This video has been private for a week, so we no longer check.',
  },
  unavailable: {
    waits: [
      [1, 0.5],
      [1, 2],
      [1, hour],
      [1, 12 * hour],
      [7, day],
      [ever, 7 * day],
    ],
  },
  not_found: {
    waits: [
      [1, hour],
      [1, day],
      [1, 6 * day],
    ],
    sentence: 'The site says that this video does not exist.',
    ends: 'For a week the site has said that this video does not exist, so we no longer check.',
  },
  too_long: {
    waits: [
      [1, day],
      [1, 7 * day],
    ],
    sentence: 'The download took more than three hours and was stopped.',
    ends: 'The download took more than three hours each time, so it is not tried again.',
  },
  cut_off: {
    waits: [
      [1, hour],
      [1, day],
      [1, 7 * day],
    ],
    sentence: 'The download was cut off three times in a row.',
    ends: 'The download was cut off again and again, so it is not tried again.',
  },
  unknown: {
    waits: [
      [1, 0.5],
      [1, 2],
      [1, hour],
      [1, 12 * hour],
      [7, day],
      [ever, 7 * day],
    ],
  },
  removed: gone,
  password: gone,
  copy_protected: gone,
  unsupported: gone,
  address_refused: gone,
}
