/** Reads what a stored file says, its length, its chapters and its streams, if it was downloaded before these were kept. */
import { join } from 'node:path'
import type { Library } from '../../db/library.ts'
import { inNewFolder } from '../../runtime/folders.ts'
import { copyFrom, type Files } from '../../store/files.ts'
import { factsIn, probeFile } from '../../ytdlp/convert/ffmpeg.ts'
import { streamsIn } from '../../ytdlp/convert/streams.ts'
import type { ToolFinder } from '../../ytdlp/process/programs.ts'

/** Of a file in a bucket, its beginning is read: all files that we make have their index there. */
const max_bytes_read = 16 * 1024 * 1024

/** A file that is missing, or unreadable, counts as read; without tools, it is read later. Throws while the storage is away. */
export async function readFile(
  { videos, downloads }: Library,
  { files, findTools }: { files: Files; findTools: ToolFinder },
  video_id: string,
  signal: AbortSignal,
): Promise<void> {
  const download_path = (await videos.find(video_id))?.download_path
  if (!download_path) return
  const tools = await findTools()
  if ('missing' in tools) return
  await inNewFolder('file', async scratch => {
    const file =
      (await files.localPath(download_path)) ??
      (await copyFrom(files, download_path, join(scratch, 'file'), { signal, most: max_bytes_read }))
    const probe = file && (await probeFile(tools, { file, folder: scratch, signal }))
    const facts = probe ? factsIn(probe) : { duration_seconds: null }
    await downloads.storeFacts(video_id, download_path, { ...facts, streams: streamsIn(probe || undefined) })
  })
}
