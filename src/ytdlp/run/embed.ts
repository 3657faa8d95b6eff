/** Writes subtitles, chapters, texts and a cover into a file that plays already. ffmpeg copies its streams and converts nothing. */
import { lstat, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { extensionFor } from '../../schema/downloads/quality.ts'
import type { SubtitleFile } from '../../schema/sources/subtitles.ts'
import { local_media } from './command.ts'
import type { DownloadContext } from './download-context.ts'
import { threeLetterCode } from './info-file.ts'
import { runFfmpeg } from './playable.ts'

export type Embedded = {
  subtitles: SubtitleFile[]
  /** Texts and chapters in ffmpeg's metadata format. */
  metadata: string
  has_chapters: boolean
  /** A JPEG. */
  cover: string | undefined
}

/** Bytes that must stay free after the copy. With less, the check for disk space would end this run and lose its video. */
const margin = 1_000_000_000

/** Nothing that is embedded is worth a full disk. */
export async function hasRoomForCopy(file: string): Promise<boolean> {
  const [{ size }, { bavail, bsize }] = await Promise.all([lstat(file), statfs(file)])
  return bavail * bsize > size + margin
}

/** Takes as long as copying the file. `false`: ffmpeg failed, and the file is as it was. */
export async function embed(context: DownloadContext, file: string, what: Embedded): Promise<boolean> {
  const { subtitles, metadata, has_chapters, cover } = what
  const extension = extensionFor(context.quality)
  const made = join(context.folder, `embedding.${extension}`)
  const about = join(context.folder, 'metadata.txt')
  await writeFile(about, metadata)
  const about_at = subtitles.length + 1
  // A sound file has no other picture, a video one.
  const cover_at = extension === 'm4a' ? 0 : 1
  const { ended } = await runFfmpeg(context, [
    '-y',
    ...[...local_media, '-i', `file:${file}`],
    ...subtitles.flatMap(({ file }) => [...local_media, '-f', 'webvtt', '-i', `file:${file}`]),
    ...['-protocol_whitelist', 'file', '-f', 'ffmetadata', '-i', `file:${about}`],
    ...(cover ? ['-protocol_whitelist', 'file', '-f', 'jpeg_pipe', '-i', `file:${cover}`] : []),
    // `V`: without a cover that the file came with.
    ...['-map', '0:V:0?', '-map', '0:a?', ...(cover ? ['-map', `${about_at + 1}:v`] : [])],
    ...subtitles.flatMap((_, n) => ['-map', `${n + 1}:s`]),
    ...['-map_metadata:g', String(about_at), ...(has_chapters ? ['-map_chapters', String(about_at)] : [])],
    ...['-c', 'copy', ...(subtitles.length > 0 ? ['-c:s', 'mov_text'] : [])],
    ...(cover ? [`-disposition:v:${cover_at}`, 'attached_pic'] : []),
    ...subtitles.flatMap(({ language }, n) => [`-metadata:s:s:${n}`, `language=${threeLetterCode(language)}`]),
    ...['-movflags', '+faststart', '-f', extension === 'm4a' ? 'ipod' : 'mp4', `file:${made}`],
  ])
  if (ended.exit_code !== 0) {
    await rm(made, { force: true })
    return false
  }
  await rename(made, file)
  return true
}
