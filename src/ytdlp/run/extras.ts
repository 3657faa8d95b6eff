/**
 * Adds subtitles, chapters, texts and a cover to a video that is downloaded already. A fault here never harms the video: yt-dlp fetches
 * subtitles in a run of its own, and ffmpeg writes a copy that replaces the video only when it is complete.
 *
 * In yt-dlp's first run, a missing subtitle would fail the download. This second run reads the info file of the first
 * and may take 90 seconds.
 */
import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openEgressProxy } from '../../net/egress-proxy.ts'
import type { Chapter } from '../../schema/chapter.ts'
import type { FileWords } from '../../schema/file-words.ts'
import type { LookedVideo } from '../../schema/listing.ts'
import { isAutomatic, type SubtitleFile } from '../../schema/subtitles.ts'
import { info_file, subtitleArgumentsOf } from './command.ts'
import { fetchCover } from './cover.ts'
import type { DownloadContext } from './download-context.ts'
import { embed, hasRoomForCopy } from './embed.ts'
import { environment, proxied } from './environment.ts'
import { metadataText, tagsOf } from './file-tags.ts'
import { aboutIn, chaptersIn, chapterText, InfoFile } from './info-file.ts'
import { runTool } from './process.ts'
import { type ChosenSubtitles, spokenIn, subtitlesFor } from './subtitle-choice.ts'

/** What a look finds out, the spoken language, and the chapters. */
export type FoundVideo = LookedVideo & { language?: string | null; chapters?: Chapter[] | undefined }

/**
 * `about`: the facts in yt-dlp's info file; `undefined`: it could not be read. `words_hash`: the digest of the person's words that the
 * file contains now; `undefined`: it contains none.
 */
export type Extras = {
  subtitles: SubtitleFile[]
  about: FoundVideo | undefined
  words_hash?: string | undefined
}

/**
 * Embeds subtitles, chapters, texts and a cover into `file`, and returns the subtitles as files too. Rejects only when the download is
 * aborted.
 */
export async function addExtras(
  context: DownloadContext,
  file: string,
  words: FileWords | undefined,
  onWork: () => void,
): Promise<Extras> {
  const info = await orNothing(context, () => readInfoFile(context.folder))
  if (!info) return { subtitles: [], about: undefined }
  onWork()
  const chosen = subtitlesFor(info, context.quality)
  const tags = tagsOf(info, words)
  // Both have ended before this rejects, because the caller then removes the folder.
  const [cover] = await Promise.allSettled([
    fetchCover(context, tags?.covers ?? []),
    chosen.length > 0 && fetchSubtitles(context, chosen),
  ])
  context.signal.throwIfAborted()
  const subtitles = (await orNothing(context, () => readable(context.folder, chosen))) ?? []
  const chapters = chapterText(info)
  const what = {
    // Lines that repeat each other flicker in the video itself, and no player shows texts in a sound file.
    subtitles: context.quality === 'audio' ? [] : subtitles.filter(({ language }) => !isAutomatic(language)),
    cover: cover.status === 'fulfilled' ? cover.value : undefined,
    metadata: metadataText(tags, chapters),
    has_chapters: chapters !== undefined,
  }
  const is_embedded = await orNothing(
    context,
    async () => (await hasRoomForCopy(file)) && (await embed(context, file, what)),
  )
  const about = aboutIn(info)
  return {
    subtitles,
    about: about && { ...about, language: spokenIn(info), chapters: chaptersIn(info) },
    words_hash: is_embedded ? tags?.words_hash : undefined,
  }
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

async function fetchSubtitles(context: DownloadContext, chosen: ChosenSubtitles[]): Promise<void> {
  const { tools, folder } = context
  const names = chosen.map(({ ytdlp_name }) => ytdlp_name)
  const refused = new AbortController()
  const proxy = await openEgressProxy(context.policy, () => refused.abort())
  try {
    await runTool({
      command: [...tools.leash, ...tools.ytdlp.command],
      args: subtitleArgumentsOf({ names, folder, ffmpeg: tools.ffmpeg, version: tools.ytdlp.version }),
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
async function readable(folder: string, chosen: ChosenSubtitles[]): Promise<SubtitleFile[]> {
  const found = await Promise.all(
    chosen.map(async ({ language, ytdlp_name }) => {
      const file = join(folder, `subtitles.${ytdlp_name}.vtt`)
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
