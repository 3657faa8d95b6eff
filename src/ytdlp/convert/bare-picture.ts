/** Makes a picture that a site sent safe for ffmpeg: without texts and previews, as one format, from one file, up to a number of pixels. */
import { writeFile } from 'node:fs/promises'
import type { PictureFormat } from '../../schema/values/picture.ts'

/** Writes the picture into a new file. */
export const writePicture = (bytes: Uint8Array, format: PictureFormat, file: string): Promise<void> =>
  writeFile(file, barePicture(bytes, format))

/** ffmpeg's arguments up to this input. A file that names other files is refused. One thread is enough, and each takes memory. */
export const pictureInput = (format: PictureFormat, file: string): string[] => [
  ...['-max_alloc', String(256 * 1024 * 1024), '-filter_threads', '1', '-filter_complex_threads', '1', '-threads', '1'],
  ...['-protocol_whitelist', 'file', '-format_whitelist', readers[format], '-codec_whitelist', decoders],
  ...['-max_pixels', String(max_pixels), '-f', readers[format], '-i', `file:${file}`],
]

/** Each reader reads one format only, so ffmpeg guesses nothing. `mov` is a video format, so the decoders are limited as well. */
const readers = {
  jpeg: 'jpeg_pipe',
  png: 'png_pipe',
  webp: 'webp_pipe',
  gif: 'gif',
  avif: 'mov',
} satisfies Record<PictureFormat, string>
const decoders = 'mjpeg,png,webp,gif,av1,libdav1d,libaom-av1'

/** The limit of the decoded picture. A photo of a camera has fewer pixels; a file of 30 kB can have 16 times as many. */
const max_pixels = 4096 * 4096

/**
 * The picture without texts, previews and colour profiles: a decoder reads those as well, and 60 kB of them can become a gigabyte. A
 * picture that is cut off or broken stays so, and the decoder refuses it. A GIF has no part that a decoder expands.
 */
export const barePicture = (bytes: Uint8Array, format: PictureFormat): Uint8Array =>
  format === 'gif' ? bytes : bare[format](Buffer.from(bytes))

const bare: Record<Exclude<PictureFormat, 'gif'>, (picture: Buffer) => Buffer> = {
  png: picture => Buffer.concat([picture.subarray(0, 8), ...pngChunks(picture)]),
  webp(picture) {
    const chunks = Buffer.concat(webpChunks(picture))
    const head = Buffer.from(picture.subarray(0, 12))
    head.writeUInt32LE(4 + chunks.length, 4)
    return Buffer.concat([head, chunks])
  },
  jpeg: picture => Buffer.concat([picture.subarray(0, 2), ...jpegParts(picture)]),
  avif: withFreeBoxes,
}

const of_png = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])

/** Length, type, data, checksum. */
function pngChunks(picture: Buffer): Buffer[] {
  const kept: Buffer[] = []
  for (let at = 8; at + 8 <= picture.length; ) {
    const type = picture.toString('latin1', at + 4, at + 8)
    const next = at + 12 + picture.readUInt32BE(at)
    if (of_png.has(type)) kept.push(picture.subarray(at, next))
    if (type === 'IEND') break
    at = next
  }
  return kept
}

const of_webp = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF'])
/** The bits of `VP8X` that announce a colour profile, Exif and XMP. */
const announced = 0b0010_1100

/** Type, length, data; an odd length is followed by one byte more. */
function webpChunks(picture: Buffer): Buffer[] {
  const kept: Buffer[] = []
  for (let at = 12; at + 8 <= picture.length; ) {
    const type = picture.toString('latin1', at, at + 4)
    const length = picture.readUInt32LE(at + 4)
    const next = at + 8 + length + (length % 2)
    if (of_webp.has(type)) kept.push(picture.subarray(at, next))
    if (type === 'VP8X' && length > 0 && at + 8 < picture.length)
      picture.writeUInt8(picture.readUInt8(at + 8) & ~announced, at + 8)
    at = next
  }
  return kept
}

/**
 * Segments begin with FF and a marker; in the data between them, FF is followed by a smaller byte or by a restart marker (D0 to D7).
 * Kept are all but APP1 to APP15 and comments: APP14 says how colours are stored. Of Exif, only the orientation is kept.
 */
function jpegParts(picture: Buffer): Buffer[] {
  const kept: Buffer[] = []
  let copied = 2
  for (let at = picture.indexOf(0xff, 2); at >= 0 && at + 1 < picture.length; ) {
    const marker = picture.readUInt8(at + 1)
    const is_segment = marker >= 0xc0 && marker < 0xff && (marker < 0xd0 || marker > 0xd9)
    const next = is_segment ? at + 2 + (at + 4 <= picture.length ? picture.readUInt16BE(at + 2) : 2) : at + 1
    const is_extra = (marker > 0xe0 && marker <= 0xef && marker !== 0xee) || marker === 0xfe
    if (is_extra) {
      kept.push(picture.subarray(copied, at), ...orientationIn(picture.subarray(at, next)))
      copied = next
    }
    // Previews follow the end of the picture.
    if (marker === 0xd9) return [...kept, picture.subarray(copied, at + 2)]
    at = picture.indexOf(0xff, next)
  }
  return [...kept, picture.subarray(copied)]
}

/** A segment with nothing but the orientation of this Exif segment, if it has one. */
function orientationIn(segment: Buffer): Buffer[] {
  if (segment.toString('latin1', 4, 10) !== 'Exif\0\0' || segment.length < 20) return []
  const exif = segment.subarray(10)
  const is_little = exif.toString('latin1', 0, 2) === 'II'
  const number = (at: number, bytes: 2 | 4) =>
    at + bytes > exif.length ? 0 : is_little ? exif.readUIntLE(at, bytes) : exif.readUIntBE(at, bytes)
  const tags = number(4, 4)
  for (let n = 0; n < number(tags, 2); n++) {
    const entry = tags + 2 + 12 * n
    const orientation = number(entry + 8, 2)
    if (number(entry, 2) === 0x0112 && orientation >= 1 && orientation <= 8) return [exifOf(orientation)]
  }
  return []
}

/** One tag: 0x0112, one number of two bytes. */
const exifOf = (orientation: number): Buffer =>
  Buffer.from(`ffe1002245786966000049492a0008000000010012010300010000000${orientation}00000000000000`, 'hex')

const of_avif = new Set(['ftyp', 'meta', 'mdat'])

/** `meta` says by their place in the file where the pixels are, so other boxes are not taken out but marked as free space. */
function withFreeBoxes(picture: Buffer): Buffer {
  for (let at = 0; at + 8 <= picture.length; ) {
    const short = picture.readUInt32BE(at)
    const long = short === 1 && at + 16 <= picture.length ? Number(picture.readBigUInt64BE(at + 8)) : 0
    const length = short === 0 ? picture.length - at : short === 1 ? long : short
    if (length < 8) return picture.subarray(0, at)
    if (!of_avif.has(picture.toString('latin1', at + 4, at + 8))) picture.write('free', at + 4, 'latin1')
    at += length
  }
  return picture
}
