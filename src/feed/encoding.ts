/** Bytes → text. Sites misstate their encoding often, so what the bytes themselves prove comes first. Pure. */
import { DomainError } from '../errors.ts'

/** Throws `not_a_feed` rather than give back garbled text. */
export function textOf(body: Uint8Array, content_type = ''): string {
  const marked = markedEncoding(body)
  if (marked) return decode(body, marked) ?? unreadable()
  const utf8 = decode(body, 'utf-8')
  // Other encodings form valid UTF-8 only by freak chance; without a byte above 127 it may be a 7-bit one.
  if (utf8 !== undefined && body.some(byte => byte > 127)) return utf8
  const named = [encodingInXml(body), encodingInHeader(content_type)].filter(label => label !== undefined)
  const texts = named.filter(label => !/^utf-?(8|16)/i.test(label)).map(label => decode(body, label))
  return texts.find(text => text !== undefined) ?? utf8 ?? damagedUtf8(body) ?? unreadable()
}

/** By its byte order mark, or by the zeros beside the first `<` or `{`. */
function markedEncoding([a, b, c]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  if ((a === 0x3c || a === 0x7b) && b === 0) return 'utf-16le'
  if (a === 0 && (b === 0x3c || b === 0x7b)) return 'utf-16be'
  return undefined
}

const encodingInXml = (body: Uint8Array) =>
  /^\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(ascii(body.subarray(0, 1024)))?.[1]

const encodingInHeader = (content_type: string) => /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(content_type)?.[1]

const ascii = (bytes: Uint8Array) => String.fromCharCode(...bytes)

/** Undefined when the bytes do not fit the encoding, or nobody knows it. */
function decode(body: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(body)
  } catch {
    return undefined
  }
}

/** Texts cut to a length in bytes, in the middle of a letter: common, and no reason to lose the rest. */
function damagedUtf8(body: Uint8Array): string | undefined {
  const text = new TextDecoder('utf-8').decode(body)
  let damaged = 0
  let whole = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0xfffd) damaged += 1
    else if (code > 127) whole += 1
  }
  return damaged * 10 <= whole ? text : undefined
}

function unreadable(): never {
  throw new DomainError('not_a_feed', 'What stands at this address is in an encoding that can not be read.')
}
