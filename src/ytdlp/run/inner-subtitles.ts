/** Takes the subtitles that are inside a file out of it, as WebVTT. Those that are pictures stay where they are. */
import { join } from 'node:path'
import { Language, type SubtitleFile } from '../../schema/sources/subtitles.ts'
import { local_media } from './command.ts'
import type { DownloadContext } from './download-context.ts'
import { runFfmpeg } from './playable.ts'
import type { Probe, Stream } from './probe-file.ts'
import { max_languages } from './subtitle-choice.ts'
import { max_subtitle_bytes, readSubtitles } from './subtitles.ts'

const text_codecs = new Set(['mov_text', 'subrip', 'text', 'ass', 'ssa', 'webvtt'])

/** The first of each language. None where ffmpeg fails. Rejects only when the download is aborted. */
export async function innerSubtitles(context: DownloadContext, file: string, probe: Probe): Promise<SubtitleFile[]> {
  const texts = new Map(
    probe.streams
      .filter(({ codec_type, codec_name }) => codec_type === 'subtitle' && text_codecs.has(codec_name))
      .map((stream): [string, Stream] => [languageOf(stream) ?? 'und', stream])
      .toReversed(),
  )
  const chosen = [...texts].toReversed().slice(0, max_languages)
  if (chosen.length === 0) return []
  const named = chosen.map(([language, { index }]) => ({ language, index, ytdlp_name: `inner-${index}` }))
  const outputs = named.flatMap(({ index, ytdlp_name }) => [
    ...['-map', `0:${index}`, '-c:s', 'webvtt', '-fs', String(max_subtitle_bytes), '-f', 'webvtt'],
    `file:${join(context.folder, `subtitles.${ytdlp_name}.vtt`)}`,
  ])
  try {
    await runFfmpeg(context, ['-y', ...local_media, '-i', `file:${file}`, ...outputs])
    return await readSubtitles(context.folder, named)
  } catch {
    context.signal.throwIfAborted()
    return []
  }
}

/** The tag of the language of a stream, such as `de` where the file says `ger`; `undefined`: it says none. */
export function languageOf({ tags }: Stream): string | undefined {
  try {
    const language = new Intl.Locale(tags.get('language') ?? '').toString()
    return language === 'und' ? undefined : Language.safeParse(language).data
  } catch {
    return undefined
  }
}

/** `found`: those of the site, which come first. The file's subtitles are left out in languages that the site has. */
export const withInner = (found: SubtitleFile[], inner: SubtitleFile[]): SubtitleFile[] => {
  const written = new Set(found.map(({ language }) => language))
  return [...found, ...inner.filter(({ language }) => !written.has(language))].slice(0, max_languages)
}
