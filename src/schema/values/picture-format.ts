/** Tells the format of a picture from its first bytes. Names and types that a site gives do not count. */

export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif'

/** `undefined`: the bytes are none of these. */
export function pictureFormat(bytes: Uint8Array): PictureFormat | undefined {
  const text = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg'
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'png'
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'webp'
  if (text(0, 6) === 'GIF87a' || text(0, 6) === 'GIF89a') return 'gif'
  if (text(4, 8) === 'ftyp' && /^(?:.{4})*avi[fs]/s.test(text(8, 64))) return 'avif'
  return undefined
}
