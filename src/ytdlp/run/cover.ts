/**
 * Fetches the cover of a video and makes a JPEG of it. The fetcher limits destination, bytes and time, and tells the format from the
 * bytes. A cover that cannot be fetched is left out.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PictureFormat } from '../../schema/values/picture.ts'
import type { DownloadContext } from './download-context.ts'
import { runFfmpeg } from './playable.ts'
import { readPicture, writePicture } from './read-picture.ts'

/** For all addresses together. */
const longest_ms = 20_000

/** The file, a JPEG at most 1280 pixels wide; `undefined`: none of the addresses leads to a picture. */
export async function fetchCover(context: DownloadContext, addresses: string[]): Promise<string | undefined> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(longest_ms)])
  for (const address of addresses) {
    const answer = await context.fetchPicture?.(address, signal).catch(() => undefined)
    const cover = answer?.found === 'picture' && (await asJpeg(context, answer.bytes, answer.format))
    if (cover) return cover
  }
  return undefined
}

async function asJpeg(context: DownloadContext, bytes: Uint8Array, format: PictureFormat): Promise<string | undefined> {
  const [source, cover] = [join(context.folder, 'cover.source'), join(context.folder, 'cover.jpg')]
  await writePicture(bytes, format, source)
  const args = [
    ...['-y', ...readPicture(format, source), '-frames:v', '1', '-threads', '1'],
    ...['-vf', "scale='min(1280,iw)':-2", '-pix_fmt', 'yuvj420p', '-c:v', 'mjpeg', '-q:v', '3'],
    ...['-map_metadata', '-1', '-f', 'image2', '-update', '1', `file:${cover}`],
  ]
  const { ended } = await runFfmpeg(context, args, undefined, 'picture')
  await rm(source, { force: true })
  return ended.exit_code === 0 ? cover : undefined
}
