/**
 * Decodes bytes to text. Sites often declare a wrong encoding, so what the bytes themselves prove comes first. Pure.
 *
 * A document counts as UTF-8 while at most one byte in a kilobyte (at least four in all), or one letter in eleven, is
 * broken, whatever it declares: one wrong quotation mark must not cost the feed. Text that declares no encoding and is
 * not UTF-8 is refused, because a guess would be stored.
 */
import { isAscii } from 'node:buffer'
import { DomainError } from '../../errors.ts'

/** Throws `not_a_feed` rather than return garbled text. A few bad bytes become U+FFFD. */
export function textOf(body: Uint8Array, content_type = ''): string {
  const marked = markedEncoding(body)
  if (marked !== undefined && marked !== 'utf-8') return decodedAs(body, marked) ?? unreadable([marked])
  const utf8 = decodedAs(body, 'utf-8')
  // Text in another encoding is almost never valid UTF-8, unless it has no byte above 127.
  if (utf8 !== undefined && (marked || !isAscii(body))) return utf8
  const named = [encodingInXml(utf8?.slice(0, 1024) ?? beginningOf(body)), encodingInHeader(content_type)].filter(
    label => label !== undefined,
  )
  const mended = utf8 === undefined ? mendedUtf8(body) : undefined
  if (mended?.is_surely_utf8) return mended.text
  const texts = named.filter(label => !/^utf-?(8|16)/i.test(label)).map(label => decodedAs(body, label))
  return texts.find(text => text !== undefined) ?? utf8 ?? mended?.text ?? unreadable(named)
}

/** Tells UTF-16 by the byte order mark, or by the zeros next to the first two letters. */
function markedEncoding([a, b, c, d]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  if (a && b === 0 && c && d === 0) return 'utf-16le'
  if (a === 0 && b && c === 0 && d) return 'utf-16be'
  return undefined
}

