/**
 * Adds subtitles, chapters, texts and a cover to a video that is downloaded already. A fault here never harms the video: yt-dlp fetches
 * subtitles in a run of its own, and ffmpeg writes a copy that replaces the video only when it is complete.
 *
 * In yt-dlp's first run, a missing subtitle would fail the download. The second run reads the info file of the first and may take 90
 * seconds.
 */
import { lstat, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Extension, extensionFor, isSoundOnly, type Quality } from '../../schema/downloads/quality.ts'
import { isAutomatic, type SubtitleFile } from '../../schema/sources/subtitles.ts'
import type { PictureFormat } from '../../schema/values/picture.ts'
import {
  aboutIn,
  chaptersIn,
  chapterText,
  type InfoFile,
  metadataText,
  tagsOf,
  threeLetterCode,
} from '../ask/info-file.ts'
import { fetchSubtitles, readInfoFile, readSubtitles, spokenIn, subtitlesFor } from '../ask/subtitles.ts'
import { pictureInput, writePicture } from '../convert/bare-picture.ts'
import { type Probe, runFfmpeg } from '../convert/ffmpeg.ts'
import { soundLanguage, withInner } from '../convert/inner-subtitles.ts'
import { isSound } from '../convert/mp4-plan.ts'
import type { DownloadContext } from '../process/download-context.ts'
import { local_media } from '../process/programs.ts'

/**
 * Embeds subtitles, chapters, texts and a cover into `file`. `probe`: of the file that arrived. `inner`: the subtitles that were in that
 * file. Returns the subtitles as files, too. Rejects only when the download is aborted.
 */
export async function addExtras(
  context: DownloadContext,
  file: string,
  probe: Probe | undefined,
  inner: SubtitleFile[],
) {
  const { quality, languages: preferred = [] } = context
  // A file of sound needs one file of subtitles, for the transcript.
  const is_sound = isSoundOnly(quality)
  const info = await orNothing(context, () => readInfoFile(context.folder))
  if (!info) return { subtitles: is_sound ? inner.slice(0, 1) : inner }
  const chosen = subtitlesFor(info, quality, preferred)
  const tags = tagsOf(info, context.words)
  // Both runs have ended before this function rejects, because the caller then removes the folder.
  const [cover] = await Promise.allSettled([
    fetchCover(context, tags?.covers ?? []),
    chosen.length > 0 && fetchSubtitles(context, chosen, context.deadline - performance.now()),
  ])
  context.signal.throwIfAborted()
  const fetched = (await orNothing(context, () => readSubtitles(context.folder, chosen))) ?? []
  const spoken = spokenIn(info) ?? soundLanguage(probe)
  const subtitles = is_sound ? [...fetched, ...inner].slice(0, 1) : withInner(fetched, inner, { spoken, preferred })
  const chapters = chapterText(info)
  const parts = {
    // Lines that repeat each other flicker in the video itself, and no player shows texts in a sound file.
    subtitles: is_sound ? [] : subtitles.filter(({ language }) => !isAutomatic(language)),
    cover: cover.status === 'fulfilled' ? cover.value : undefined,
    metadata: metadataText(tags, chapters),
    has_chapters: chapters !== undefined,
    language: embeddedLanguage(info, probe, quality),
  }
  const is_embedded = await orNothing(context, () => embed(context, file, parts))
  const looked = aboutIn(info)
  return {
    subtitles,
    facts: looked && { ...looked, language: spoken, chapters: chaptersIn(info) },
    words_hash: is_embedded ? tags?.words_hash : undefined,
  }
}

/**
 * Fetches the cover of a video and makes a JPEG of it, at most 1280 pixels wide; `undefined`: none of the addresses leads to a picture. The
 * fetcher limits destination, bytes and time, and tells the format from the bytes.
 */
async function fetchCover(context: DownloadContext, addresses: string[]): Promise<string | undefined> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(longest_cover_ms)])
  for (const address of addresses) {
    const answer = await context.fetchPicture?.(address, signal).catch(() => undefined)
    const cover = answer?.found === 'picture' && (await asJpeg(context, answer.bytes, answer.format))
    if (cover) return cover
  }
  return undefined
}

/** The time for all addresses of a cover together. */
const longest_cover_ms = 20_000

async function asJpeg(context: DownloadContext, bytes: Uint8Array, format: PictureFormat): Promise<string | undefined> {
  const [source, cover] = [join(context.folder, 'cover.source'), join(context.folder, 'cover.jpg')]
  await writePicture(bytes, format, source)
  const args = [
    ...['-y', ...pictureInput(format, source), '-frames:v', '1', '-threads', '1'],
    ...['-vf', "scale='min(1280,iw)':-2", '-pix_fmt', 'yuvj420p', '-c:v', 'mjpeg', '-q:v', '3'],
    ...['-map_metadata', '-1', '-f', 'image2', '-update', '1', `file:${cover}`],
  ]
  const { ended } = await runFfmpeg({ ...context, kind: 'picture' }, args)
  await rm(source, { force: true })
  return ended.exit === 0 ? cover : undefined
}

