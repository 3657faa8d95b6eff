/**
 * What yt-dlp's last words mean: whether time can mend it, and what to tell the person who waits.
 * Sentences come from this table alone; what a site answered never reaches a page. A site can choose the words, so they
 * decide only about the one download: never for how long a site rests, and nothing about other people's downloads.
 */
import { isIPv6 } from 'node:net'
import type { Reason } from '../../schema/reason.ts'
import { no_public_site, table, unknown } from './failure-table.ts'

export type Failure = {
  /** What time alone can mend is tried again: `transient` soon, `rate_limited` and `scheduled` later; the others not. */
  kind: 'permanent' | 'operator' | 'scheduled' | 'rate_limited' | 'transient' | 'local'
  /** Finer than its kind. */
  reason: Reason
  /** For people: what happened and what to do next. */
  sentence: string
  /** The tool's own words, fit to be shown. */
  detail: string
  /** In how many seconds the video comes out, where the site says so. */
  starts_in_s?: number | undefined
  /** What broke on our own side; logged, never shown. */
  cause?: string
}

/** How a run ended without a file. */
export type End = {
  /** The last error line, or what else is known. */
  said: string
  /** Ended by us, or never begun; `refused`: the egress proxy let it go no further. */
  stopped?: keyof typeof stops | undefined
  /** The video's site by name; not given: unknown. */
  site?: string | undefined
}

export function failureOf({ said, stopped, site = 'the site' }: End): Failure {
  const detail = cleaned(said)
  if (stopped) return { ...stops[stopped], detail: detail || stopped }
  const judged = withoutNames(said)
  const row = table.find(({ match }) => match.test(judged)) ?? unknown
  const starts_in_s = row.reason === 'premiere' ? startsIn(judged) : undefined
  return {
    kind: row.kind,
    reason: row.reason,
    sentence: row.sentence.replace('{site}', site),
    detail,
    ...(starts_in_s && { starts_in_s }),
  }
}

/** "Premieres in 21 hours", "This live event will begin in 3 days"; a few moments are not said in numbers. */
function startsIn(said: string): number | undefined {
  const [, amount = '', unit = ''] = /\bin (\d{1,4}|an?) (minute|hour|day|week|month)s?\b/i.exec(said) ?? []
  return amount === '' ? undefined : (Number(amount) || 1) * (spans_s[unit.toLowerCase()] ?? 0)
}

const spans_s: Record<string, number> = { minute: 60, hour: 3600, day: 86_400, week: 604_800, month: 2_592_000 }

const stops = {
  refused: { kind: 'transient', reason: 'site_trouble', sentence: no_public_site },
  unfit_address: {
    kind: 'permanent',
    reason: 'address_refused',
    sentence: 'The address of this video contains control characters, so it is not downloaded. Use another source.',
  },
  silent: {
    kind: 'transient',
    reason: 'silent',
    sentence: 'The site stopped sending. The download goes on at the next try.',
  },
  too_long: {
    kind: 'permanent',
    reason: 'too_long',
    sentence: 'The download took more than three hours and was stopped. Try a shorter video.',
  },
} as const

/** An address or an id may spell any word of the table, so only what is said about them is judged. */
const withoutNames = (said: string) => said.replace(/https?:\/\/\S+/gi, '').replace(/^ERROR: \[[^\]]+\] [^\s:]+: /, '')

/** One line without control characters, paths or addresses of machines. */
export const cleaned = (text: string): string =>
  text
    .replace(/\u001b\[[0-9;]*[A-Za-z]/g, '')
    .replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ')
    .replace(/\bfile:\/\/\S+/gi, '…')
    .replace(/(?<![\w/.]|:(?=\/\/))(?:[A-Za-z]:)?[\\/](?:[^\s'":\\/]+[\\/])+[^\s'":\\/]*/g, '…')
    .replace(/[0-9a-f:.]{2,}/gi, withoutIPv6)
    .replace(/\b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b/g, '…')
    .trim()
    .slice(0, 1000)
    .replace(/[\ud800-\udbff]$/, '')

/** A colon before it, or a dot behind it, is the sentence's own. */
const withoutIPv6 = (run: string) => (run.length < 50 && isIPv6(run.replace(/^:(?!:)|(?<!:):$|[.]$/g, '')) ? '…' : run)
