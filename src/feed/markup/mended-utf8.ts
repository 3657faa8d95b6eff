/**
 * Reads UTF-8 with a few bad bytes, such as a letter cut in half or a quotation mark pasted from Windows. It is common and no
 * reason to refuse the rest. Pure.
 */

export type Mended = {
  text: string
  /** It has multi-byte letters of UTF-8, which almost no other encoding forms. Then the declared encoding does not count. */
  is_surely_utf8: boolean
}

/** Undefined when there are too many bad bytes: then the text is in another encoding. */
export function mendedUtf8(body: Uint8Array): Mended | undefined {
  const { letters, bad, bare, lone, span } = lookThrough(body)
  const kilobytes = body.length / 1024
  const isSlip = bad * 10 <= letters || (bad <= Math.max(few, kilobytes) && (letters > 0 || bare <= kilobytes))
  if (!isSlip) return undefined
  // In one damaged letter every byte may be bad.
  const is_surely_utf8 = (letters > 0 && bad <= letters) || (letters > 1 && span <= longest_letter)
  return { text: new TextDecoder().decode(withLetters(body, lone)), is_surely_utf8 }
}

/** So many bad bytes are accepted in any document, unless they look like letters of a single-byte encoding. */
const few = 4
/** In bytes. */
const longest_letter = 4

type Found = {
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

function lookThrough(body: Uint8Array): Found {
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
