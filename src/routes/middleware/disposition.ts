/** The name under which a browser saves a file. Pure; RFC 6266 and RFC 8187. */

/** `attachment` with a name for every browser: an ASCII one for old ones, the true one for the rest. */
export function attachment(title: string, extension: string): string {
  const name = fileName(title)
  const ascii = fileName(name.normalize('NFKD').replace(/[^\x20-\x7e]/g, '')).replace(/["\\%]/g, '_')
  return `attachment; filename="${ascii}.${extension}"; filename*=UTF-8''${encode(name)}.${extension}`
}

/** Most file systems keep 255 bytes of a name; this leaves room for extensions and counters. */
const most_bytes = 180

/** What every file system takes: no separators, no control or direction characters, no dots or spaces at the ends. */
function fileName(title: string): string {
  const plain = title
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/gu, ' ')
    .replace(/[/\\:*?"<>|]/g, ' ')
    .replace(/\s+/g, ' ')
  const name = cut(plain).replace(/^[ .]+|[ .]+$/g, '')
  return name === '' || /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name) ? `video ${name}`.trim() : name
}

/** Cut between characters, never inside one. */
function cut(text: string): string {
  let bytes = 0
  let end = 0
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > most_bytes) break
    end += character.length
  }
  return text.slice(0, end)
}

const encode = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
