/**
 * Adds subtitles, chapters, texts and a cover to a video that is downloaded already. A fault here never harms the video: yt-dlp fetches
 * subtitles in a run of its own, and ffmpeg writes a copy that replaces the video only when it is complete.
 *
 * In yt-dlp's first run, a missing subtitle would fail the download. This second run reads the info file of the first
 * and may take 90 seconds.
 */
import type { Chapter } from '../../schema/sources/facts.ts'
import type { LookedVideo } from '../../schema/sources/listing.ts'
import { isAutomatic, type SubtitleFile } from '../../schema/sources/subtitles.ts'
import type { FileWords } from '../../schema/videos/file-words.ts'
import { fetchCover } from './cover.ts'
import type { DownloadContext } from './download-context.ts'
import { embed, hasRoomForCopy } from './embed.ts'
import { metadataText, tagsOf } from './file-tags.ts'
import { aboutIn, chaptersIn, chapterText } from './info-file.ts'
import { languageOf, withInner } from './inner-subtitles.ts'
import type { Probe } from './probe-file.ts'
import { spokenIn, subtitlesFor } from './subtitle-choice.ts'
import { fetchSubtitles, readInfoFile, readSubtitles } from './subtitles.ts'

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

/** `words`: of the person. `probe`: of the file that arrived. `inner`: the subtitles that were in it. */
type Given = { words: FileWords | undefined; probe: Probe | undefined; inner: SubtitleFile[] }

/**
 * Embeds subtitles, chapters, texts and a cover into `file`, and returns the subtitles as files too. Rejects only when the download is
 * aborted.
 */
export async function addExtras(
  context: DownloadContext,
  file: string,
  { words, probe, inner }: Given,
  onWork: () => void,
): Promise<Extras> {
  const info = await orNothing(context, () => readInfoFile(context.folder))
  const is_sound = context.quality === 'audio'
  if (!info) return { subtitles: is_sound ? inner.slice(0, 1) : inner, about: undefined }
  onWork()
  const chosen = subtitlesFor(info, context.quality)
  const tags = tagsOf(info, words)
  // Both have ended before this rejects, because the caller then removes the folder.
  const [cover] = await Promise.allSettled([
    fetchCover(context, tags?.covers ?? []),
    chosen.length > 0 && fetchSubtitles(context, chosen, context.deadline - Date.now()),
  ])
  context.signal.throwIfAborted()
  const fetched = (await orNothing(context, () => readSubtitles(context.folder, chosen))) ?? []
  // Sound has only what was said: one file, for the transcript.
  const subtitles = is_sound ? [...fetched, ...inner].slice(0, 1) : withInner(fetched, inner)
  const chapters = chapterText(info)
  const what = {
    // Lines that repeat each other flicker in the video itself, and no player shows texts in a sound file.
    subtitles: is_sound ? [] : subtitles.filter(({ language }) => !isAutomatic(language)),
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
    about: about && { ...about, language: spokenIn(info) ?? soundLanguage(probe), chapters: chaptersIn(info) },
    words_hash: is_embedded ? tags?.words_hash : undefined,
  }
}

/** Of the sound that players take. */
function soundLanguage(probe: Probe | undefined): string | null {
  const sounds = probe?.streams.filter(({ codec_type }) => codec_type === 'audio') ?? []
  const sound = sounds.find(({ disposition }) => disposition?.default) ?? sounds[0]
  return (sound && languageOf(sound)) ?? null
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
