/**
 * Splits a JSON document of any size into its items, while it is read: the items of its list, or of every list that is a field of its
 * object. Each item is given as text, so that memory is bounded by the largest one.
 */
import { listRefusal } from './parts.ts'

/**
 * `list`: the name of the field that contains the list; empty: the document itself is the list. `is_item`: false for a field that is not a
 * list, such as a version. `text`: undefined: the item is too large.
 */
type JsonItem = { list: string; is_item: boolean; text: string | undefined }

/** Bytes. A description has 50,000 characters, of up to six bytes each. */
const max_item_bytes = 2 * 1024 * 1024

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c]
const [open_list, close_list, open_object, close_object] = [0x5b, 0x5d, 0x7b, 0x7d]
const isSpace = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
const closes = (byte: number) => byte === close_list || byte === close_object
/** The mark that some editors write at the beginning. */
const isByteOrderMark = (byte: number) => byte === 0xef || byte === 0xbb || byte === 0xbf

/** Throws `invalid` when the document breaks off. What is inside an item is not checked. */
export async function* jsonItemsIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<JsonItem> {
  const scan = scanner()
  for await (const chunk of chunks) {
    const items: JsonItem[] = []
    scan.take(chunk, items)
    yield* items
  }
  if (!scan.isComplete()) throw brokenOff()
}

const brokenOff = () => listRefusal('This file breaks off, or is damaged. Export it again.')

/** Where the scan is between values. In `value` it expects one. */
type Place = 'start' | 'value' | 'key' | 'colon' | 'end'

function scanner() {
  let place: Place = 'start'
  let root_is_list = false
  /** The field whose list is being read; undefined: none. */
  let list: string | undefined
  let key = ''
  /** The value that is being read: its bytes from earlier chunks, and how deep the scan is in it. */
  let value: { parts: Uint8Array[]; bytes: number; depth: number; in_text: boolean; is_escaped: boolean } | undefined

  const end = (last: Uint8Array, items: JsonItem[]) => {
    if (!value) return
    const is_too_large = value.bytes + last.length > max_item_bytes
    const text = is_too_large ? undefined : Buffer.concat([...value.parts, last]).toString('utf8')
    value = undefined
    if (place === 'key') {
      key = parsedKey(text)
      place = 'colon'
    } else items.push({ list: list ?? (root_is_list ? '' : key), is_item: list !== undefined || root_is_list, text })
  }

  /** A byte between values. Returns whether a value begins with it. */
  const between = (byte: number): boolean => {
    if (isSpace(byte) || (place === 'start' && isByteOrderMark(byte))) return false
    if (place === 'start' && (byte === open_list || byte === open_object)) {
      root_is_list = byte === open_list
      place = root_is_list ? 'value' : 'key'
    } else if (place === 'colon' && byte === colon) place = 'value'
    else if (place === 'value' && list === undefined && !root_is_list && byte === open_list) list = key
    else if (byte === comma && (place === 'value' || place === 'key')) {
      if (list === undefined && !root_is_list) place = 'key'
    } else if (byte === close_list && list !== undefined) {
      list = undefined
      place = 'key'
    } else if (byte === (root_is_list ? close_list : close_object) && (place === 'value' || place === 'key'))
      place = 'end'
    else if ((place === 'value' && !closes(byte)) || (place === 'key' && byte === quote)) return true
    else throw brokenOff()
    return false
  }

  return {
    isComplete: () => place === 'end',

    take(chunk: Uint8Array, items: JsonItem[]): void {
      let from = 0
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at] ?? 0
        if (!value) {
          if (!between(byte)) continue
          value = { parts: [], bytes: 0, depth: 0, in_text: false, is_escaped: false }
          from = at
        }
        const ended = endsAt(value, byte)
        if (ended === 'no') continue
        end(chunk.subarray(from, ended === 'after' ? at + 1 : at), items)
        // A number ends with the byte behind it, which has its own meaning.
        if (ended === 'before') at -= 1
      }
      if (value && value.bytes <= max_item_bytes) value.parts.push(chunk.slice(from))
      if (value) value.bytes += chunk.length - from
    },
  }
}

/** Whether the value ends with this byte, or before it. */
function endsAt(
  value: { depth: number; in_text: boolean; is_escaped: boolean },
  byte: number,
): 'no' | 'after' | 'before' {
  if (value.in_text) {
    if (value.is_escaped) value.is_escaped = false
    else if (byte === backslash) value.is_escaped = true
    else if (byte === quote) {
      value.in_text = false
      return value.depth === 0 ? 'after' : 'no'
    }
    return 'no'
  }
  if (byte === quote) value.in_text = true
  else if (byte === open_list || byte === open_object) value.depth += 1
  else if (closes(byte)) {
    if (value.depth === 0) return 'before'
    value.depth -= 1
    if (value.depth === 0) return 'after'
  } else if (value.depth === 0 && (byte === comma || isSpace(byte))) return 'before'
  return 'no'
}

function parsedKey(text: string | undefined): string {
  try {
    return String(JSON.parse(text ?? ''))
  } catch {
    throw brokenOff()
  }
}
