/** The text in which the database keeps the lines of a transcript. It is half as long as JSON; no line has a line break. Pure. */
import type { TranscriptLine } from '../../schema/search/transcript.ts'

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
