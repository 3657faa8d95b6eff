/** Brings the subtitles next to a video into a work folder, as WebVTT. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SubtitleFile } from '../../schema/sources/subtitles.ts'
import { Language } from '../../schema/sources/subtitles.ts'
import { max_languages } from '../../ytdlp/run/subtitles.ts'
import type { FoundFile } from './judge.ts'
import { folderOf, joined } from './raw-path.ts'
import { smallText } from './read-file.ts'

const most_bytes = 4 * 1024 * 1024

/** One file for each language. Those that are no subtitles, or too large, are left out. */
export async function bringSubtitles({ path, subtitles }: FoundFile, folder: string): Promise<SubtitleFile[]> {
  const brought = new Map<string, SubtitleFile>()
  for (const { name, language: named } of subtitles) {
    // Without a language in its name, it is unknown.
    const language = named ?? 'und'
    if (brought.size >= max_languages || brought.has(language) || !Language.safeParse(language).success) continue
    const text = await smallText(joined(folderOf(path), name), most_bytes, named)
    const vtt = text === undefined ? undefined : webVttOf(text)
    if (vtt === undefined) continue
    const file = join(folder, `subtitles.${language}.vtt`)
    await writeFile(file, vtt)
    brought.set(language, { language, file })
  }
  return [...brought.values()]
}

/** WebVTT as it is, SubRip as WebVTT; `undefined`: it is neither. */
export function webVttOf(text: string): string | undefined {
  const lines = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
  if (/^WEBVTT(?:\s|$)/.test(lines)) return lines.includes('-->') ? lines : undefined
  const cues = lines.replace(timing, (line, from, to) => {
    const [start, end] = [timeOf(from), timeOf(to)]
    return start && end ? `${start} --> ${end}` : line
  })
  if (cues === lines) return undefined
  // Positions and line breaks of SubStation Alpha, and breaks of HTML, which some programs write into SubRip.
  const clean = cues.replace(/\{\\an?\d+\}/g, '').replace(/\\[Nn]|<br\s*\/?>/g, '\n')
  return `WEBVTT\n\n${clean.trim()}\n`
}

/** SubRip may have a position after the times. */
const timing = /^[^\S\n]*([\d:.,;]{5,20})[^\S\n]*-{1,2}>[^\S\n]*([\d:.,;]{5,20})(?:[^\S\n][^\n]*)?$/gm

/** SubRip has hours and a comma before the milliseconds; programs leave the hours out, write a colon, or fewer or more digits. */
function timeOf(written: string): string | undefined {
  const [, hours = '', minutes = '', seconds = '', fraction = ''] =
    /^(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,:;](\d{1,9}))?$/.exec(written) ?? []
  if (seconds === '') return undefined
  const clock = [hours, minutes, seconds].map(part => part.padStart(2, '0')).join(':')
  return `${clock}.${fraction.padEnd(3, '0').slice(0, 3)}`
}
