/**
 * Makes the two stored sizes of a picture with ffmpeg, and a JPEG of a stored picture. ffmpeg runs in a process of its own: pictures come
 * from any site, and decoders have had holes.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inNewFolder } from '../../runtime/folders.ts'
import {
  type PictureFormat,
  type PictureKind,
  type PictureSize,
  picture_widths,
  pictureFormat,
} from '../../schema/values/picture.ts'
import type { ToolFinder, Tools } from '../process/programs.ts'
import { pictureInput, writePicture } from './bare-picture.ts'
import { runFfmpeg } from './ffmpeg.ts'

export type PictureToConvert = {
  kind: PictureKind
  bytes: Uint8Array
  format: PictureFormat
  /** The picture has black bars above and below a picture of 16:9. The bars are cut off. */
  is_letterboxed: boolean
}
export type ConvertedPicture = Record<PictureSize, Uint8Array>

/** `unfit`: this file can never be shown. `stopped`: the machine is to blame: it is busy, or its disk is full. */
export type PictureConverter = (
  tools: Tools,
  picture: PictureToConvert,
  signal: AbortSignal,
) => Promise<ConvertedPicture | 'unfit' | 'stopped'>

/** The paths of ffmpegs that were built without WebP. */
const without_webp = new Set<string>()

export const convertPicture: PictureConverter = (tools, picture, signal) =>
  inNewFolder('picture', async folder => {
    await writePicture(picture.bytes, picture.format, join(folder, 'given'))
    const type = without_webp.has(tools.ffmpeg) ? 'jpeg' : 'webp'
    const made = await make(tools, picture, folder, type, signal)
    if (made !== 'no_webp') return made
    without_webp.add(tools.ffmpeg)
    const jpeg = await make(tools, picture, folder, 'jpeg', signal)
    return jpeg === 'no_webp' ? 'unfit' : jpeg
  })

type Encoding = 'webp' | 'jpeg'

async function make(
  tools: Tools,
  picture: PictureToConvert,
  folder: string,
  type: Encoding,
  signal: AbortSignal,
): Promise<ConvertedPicture | 'unfit' | 'stopped' | 'no_webp'> {
  let has_no_webp = false
  let is_full = false
  const onLine = (line: string) => {
    has_no_webp ||= /Unknown encoder 'libwebp'/.test(line)
    is_full ||= /No space left on device/.test(line)
  }
  const context = { ...picture_limits, tools, folder, signal, is_background: true }
  const { ended } = await runFfmpeg(context, argumentsFor(picture, type), onLine)
  const { exit, stopped, could_start } = ended
  if (has_no_webp) return 'no_webp'
  // Without an exit code, or with one above 128, a signal ended it: the system does so when memory is short.
  if (stopped || !could_start || is_full || typeof exit !== 'number' || exit > 128) return 'stopped'
  if (exit !== 0) return 'unfit'
  const [small, large] = await Promise.all([readFile(join(folder, 'small')), readFile(join(folder, 'large'))])
  return [small, large].every(bytes => pictureFormat(bytes) === type) ? { small, large } : 'unfit'
}

/** Those of the kind `picture` are short enough. */
const picture_limits = {
  kind: 'picture',
  silence_ms: Number.POSITIVE_INFINITY,
  deadline: Number.POSITIVE_INFINITY,
} as const

/** One process makes both sizes, so the picture is decoded once. ffmpeg takes the first frame of a moving picture. */
function argumentsFor({ kind, format, is_letterboxed }: Omit<PictureToConvert, 'bytes'>, type: Encoding): string[] {
  const { small, large } = picture_widths[kind]
  const filters = [
    ...(is_letterboxed ? [`crop=w=iw:h='min(ih,iw*9/16)'`] : []),
    // JPEG has no transparency, so transparent parts become black.
    ...(type === 'jpeg' ? ['format=rgba', 'premultiply=inplace=1'] : []),
    within(large),
  ]
  const output = (size: PictureSize) => [
    ...['-map', `[${size}]`, '-frames:v', '1', '-threads', '1'],
    ...[...encoderFor(type, size), `file:${size}`],
  ]
  return [
    '-y',
    // A cut file would be stored half grey, and never fetched again.
    ...['-err_detect', 'explode', ...pictureInput(format, 'given')],
    ...['-filter_complex', `[0:v:0]${filters.join(',')},split[large][whole];[whole]${within(small)}[small]`],
    ...output('large'),
    ...output('small'),
  ]
}

/** A page shows many small pictures, so they have fewer bytes: on a slow line, these bytes decide when the page is complete. */
const encoderFor = (type: Encoding, size: PictureSize): string[] =>
  type === 'webp'
    ? [
        ...['-c:v', 'libwebp', '-preset', 'photo', '-compression_level', '6'],
        ...['-quality', size === 'small' ? '60' : '75', '-f', 'webp'],
      ]
    : ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-q:v', '4', '-f', 'mjpeg']

/** Fits a picture into a square of this size, and never enlarges it. */
const within = (size: number) => `scale=w='min(iw,${size})':h='min(ih,${size})':force_original_aspect_ratio=decrease`

/** Pixels of each side. Apple shows pictures of podcasts from 1,400 on, and only square ones without distortion. */
const side = 1400
const filters = {
  as_it_is: [],
  square: ['-vf', `scale=${side}:${side}:force_original_aspect_ratio=decrease,pad=${side}:${side}:-1:-1,setsar=1`],
}

/**
 * Converts a stored picture to JPEG, for programs that read no WebP. `square`: for podcasts, with black bars where it is not square.
 * Returns `undefined` for bytes that are not a picture. Throws while ffmpeg is missing.
 */
export const jpegConverter =
  (findTools: ToolFinder, shape: keyof typeof filters = 'as_it_is') =>
  async (picture: Uint8Array): Promise<Uint8Array | undefined> => {
    const format = pictureFormat(picture)
    if (!format) return undefined
    if (format === 'jpeg' && shape === 'as_it_is') return picture
    const tools = await findTools()
    if ('missing' in tools) throw new Error(tools.missing)
    return inNewFolder('picture', async folder => {
      await writePicture(picture, format, join(folder, 'picture'))
      const context = { ...picture_limits, tools, folder, signal: new AbortController().signal }
      const args = [
        ...pictureInput(format, 'picture'),
        ...filters[shape],
        ...['-frames:v', '1', '-threads', '1', '-pix_fmt', 'yuvj420p', '-q:v', '3', '-f', 'mjpeg', 'file:jpeg'],
      ]
      const { ended } = await runFfmpeg(context, args)
      return ended.exit === 0 ? readFile(join(folder, 'jpeg')) : undefined
    })
  }
