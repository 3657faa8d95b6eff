/** How ffmpeg may read a picture that a site sent: as one format, from one file, up to a number of pixels. */
import type { PictureFormat } from '../../schema/picture-format.ts'

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

/** The arguments up to the input. A file that names other files cannot be read. */
export const readPicture = (format: PictureFormat, file: string): string[] => [
  ...['-protocol_whitelist', 'file', '-format_whitelist', readers[format], '-codec_whitelist', decoders],
  ...['-max_pixels', String(most_pixels), '-f', readers[format], '-i', `file:${file}`],
]