/** Subtitles and covers are not worth a full disk. */
async function hasRoomForCopy(file: string): Promise<boolean> {
  const [{ size }, { bavail, bsize }] = await Promise.all([lstat(file), statfs(file)])
  return bavail * bsize > size + free_bytes
}

/** These bytes stay free after the copy. With less, the check for disk space would end this run and lose its video. */
const free_bytes = 1_000_000_000

type EmbeddedParts = {
  subtitles: SubtitleFile[]
  /** Texts and chapters in ffmpeg's metadata format. */
  metadata: string
  has_chapters: boolean
  /** A JPEG. */
  cover: string | undefined
  /** Three letters, for the only sound; `undefined`: what its stream says stays. */
  language: string | undefined
}

/**
 * Writes subtitles, chapters, texts and a cover into a file that plays already. ffmpeg copies the streams and converts nothing, which takes
 * as long as copying the file. `false`: the file is as it was, because there was no room for a copy, or ffmpeg failed.
 */
async function embed(
  context: DownloadContext,
  file: string,
  { subtitles, metadata, has_chapters, cover, language }: EmbeddedParts,
): Promise<boolean> {
  if (!(await hasRoomForCopy(file))) return false
  const extension = extensionFor(context.quality)
  const made = join(context.folder, `embedding.${extension}`)
  const metadata_file = join(context.folder, 'metadata.txt')
  await writeFile(metadata_file, metadata)
  // The numbers of the inputs: the video is 0, and the subtitles come before the metadata.
  const metadata_at = subtitles.length + 1
  // The number of the cover among the pictures: a video has one picture before it, a sound file has none.
  const cover_at = extension === 'mp4' ? 1 : 0
  const { ended } = await runFfmpeg(context, [
    '-y',
    ...[...local_media, '-i', `file:${file}`],
    ...subtitles.flatMap(({ file }) => [...local_media, '-f', 'webvtt', '-i', `file:${file}`]),
    ...['-protocol_whitelist', 'file', '-f', 'ffmetadata', '-i', `file:${metadata_file}`],
    ...(cover ? ['-protocol_whitelist', 'file', '-f', 'jpeg_pipe', '-i', `file:${cover}`] : []),
    // `V`: without a cover that the file came with. An MP3 that is kept as it is keeps its cover where there is no other.
    ...['-map', extension === 'mp3' && !cover ? '0:v?' : '0:V:0?', '-map', '0:a?'],
    ...(cover ? ['-map', `${metadata_at + 1}:v`] : []),
    ...subtitles.flatMap((_, n) => ['-map', `${n + 1}:s`]),
    ...['-map_metadata:g', String(metadata_at), ...(has_chapters ? ['-map_chapters', String(metadata_at)] : [])],
    ...['-c', 'copy', ...(subtitles.length > 0 ? ['-c:s', 'mov_text'] : [])],
    ...(cover ? [`-disposition:v:${cover_at}`, 'attached_pic'] : []),
    ...(language ? [extension === 'mp3' ? '-metadata' : '-metadata:s:a:0', `language=${language}`] : []),
    ...subtitles.flatMap(({ language }, n) => [`-metadata:s:s:${n}`, `language=${threeLetterCode(language)}`]),
    ...[...containers[extension], `file:${made}`],
  ])
  if (ended.exit !== 0) {
    await rm(made, { force: true })
    return false
  }
  await rename(made, file)
  return true
}

/** ID3 2.3, because Windows and many cars read no later version. Players take the picture with this comment for the cover. */
const containers: Record<Extension, string[]> = {
  mp4: ['-movflags', '+faststart', '-f', 'mp4'],
  m4a: ['-movflags', '+faststart', '-f', 'ipod'],
  mp3: ['-id3v2_version', '3', '-metadata:s:v', 'comment=Cover (front)', '-f', 'mp3'],
}

/**
 * The language that the site says for the only sound. YouTube's MP4s name none, and its WebMs all mean English, dubbed or not
 * (yt-dlp issue 10680). Where the site says none, an MP3 gets the language of the file that arrived, because ffmpeg does not copy it.
 */
function embeddedLanguage(info: InfoFile, probe: Probe | undefined, quality: Quality): string | undefined {
  const sounds = probe?.streams.filter(isSound) ?? []
  const of_site = sounds.length === 1 ? spokenIn(info) : null
  const of_file = quality === 'mp3' ? soundLanguage(probe) : null
  const code = threeLetterCode(of_site ?? of_file ?? '')
  return code === 'und' ? undefined : code
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
