/** The file name a browser saves a download under. Pure; RFC 6266 and RFC 8187. */
import { create } from 'content-disposition'

/** The value of Content-Disposition: an ASCII name for old browsers, the real name for all others. */
export function attachment(title: string, extension: string): string {
  const name = fileName(title)
  const ascii = fileName(name.normalize('NFKD').replace(/[^\x20-\x7e]/g, '')).replace(/["\\%]/g, '_')
  return create(`${name}.${extension}`, { fallback: `${ascii}.${extension}` })
}

/** Most file systems allow 255 bytes; this leaves room for extensions and counters. */
const max_name_bytes = 180

/** A name for every file system: no separators, no control or direction characters, no dots or spaces at either end. */
function fileName(title: string): string {
  const plain = title
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/gu, ' ')
    .replace(/[/\\:*?"<>|]/g, ' ')
    .replace(/\s+/g, ' ')
  const name = cut(plain).replace(/^[ .]+|[ .]+$/g, '')
  return name === '' || /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name) ? `video ${name}`.trim() : name
}

/** Cuts to `max_name_bytes` between two characters. */
function cut(text: string): string {
  let bytes = 0
  let end = 0
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > max_name_bytes) break
    end += character.length
  }
  return text.slice(0, end)
}
