/**
 * Decodes bytes to text. Sites often declare a wrong encoding, so what the bytes themselves prove comes first. Pure.
 *
 * A document counts as UTF-8 while at most one byte in a kilobyte (at least four in all), or one letter in eleven, is
 * broken, whatever it declares: one wrong quotation mark must not cost the feed. Text that declares no encoding and is
 * not UTF-8 is refused, because a guess would be stored.
 */
import { isAscii } from 'node:buffer'
import { DomainError } from '../../errors.ts'
import { mendedUtf8 } from './mended-utf8.ts'

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

/** By the byte order mark, or by the zeros next to the first two letters. */
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
function decodedAs(body: Uint8Array, label: string): string | undefined {
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
