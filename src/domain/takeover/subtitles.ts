/** Brings the subtitles next to a video into a work folder, as WebVTT. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SubtitleFile } from '../../schema/subtitles.ts'
import { Language } from '../../schema/subtitles.ts'
import { max_languages } from '../../ytdlp/run/subtitle-choice.ts'
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
    const text = await smallText(joined(folderOf(path), name), most_bytes)
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
  const lines = text.replace(/\r\n?/g, '\n')
  if (/^WEBVTT(?:\s|$)/.test(lines)) return lines.includes('-->') ? lines : undefined
  const cues = lines.replace(timing, (_, from, to) => `${dotted(from)} --> ${dotted(to)}`)
  if (cues === lines) return undefined
  // Positions of SubStation Alpha, which some programs write into SubRip.
  return `WEBVTT\n\n${cues.replace(/\{\\an?\d+\}/g, '').trim()}\n`
}

/** SubRip separates milliseconds with a comma, and may have a position after the times. */
const timing = /^(\d{1,3}:\d\d:\d\d[,.]\d{1,3}) *--> *(\d{1,3}:\d\d:\d\d[,.]\d{1,3})[^\n]*$/gm
const dotted = (time: string) => {
  const [clock = '', fraction = ''] = time.split(/[,.]/)
  return `${clock.padStart(8, '0')}.${fraction.padEnd(3, '0')}`
}
