/**
 * Cuts a transcript into moments of about thirty seconds, which are indexed, and chooses the lines of a moment that a result shows. The
 * cut depends on nothing but the lines, so the database keeps no text of moments. Pure.
 */
import type { TranscriptLine } from '../../schema/sources/subtitles.ts'

export type Moment = { start_seconds: number; lines: TranscriptLine[] }

/** Seconds from the first to the last line of a moment. */
const length_s = 30
/** A moment ends with the beginning of the next one, so that a sentence across the border is found too. */
const overlap_words = 12

export function momentsOf(lines: TranscriptLine[]): Moment[] {
  const moments: Moment[] = []
  let first = 0
  while (first < lines.length) {
    const start_seconds = lines[first]?.start_seconds ?? 0
    let end = first + 1
    while (end < lines.length && (lines[end]?.start_seconds ?? 0) < start_seconds + length_s) end += 1
    moments.push({ start_seconds, lines: [...lines.slice(first, end), ...beginningOf(lines, end)] })
    first = end
  }
  return moments
}

/** The next lines, cut after some words. */
function beginningOf(lines: TranscriptLine[], from: number): TranscriptLine[] {
  const beginning: TranscriptLine[] = []
  let left = overlap_words
  for (let at = from; at < lines.length && left > 0; at++) {
    const { start_seconds, text } = lines[at] ?? { start_seconds: 0, text: '' }
    const words = text.split(' ').slice(0, left)
    left -= words.length
    // Scripts without spaces have no words to count.
    beginning.push({ start_seconds, text: words.join(' ').slice(0, 100).toWellFormed() })
    if (text.length > 100) break
  }
  return beginning
}

// The text in which the database keeps the lines of a transcript. It is half as long as JSON; no line has a line break. Pure.

export const textOf = (lines: TranscriptLine[]): string =>
  lines.map(({ start_seconds, text }) => `${start_seconds} ${text}`).join('\n')

export const linesFrom = (text: string): TranscriptLine[] =>
  text === ''
    ? []
    : text
        .trimStart()
        .split('\n')
        .map(line => {
          const space = line.indexOf(' ')
          return { start_seconds: Number(line.slice(0, space)), text: line.slice(space + 1) }
        })
