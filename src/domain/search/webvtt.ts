/**
 * Reads what is said from a WebVTT file: one line for each cue, without markup and repetitions. Sites write anything into such files, so
 * unreadable parts are left out, and everything is bounded. Pure.
 *
 * Automatic captions roll: a cue repeats the line above the new one, and YouTube repeats each line in a cue of its own as well. Others
 * repeat a line with one more word each time.
 */
import { clean } from '../../feed/markup/clean.ts'
import { withoutEntities } from '../../feed/markup/html.ts'
import { isAutomatic, type Transcript, type TranscriptLine, withoutPart } from '../../schema/sources/subtitles.ts'
import { longest_video_s } from '../../schema/watching/viewing.ts'

/** A day of speech has about fifteen thousand cues. */
export const max_lines = 20_000
export const max_letters_of_line = 500

/** `language`: as the names of subtitle files have it. */
export const transcriptIn = (language: string, webvtt: string): Transcript => ({
  language: withoutPart(language),
  automatic: isAutomatic(language),
  lines: linesIn(webvtt),
})

export function linesIn(webvtt: string): TranscriptLine[] {
  const cues = cuesIn(webvtt).toSorted((a, b) => a.start - b.start)
  const lines: TranscriptLine[] = []
  let before: Cue = { start: 0, end: -Infinity, lines: [] }
  for (const cue of cues) {
    const follows = cue.start - before.end <= rolling_gap_s
    const fresh = follows ? freshIn(cue.lines, before.lines) : cue.lines
    const text = fresh.join(' ').slice(0, max_letters_of_line).toWellFormed().trim()
    const last = lines.at(-1)
    if (follows && last && isGrown(text, last.text)) last.text = text
    else if (text !== '') lines.push({ start_seconds: Math.floor(cue.start), text })
    if (lines.length === max_lines) break
    // A cue that only repeats does not end what it repeats.
    before = { ...cue, end: Math.max(cue.end, follows ? before.end : -Infinity) }
  }
  return lines
}

/** The lines that the cue before does not have. Lines in another order are said again. */
function freshIn(lines: string[], before: string[]): string[] {
  const fresh = lines.filter(line => !before.includes(line))
  return fresh.length === 0 && !`\n${before.join('\n')}\n`.includes(`\n${lines.join('\n')}\n`) ? lines : fresh
}

/** By whole words, where the script separates words. */
const isGrown = (text: string, last: string): boolean =>
  text !== last && text.startsWith(last) && (without_spaces.test(last) || isBoundary(text, last.length))

const words = new Intl.Segmenter('en', { granularity: 'word' })
const isBoundary = (text: string, at: number) => words.segment(text).containing(at)?.index === at

const without_spaces =
  /[\p{Script=Han}\p{Script=Hira}\p{Script=Kana}\p{Script=Thai}\p{Script=Laoo}\p{Script=Khmr}\p{Script=Mymr}、。ー]$/u

/** Cues of rolling captions follow each other at once. A line that is repeated later is said again. */
const rolling_gap_s = 0.5

type Cue = { start: number; end: number; lines: string[] }

/** At most as many cues as lines could come from: rolling captions have two for each line. */
function cuesIn(webvtt: string): Cue[] {
  const cues: Cue[] = []
  let open: Cue | undefined
  for (const line of webvtt.split(/\r\n|\r|\n/)) {
    const times = line.length <= max_letters_of_timing ? timesIn(line) : undefined
    if (times) {
      if (cues.length === 3 * max_lines) break
      // The number before the times is the name of this cue, not the end of the one before.
      if (open && /^\d+$/.test(open.lines.at(-1) ?? '')) open.lines.pop()
      open = { ...times, lines: [] }
      cues.push(open)
    } else if (line === '') {
      open = undefined
    } else if (open && open.lines.length < max_lines_of_cue) {
      const text = textIn(line)
      if (text !== '' && text !== open.lines.at(-1)) open.lines.push(text)
    }
  }
  return cues.filter(({ start }) => start < longest_video_s)
}

const max_lines_of_cue = 10
const max_letters_of_timing = 300

function timesIn(line: string): { start: number; end: number } | undefined {
  const [from, to] = line.split('-->')
  if (to === undefined) return undefined
  const [start, end] = [secondsIn(from ?? ''), secondsIn(to)]
  return start === undefined ? undefined : { start, end: end ?? start }
}

/** `01:02:03.456` or `02:03.456`, and what follows the times. */
function secondsIn(text: string): number | undefined {
  const [, hours = '0', minutes, seconds] =
    /^\s*(?:(\d{1,6}):)?(\d{1,2}):(\d{1,2}(?:[.,]\d{1,9})?)(?:\s|$)/.exec(text) ?? []
  return minutes === undefined || seconds === undefined
    ? undefined
    : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(',', '.'))
}

const textIn = (line: string): string =>
  clean(
    withoutEntities(
      line
        .slice(0, 4 * max_letters_of_line)
        .replace(breaks, ' ')
        .replace(readings, '')
        .replace(tags, ''),
    ),
  )
    .replace(invisible, '')
    .replace(/\s+/g, ' ')
    .replace(at_the_ends, '')

/** Breaks of HTML and of SubStation Alpha. */
const breaks = /<br\s*\/?>|\\[Nnh]/gi
/** How the letters before are read. */
const readings = /<r[tp]\b.*?(?:<\/r(?:t|p|uby)>|$)/gi
/** Markup, times of single words, and positions of SubStation Alpha, which some programs leave in. */
const tags = /<[^<>]*>|\{\\[^{}]*\}/g
/** Spaces without width, and private letters, with which search results are marked. Persian, Indic scripts and emoji need the joiners. */
const invisible = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ue000-\uf8ff]/g
const at_the_ends = /^[\s\u200c\u200d]+|(?<![\s\u200c\u200d])[\s\u200c\u200d]+$/g
