/**
 * Adds subtitles and chapters to a video that is downloaded already. A fault here never harms the video: yt-dlp fetches them
 * in a run of its own, and ffmpeg writes a copy that replaces the video only when it is complete.
 *
 * In yt-dlp's first run, a missing subtitle would fail the download. This second run reads the info file of the first
 * and may take 90 seconds.
 */
import { lstat, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openEgressProxy } from '../../net/egress-proxy.ts'
import type { LookedVideo } from '../../schema/listing.ts'
import { extensionFor } from '../../schema/quality.ts'
import type { SubtitleFile } from '../../schema/subtitles.ts'
import { info_file, local_media, subtitleArgumentsOf } from './command.ts'
import type { DownloadContext } from './download-context.ts'
import { environment, proxied } from './environment.ts'
import { aboutIn, chapterText, InfoFile, languagesOf, threeLetterCode } from './info-file.ts'
import { runFfmpeg } from './playable.ts'
import { runTool } from './process.ts'

/** `about`: the facts in yt-dlp's info file; `undefined`: it could not be read. */
export type Extras = { subtitles: SubtitleFile[]; about: LookedVideo | undefined }

/** Embeds subtitles and chapters into `file`, and returns the subtitles as files too. Rejects only when the download is aborted. */
export async function addExtras(context: DownloadContext, file: string, onWork: () => void): Promise<Extras> {
  const info = await orNothing(context, () => readInfoFile(context.folder))
  if (!info) return { subtitles: [], about: undefined }
  // Audio needs no subtitles.
  const languages = context.quality === 'audio' ? [] : languagesOf(info)
  const chapters = chapterText(info)
  if (languages.length > 0 || chapters) onWork()
  if (languages.length > 0) await orNothing(context, () => fetchSubtitles(context, languages))
  const subtitles = (await orNothing(context, () => readable(context.folder, languages))) ?? []
  if ((subtitles.length > 0 || chapters) && (await hasRoomForCopy(file)))
    await orNothing(context, () => embed(context, file, subtitles, chapters))
  return { subtitles, about: aboutIn(info) }
}

/** `undefined`: `work` failed. Extras never make the download fail. */
async function orNothing<T>(context: DownloadContext, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch {
    context.signal.throwIfAborted()
    return undefined
  }
}

/** Limits in bytes for files that are read into memory. */
const max_info_bytes = 32 * 1024 * 1024
const max_subtitle_bytes = 4 * 1024 * 1024

async function readInfoFile(folder: string): Promise<InfoFile | undefined> {
  const text = await smallFile(join(folder, info_file), max_info_bytes)
  return text === undefined ? undefined : InfoFile.safeParse(JSON.parse(text)).data
}

/** The longest that subtitles may delay a download. */
const longest_ms = 90_000
const silence_ms = 30_000

async function fetchSubtitles(context: DownloadContext, languages: string[]): Promise<void> {
  const { tools, folder } = context
  const refused = new AbortController()
  const proxy = await openEgressProxy(context.policy, () => refused.abort())
  try {
    await runTool({
      command: [...tools.leash, ...tools.ytdlp.command],
      args: subtitleArgumentsOf({ languages, folder, ffmpeg: tools.ffmpeg, version: tools.ytdlp.version }),
      cwd: folder,
      env: { ...(await environment(tools, folder)), ...tools.ytdlp.env, ...proxied(proxy.url) },
      signal: AbortSignal.any([context.signal, refused.signal]),
      silence_ms: () => silence_ms,
      longest_ms: Math.min(longest_ms, context.deadline - Date.now()),
      onLine: () => {},
    })
  } finally {
    await proxy.close()
  }
}

/** The files that exist and are WebVTT. */
async function readable(folder: string, languages: string[]): Promise<SubtitleFile[]> {
  const found = await Promise.all(
    languages.map(async language => {
      const file = join(folder, `subtitles.${language}.vtt`)
      const text = await smallFile(file, max_subtitle_bytes)
      return text !== undefined && /^\ufeff?WEBVTT(?:[\s]|$)/.test(text) && text.includes('-->')
        ? [{ language, file }]
        : []
    }),
  )
  return found.flat()
}

/** `undefined`: it is missing, no regular file, or too large. */
async function smallFile(file: string, most: number): Promise<string | undefined> {
  const found = await lstat(file).catch(() => undefined)
  return found?.isFile() && found.size <= most ? await readFile(file, 'utf8') : undefined
}

/** Bytes that must stay free after the copy. With less, the check for disk space would end this run and lose its video. */
const margin = 1_000_000_000

/** The subtitles are also kept as files, so embedding them is not worth a full disk. */
async function hasRoomForCopy(file: string): Promise<boolean> {
  const [{ size }, { bavail, bsize }] = await Promise.all([lstat(file), statfs(file)])
  return bavail * bsize > size + margin
}

/** Copies all streams without converting, so this takes as long as copying the file. */
async function embed(
  context: DownloadContext,
  file: string,
  subtitles: SubtitleFile[],
  chapters: string | undefined,
): Promise<void> {
  const extension = extensionFor(context.quality)
  const made = join(context.folder, `embedding.${extension}`)
  const listed = join(context.folder, 'chapters.txt')
  if (chapters) await writeFile(listed, chapters)
  const { ended } = await runFfmpeg(context, [
    '-y',
    ...[...local_media, '-i', `file:${file}`],
    ...subtitles.flatMap(({ file }) => [...local_media, '-f', 'webvtt', '-i', `file:${file}`]),
    ...(chapters ? ['-protocol_whitelist', 'file', '-f', 'ffmetadata', '-i', `file:${listed}`] : []),
    ...['-map', '0:v?', '-map', '0:a?', ...subtitles.flatMap((_, n) => ['-map', `${n + 1}:s`])],
    ...['-map_metadata:g', '-1', ...(chapters ? ['-map_chapters', String(subtitles.length + 1)] : [])],
    ...['-c', 'copy', ...(subtitles.length > 0 ? ['-c:s', 'mov_text'] : [])],
    ...subtitles.flatMap(({ language }, n) => [`-metadata:s:s:${n}`, `language=${threeLetterCode(language)}`]),
    ...['-movflags', '+faststart', '-f', extension === 'm4a' ? 'ipod' : 'mp4', `file:${made}`],
  ])
  if (ended.exit_code === 0) await rename(made, file)
  else await rm(made, { force: true })
}