const encodingInXml = (beginning: string) =>
  /<\?xml[^>]{0,200}?\sencoding\s*=\s*["']\s*(\w[\w.: -]{0,39})/.exec(beginning)?.[1]?.trim()

const encodingInHeader = (content_type: string) =>
  /;\s*charset\s*=\s*["']?\s*(\w[\w.: -]{0,39})/i.exec(content_type)?.[1]?.trim()

const beginningOf = (body: Uint8Array) => String.fromCharCode(...body.subarray(0, 1024))

/** Undefined when the bytes do not fit the encoding, or it is not known. */
export function decodedAs(body: Uint8Array, label: string): string | undefined {
  const decoder = decoderFor(label)
  try {
    return decoder?.decode(body)
  } catch {
    return undefined
  }
}

/** Kept, because making a decoder takes about as long as decoding a feed of fifteen videos. */
const utf8_decoder = new TextDecoder('utf-8', { fatal: true })

function decoderFor(label: string): TextDecoder | undefined {
  if (label === 'utf-8') return utf8_decoder
  for (const name of [label, usualNameOf(label)]) {
    try {
      return new TextDecoder(name, { fatal: true })
    } catch {}
  }
  return undefined
}

/** Spellings that feeds use and `TextDecoder` does not know. */
const usualNameOf = (label: string): string =>
  label
    .toLowerCase()
    .replace(/[_ ]/g, '-')
    .replace(/^iso-?8859-?(\d)/, 'iso-8859-$1')
    .replace(/^(?:cp|ms|win|windows)-?(?=(?:125\d|874)$)/, 'windows-')
    .replace(/^(?:cp|ms|windows)-?936$/, 'gbk')
    .replace(/^(?:cp|ms|windows)-?(?:932|31j)$/, 'shift_jis')
    .replace(/^(?:cp|ms|windows)-?949$/, 'euc-kr')
    .replace(/^(?:cp|ms|windows)-?950$/, 'big5')
    .replace(/^koi8-?(?=[ru])/, 'koi8-')

function unreadable([said]: string[]): never {
  const reason =
    said === undefined
      ? 'It declares no encoding, and is not UTF-8.'
      : decoderFor(said)
        ? `It declares ${said}, but is not.`
        : `It declares the unknown encoding ${said}.`
  throw new DomainError('not_a_feed', `The text at this address cannot be read. ${reason}`)
}

type Mended = {
  text: string
  /** It has multi-byte letters of UTF-8, which almost no other encoding forms. Then the declared encoding does not count. */
  is_surely_utf8: boolean
}

/**
 * Reads UTF-8 with some bad bytes, such as a letter cut in half or a quotation mark pasted from Windows, which is common and no reason to
 * refuse the rest. Undefined when there are too many bad bytes: then the text is in another encoding.
 */
function mendedUtf8(body: Uint8Array): Mended | undefined {
  const { letters, bad, bare, lone, span } = lookThrough(body)
  const kilobytes = body.length / 1024
  const isSlip = bad * 10 <= letters || (bad <= Math.max(bad_in_any, kilobytes) && (letters > 0 || bare <= kilobytes))
  if (!isSlip) return undefined
  // In one damaged letter every byte may be bad.
  const is_surely_utf8 = (letters > 0 && bad <= letters) || (letters > 1 && span <= longest_letter)
  return { text: new TextDecoder().decode(withLetters(body, lone)), is_surely_utf8 }
}

/** This many bad bytes are accepted in any document, unless they look like letters of a single-byte encoding. */
const bad_in_any = 4
/** In bytes. */
const longest_letter = 4

type LetterCounts = {
  /** Complete letters above 127. `bad`: broken ones. */
  letters: number
  bad: number
  /** Broken letters of a single byte that would be a letter in Latin-1. */
  bare: number
  /** Positions of single bytes 0x80–0x9F between ASCII letters. */
  lone: number[]
  /** Bytes from the first broken one to the last. */
  span: number
}

function lookThrough(body: Uint8Array): LetterCounts {
  const lone: number[] = []
  let [letters, bad, bare, first, end] = [0, 0, 0, -1, 0]
  for (let at = 0; at < body.length; ) {
    const byte = body[at] ?? 0
    if (byte < 0x80) at += 1
    else {
      const length = lengthOf(byte)
      let found = 1
      while (found < length && isContinuation(body, at, found)) found += 1
      if (length > 0 && found === length) letters += 1
      else {
        bad += 1
        if (first === -1) first = at
        end = at + found
        if (found === 1 && byte >= 0xa0) bare += 1
        // Letters of another encoding would be next to each other, in words.
        if (byte < 0xa0 && !isHigh(body[at - 1]) && !isHigh(body[at + 1])) lone.push(at)
      }
      at += found
    }
  }
  return { letters, bad, bare, lone, span: end - first }
}

const isHigh = (byte = 0) => byte > 0x7f

/** The length of a letter that begins with this byte; 0: no letter does. */
function lengthOf(byte: number): number {
  if (byte >= 0xc2 && byte <= 0xdf) return 2
  if (byte >= 0xe0 && byte <= 0xef) return 3
  return byte >= 0xf0 && byte <= 0xf4 ? 4 : 0
}

/** After some first bytes the range of the second byte is narrower (Unicode, table 3-7). */
function isContinuation(body: Uint8Array, start: number, nth: number): boolean {
  const [first = 0, byte = 0] = [body[start], body[start + nth]]
  if (nth > 1) return byte >= 0x80 && byte <= 0xbf
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf
  return byte >= least && byte <= most
}

/** With the characters of Windows-1252 at these positions, as browsers would show them. */
function withLetters(body: Uint8Array, places: number[]): Uint8Array {
  const windows = new TextDecoder('windows-1252')
  const pieces: Uint8Array[] = []
  let done = 0
  for (const place of places) {
    const sign = windows.decode(body.subarray(place, place + 1))
    // Five of these bytes are undefined in Windows-1252, too.
    if (sign.charCodeAt(0) < 0xa0) continue
    pieces.push(body.subarray(done, place), new TextEncoder().encode(sign))
    done = place + 1
  }
  return done === 0 ? body : new Uint8Array(Buffer.concat([...pieces, body.subarray(done)]))
}
