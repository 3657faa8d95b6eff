/** Pictures of videos and channels that this service stores, each in two sizes, and the formats of pictures. */
import { z } from 'zod'

export const PictureKind = z.enum(['video', 'channel'])
export type PictureKind = z.infer<typeof PictureKind>

export const PictureSize = z.enum(['small', 'large'])
export type PictureSize = z.infer<typeof PictureSize>
export const picture_sizes = PictureSize.options

/** The largest width and height in pixels. A smaller picture keeps its size. */
export const picture_widths = {
  video: { small: 320, large: 960 },
  channel: { small: 96, large: 288 },
} as const satisfies Record<PictureKind, Record<PictureSize, number>>

/** The large size; `smallPicture` is the path of the other. */
export const PictureUrl = z
  .string()
  .nullable()
  .describe(
    'The path of the picture on this site, stored by Backlot; it stays when the video is gone. Null: there is no picture, or it is not fetched yet.',
  )

export type Pictured = Partial<Record<'picture_url' | 'thumbnail_url' | 'image_url', string | null>>

/** Whether a picture is named but not stored. It may be stored within seconds, or have been given up. */
export const awaitsPicture = ({ picture_url, thumbnail_url, image_url }: Pictured): boolean =>
  picture_url === null && Boolean(thumbnail_url ?? image_url)

export const smallPicture = (picture_url: string): string => picture_url.replace(/large$/, 'small')

export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif'

/** The format by the first bytes of a picture; `undefined`: none of these. Names and types that a site gives do not count. */
export function pictureFormat(bytes: Uint8Array): PictureFormat | undefined {
  const text = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg'
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'png'
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'webp'
  if (text(0, 6) === 'GIF87a' || text(0, 6) === 'GIF89a') return 'gif'
  if (text(4, 8) === 'ftyp' && /^(?:.{4})*avi[fs]/s.test(text(8, 64))) return 'avif'
  return undefined
}
