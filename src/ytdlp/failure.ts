/**
 * What yt-dlp's last words mean: whether time can mend it, and what to tell the person who waits.
 * Sentences come from this table alone; what a site answered never reaches a page.
 */
import { table, unknown } from './failure-table.ts'

export type Failure = {
  /** What time alone can mend is tried again: `transient` soon, `rate_limited` and `scheduled` later; the others not. */
  kind: 'permanent' | 'operator' | 'scheduled' | 'rate_limited' | 'transient' | 'local'
  /** For people: what happened and what to do next. */
  sentence: string
  /** The tool's own words, for the log. */
  detail: string
}

/** How a run ended without a file. */
export type End = {
  /** The last error line, or what else is known. */
  said: string
  /** Killed by us, because it said nothing, or ran too long. */
  stopped?: 'silent' | 'too_long' | undefined
}

export function failureOf({ said, stopped }: End): Failure {
  const detail = cleaned(said)
  if (stopped) return { ...stops[stopped], detail: detail || stopped }
  const judged = withoutNames(said)
  const row = table.find(({ match }) => match.test(judged)) ?? unknown
  return { kind: row.kind, sentence: row.sentence, detail }
}

const stops = {
  silent: { kind: 'transient', sentence: 'The site stopped sending. The download goes on at the next try.' },
  too_long: {
    kind: 'permanent',
    sentence: 'The download took more than three hours and was stopped. Try a shorter video.',
  },
} as const

/** An address or an id may spell any word of the table, so only what is said about them is judged. */
const withoutNames = (said: string) => said.replace(/https?:\/\/\S+/gi, '').replace(/^ERROR: \[[^\]]+\] [^\s:]+: /, '')

/** For the log: one line without control characters, paths or addresses of machines. */
const cleaned = (text: string) =>
  text
    .replace(/\u001b\[[0-9;]*[A-Za-z]/g, '')
    .replace(/[\u0000-\u001f\u007f\s]+/g, ' ')
    .replace(/(?<![\w:/.])(?:[A-Za-z]:)?[\\/](?:[^\s'":\\/]+[\\/])+[^\s'":\\/]*/g, '…')
    .replace(/\b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b/g, '…')
    .trim()
    .slice(0, 1000)
    .replace(/[\ud800-\udbff]$/, '')
