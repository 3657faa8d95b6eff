/** Brings the subtitles next to a video into a work folder, as WebVTT, before their languages are chosen. */
import { hash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { forcedName, freeName, Language, type SubtitleFile, usualTag } from '../../schema/sources/subtitles.ts'
import { max_subtitle_bytes } from '../../ytdlp/ask/subtitles.ts'
import { webVttOf } from '../../ytdlp/convert/text-subtitles.ts'
import { linesIn } from '../search/webvtt.ts'
import { forced_rank, subtitleRank } from './file-names.ts'
import type { FoundFile } from './judge.ts'
import { folderOf, joined, shownPath } from './raw-path.ts'
import { type ReadingParts, smallText } from './read-found-file.ts'

/** Above the number of languages in which sites offer subtitles. */
const max_beside = 200

/**
 * Subtitles that say the same as others of their language are brought once. `unread`: the names of files in which nothing is said, or which
 * cannot be read or named, or are too many. A sound has no subtitles.
 */
export async function bringSubtitles(
  { tools, signal }: ReadingParts,
  { path, is_sound, subtitles }: FoundFile,
  folder: string,
): Promise<{ brought: SubtitleFile[]; unread: string[] }> {
  const brought = new Map<string, SubtitleFile>()
  const said = new Set<string>()
  const unread: string[] = []
  for (const [at, { name, language: named }] of (is_sound ? [] : subtitles).entries()) {
    // A name without a language leaves the language unknown.
    const tag = usualTag(named ?? '') ?? named ?? 'und'
    const language = subtitleRank(name) === forced_rank ? forcedName(tag) : tag
    const free = freeName(language, brought)
    const is_possible = at < max_beside && Language.safeParse(free).success
    const text = is_possible ? await smallText(joined(folderOf(path), name), max_subtitle_bytes, named) : undefined
    const vtt = text === undefined ? undefined : await webVttOf(tools, { text, folder, signal })
    const lines = linesIn(vtt ?? '')
    const key = hash('sha256', JSON.stringify([language, lines]))
    if (lines.length === 0) unread.push(shownPath(name))
    if (vtt === undefined || lines.length === 0 || said.has(key)) continue
    const file = join(folder, `subtitles.${free}.vtt`)
    await writeFile(file, vtt)
    said.add(key)
    brought.set(free, { language: free, file })
  }
  return { brought: [...brought.values()], unread }
}
