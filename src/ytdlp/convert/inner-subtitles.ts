/** The subtitles inside a file, and the languages of its streams. */
import { join } from 'node:path'
import { forcedName, freeName, type SubtitleFile, usualTag } from '../../schema/sources/subtitles.ts'
import { type Choice, fewOf, readSubtitles } from '../ask/subtitles.ts'
import type { DownloadContext } from '../process/download-context.ts'
import { local_media } from '../process/programs.ts'
import { type FfmpegContext, type Probe, runFfmpeg, type Stream } from './ffmpeg.ts'
import { playedSound } from './mp4-plan.ts'
import { asWebVtt } from './text-subtitles.ts'

type InnerContext = FfmpegContext & Pick<DownloadContext, 'languages'>

/**
 * Takes subtitles out of a file, as WebVTT; forced ones have names of their own. Subtitles that are pictures stay in the file. Returns
 * none where ffmpeg fails. Rejects only when the download is aborted.
 */
export async function innerSubtitles(context: InnerContext, file: string, probe: Probe): Promise<SubtitleFile[]> {
  const texts = new Map<string, Stream>()
  const found = probe.streams.filter(stream => stream.codec_type === 'subtitle' && text_codecs.has(stream.codec_name))
  for (const stream of found.slice(0, most_inside)) texts.set(freeName(nameOf(stream), texts), stream)
  const choice = { spoken: soundLanguage(probe), preferred: context.languages ?? [] }
  const few = new Set(fewOf([...texts.keys()], choice))
  const chosen = [...texts].filter(([language]) => few.has(language))
  if (chosen.length === 0) return []
  const named = chosen.map(([language, { index }]) => ({ language, index, ytdlp_name: `inner-${index}` }))
  const outputs = named.flatMap(({ index, ytdlp_name }) => [
    ...asWebVtt(String(index)),
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

const text_codecs = new Set(['mov_text', 'subrip', 'text', 'ass', 'ssa', 'webvtt'])

/** Files with subtitles in all languages of a site have fewer. */
const most_inside = 200

/** The title tells the scripts of Chinese apart, and the mark for forced ones is often only there. */
function nameOf(stream: Stream): string {
  const [language = 'und', title = ''] = [languageOf(stream), stream.tags.get('title')]
  if (stream.disposition?.forced || /\bforced\b/i.test(title)) return forcedName(language)
  if (language !== 'zh') return language
  return /simpl|hans|[简簡]/i.test(title) ? 'zh-Hans' : /trad|hant|繁/i.test(title) ? 'zh-Hant' : language
}

/** The tag of the language of a stream, such as `de` where the file says `ger`; `undefined`: it says none. */
export const languageOf = ({ tags }: Stream): string | undefined => usualTag(tags.get('language') ?? '')

/** The language of the sound that players play. */
export function soundLanguage(probe: Probe | undefined): string | null {
  const sound = playedSound(probe?.streams ?? [])
  return (sound && languageOf(sound)) ?? null
}

/** The subtitles of the site, then those inside the file in languages that the site does not have. */
export function withInner(of_site: SubtitleFile[], inner: SubtitleFile[], choice: Choice): SubtitleFile[] {
  const written = new Set(of_site.map(({ language }) => language))
  const all = [...of_site, ...inner.filter(({ language }) => !written.has(language.replace(/-\d\d?$/, '')))]
  const languages = all.map(({ language }) => language)
  const few = new Set(fewOf(languages, choice))
  return all.filter(({ language }) => few.has(language))
}
