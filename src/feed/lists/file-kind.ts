/** Tells the kind of an imported file by its first bytes, because names and media types are often wrong. Pure. */
import { listRefusal } from '../history/refusal.ts'

export type FileKind = 'text' | 'zip' | 'gzip' | 'tar'

/** Throws `invalid` for files that cannot be read, with a sentence that says what to choose instead. */
export function kindOfFile(bytes: Uint8Array): FileKind {
  const head = Buffer.from(bytes.subarray(0, 512)).toString('latin1')
  if (/^PK(?:\u0003\u0004|\u0005\u0006|\u0007\u0008)/.test(head)) return 'zip'
  if (head.startsWith('\u001f\u008b')) return 'gzip'
  if (head.startsWith('ustar', 257)) return 'tar'
  const sentence = others.find(([signature]) => signature.test(head))?.[1]
  if (sentence) throw listRefusal(sentence)
  if (isBinary(bytes)) throw listRefusal(`This file contains no text. ${instead}`)
  return 'text'
}

export const instead =
  'Choose an OPML file, the subscriptions of another app, a list of addresses, or a ZIP file with one of these.'

export const office_sentence = `This is an office document. Save it as CSV or plain text, and choose that file.`

export const database_sentence =
  'This is a database. Export the subscriptions in the app, and choose that file. NewPipe, for example, exports a JSON file.'

const others: [signature: RegExp, sentence: string][] = [
  [/^SQLite format 3\0/, database_sentence],
  [/^\u00d0\u00cf\u0011\u00e0/, office_sentence],
  [/^%PDF-/, `This is a PDF document. ${instead}`],
  [/^(?:\u0089PNG|\u00ff\u00d8\u00ff|GIF8|RIFF....WEBP|....ftyp(?:avif|heic|mif1))/s, `This is a picture. ${instead}`],
  [
    /^(?:7z\u00bc\u00af|Rar!|\u00fd7zXZ|BZh[1-9]|\u0028\u00b5\u002f\u00fd)/,
    'This kind of archive is not supported. Unpack it, and choose the list inside.',
  ],
]

/** Text has almost no control characters. UTF-16 has many zeros, but begins with a mark, `<`, `{` or `[`. */
function isBinary(bytes: Uint8Array): boolean {
  const [a = 0, b = 0] = bytes
  const is_utf16 = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) || (a === 0) !== (b === 0)
  if (is_utf16 && [a, b].some(byte => [0xff, 0x3c, 0x7b, 0x5b].includes(byte))) return false
  const head = bytes.subarray(0, 4096)
  const controls = head.filter(byte => byte < 32 && ![9, 10, 12, 13, 27].includes(byte)).length
  return controls * 50 > head.length
}
