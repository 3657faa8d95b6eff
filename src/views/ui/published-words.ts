/** When a video was published, in words that are no more precise than its date. */
import type { Precision } from '../../schema/sources/facts.ts'
import { relativeWords } from './words.ts'

/** "3 hours ago", "today" for a day without a time, "about 3 years ago". */
export function publishedWords(at: Date, precision: Precision, now: Date): string {
  switch (precision) {
    case 'exact':
      return relativeWords(at, now)
    case 'day':
      return dayWords(at, now)
    case 'approximate':
      return aboutWords(relativeWords(at, now))
  }
}

const day_ms = 24 * 3_600_000

/** `at`: the start of the day in UTC. */
function dayWords(at: Date, now: Date): string {
  const since_ms = now.getTime() - at.getTime()
  if (Math.abs(since_ms) >= day_ms) return relativeWords(at, now)
  return since_ms >= 0 ? 'today' : 'tomorrow'
}

const aboutWords = (words: string) => (words.endsWith(' ago') ? `about ${words}` : words)
