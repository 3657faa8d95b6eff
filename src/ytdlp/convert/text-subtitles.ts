/**
 * Turns subtitles of any text format into WebVTT. ffmpeg reads the formats. It is strict about the times of SubRip, which programs write in
 * many ways, so the times are written in one way first.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asciiDigits } from '../../schema/values/digits.ts'
import { max_subtitle_bytes } from '../ask/subtitles.ts'
import { local_subtitles, type Tools } from '../process/programs.ts'
import { runFfmpeg } from './ffmpeg.ts'

/**
 * WebVTT stays as it is. `folder`: for temporary files. `undefined`: ffmpeg does not read the format. Rejects when `signal` is aborted, and
 * when the disk fails.
 */
export async function webVttOf(
  tools: Tools,
  { text, folder, signal }: { text: string; folder: string; signal: AbortSignal },
): Promise<string | undefined> {
  const written = withUsualTimes(text.replace(/^[\s\ufeff\u200b\u200e\u200f]+/, ''))
  if (/^webvtt(?:\s|$)/i.test(written)) return written.replace(/^webvtt/i, 'WEBVTT')
  const [source, made] = [join(folder, 'beside.text'), join(folder, 'beside.vtt')]
  // Where a cue has no number, ffmpeg does not recognise SubRip.
  const format = usual_times.test(written) ? ['-f', 'srt'] : []
  await writeFile(source, written)
  const { ended } = await runFfmpeg(
    { kind: 'subtitles', tools, folder, signal, silence_ms: longest_ms, deadline: performance.now() + longest_ms },
    ['-y', ...local_subtitles, ...format, '-i', `file:${source}`, ...asWebVtt('s:0'), `file:${made}`],
  )
  if (ended.exit !== 0) return undefined
  const converted = withUsualTimes(await readFile(made, 'utf8'))
  // In WebVTT, this sign begins a tag, whatever follows.
  return converted.replace(/<(?!\/?(?:[biucv]|ruby|rt|lang)(?:[ .][^<>\n]*)?>)/gi, '&lt;')
}

const longest_ms = 60_000

/** ffmpeg's arguments before the name of a file with this stream of its input. */
export const asWebVtt = (stream: string): string[] => [
  ...['-map', `0:${stream}`, '-c:s', 'webvtt', '-fs', String(max_subtitle_bytes), '-f', 'webvtt'],
]

const withUsualTimes = (text: string): string =>
  text
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replace(timing, (line, from, to, rest = '') => {
      const [start, end] = [timeOf(from), timeOf(to)]
      return start && end ? `${start} --> ${end}${rest}` : line
    })
    .replace(number_of_cue, asciiDigits)

const usual_times = /^\d+:\d\d:\d\d\.\d{3} --> /m
const number_of_cue = /^\p{Nd}+(?=\s+\d+:[^\n]* --> )/gmu

/** A position may come after the times. */
const timing =
  /^[^\S\n]*([\p{Nd}:.,;]{5,20})[^\S\n]*[-\u2010-\u2015\u2212]{1,2}>[^\S\n]*([\p{Nd}:.,;]{5,20})([^\S\n][^\n]*)?$/gmu

/** SubRip has hours and a comma before the milliseconds; programs leave the hours out, write a colon, or fewer or more digits. */
function timeOf(written: string): string | undefined {
  const [, hours = '', minutes, seconds, fraction = ''] =
    /^(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,:;](\d{1,9}))?$/.exec(asciiDigits(written)) ?? []
  if (minutes === undefined || seconds === undefined) return undefined
  const clock = [hours, minutes, seconds].map(part => part.padStart(2, '0')).join(':')
  return `${clock}.${fraction.padEnd(3, '0').slice(0, 3)}`
}
