/** How ffmpeg may read a picture that a site sent: without what is not picture, as one format, from one file, up to a number of pixels. */
import { writeFile } from 'node:fs/promises'
import type { PictureFormat } from '../../schema/values/picture.ts'
import { barePicture } from './bare-picture.ts'

/** Each reads one format only, so ffmpeg guesses nothing. `mov` is a video format, so the decoders are limited as well. */
const readers = {
  jpeg: 'jpeg_pipe',
  png: 'png_pipe',
  webp: 'webp_pipe',
  gif: 'gif',
  avif: 'mov',
} satisfies Record<PictureFormat, string>
const decoders = 'mjpeg,png,webp,gif,av1,libdav1d,libaom-av1'

/** The limit of the decoded picture. A photo of a camera has fewer pixels; a file of 30 kB can have 16 times as many. */
const most_pixels = 4096 * 4096

/** Writes the picture into a new file. */
export const writePicture = (bytes: Uint8Array, format: PictureFormat, file: string): Promise<void> =>
  writeFile(file, barePicture(bytes, format))

/** The arguments up to the input. A file that names other files cannot be read. A picture needs one thread, each of which takes memory. */
export const readPicture = (format: PictureFormat, file: string): string[] => [
  ...['-max_alloc', String(256 * 1024 * 1024), '-filter_threads', '1', '-filter_complex_threads', '1', '-threads', '1'],
  ...['-protocol_whitelist', 'file', '-format_whitelist', readers[format], '-codec_whitelist', decoders],
  ...['-max_pixels', String(most_pixels), '-f', readers[format], '-i', `file:${file}`],
]
