/** Checks of web addresses that apply wherever an address comes from, and finding addresses in text that people write. Pure. */

/** C0, DEL and C1 controls, and the two separators at which some programs end a line. */
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

/**
 * Whether an address contains a control character, plain or percent-encoded any number of times. yt-dlp prints decoded
 * addresses in its errors; a control character could end the line and imitate yt-dlp's own output. An address that is still
 * encoded after `max_decoding_rounds` rounds counts as one with controls, to bound the work. Bytes that are not UTF-8 are accepted,
 * because old addresses use Shift-JIS or Latin-1.
 */
export function hasControls(address: string): boolean {
  let text = address
  for (let round = 0; round <= max_decoding_rounds; round += 1) {
    if (control.test(text)) return true
    if (!text.includes('%')) return false
    const decoded = text.replace(/(?:%[0-9a-f]{2})+/gi, bytes =>
      Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
    )
    if (decoded === text) return false
    text = decoded
  }
  return true
}

/** An address in an address in an address needs three. */
const max_decoding_rounds = 10

/** Whether it is an http or https address, without a user name and a password, which would be shown with the address. */
export function isOpenAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password && !hasControls(text)
}

/**
 * The host of an address, for limits and pauses: without the port and without `www.` or `m.`. Undefined when the address is
 * not a web address. The database computes `video_host` in the same way; a test compares the two.
 */
export function siteOf(address: string): string | undefined {
  const url = URL.parse(address)
  return url && /^https?:$/.test(url.protocol) ? url.hostname.replace(/^(www|m)\./, '') : undefined
}

/** Endings of paths. */
export const video_file = /\.(mp4|m4v|mov|webm|mkv|ogv|avi|mpe?g|flv|m3u8)$/i
export const audio_file = /\.(mp3|m4a|aac|ogg|oga|opus|flac|wav)$/i

/** Whether an address says that it is the address of a video or of sound. */
export function namesMediaFile(address: string): boolean {
  const path = URL.parse(address)?.pathname ?? ''
  return video_file.test(path) || audio_file.test(path)
}

/**
 * A web address in text that people write, also one that begins with `www.`. It ends at spaces, at characters that must be escaped in
 * addresses, and at the punctuation, pictures and invisible characters of any script, except those that join letters.
 */
export const written_address =
  /(?:https?:\/\/|(?<![\p{L}\p{N}@.\/\-])www\.(?=[\p{L}\p{N}]))[^\s<>"'`\|\\^\{\}…[[\p{Terminal_Punctuation}\p{Quotation_Mark}\p{Ps}\p{Pe}\p{Pd}\p{Extended_Pictographic}]--\p{ASCII}][\p{DI}--[\p{Join_Control}\p{Variation_Selector}]]]+/giv

const sign_behind = /[.,;:!?*\p{DI}[[\p{Terminal_Punctuation}\p{Quotation_Mark}\p{Ps}\p{Pe}…]--\p{ASCII}]]/v

/**
 * The address without the punctuation and the invisible characters behind it. A bracket belongs to the address if it closes one of the
 * address.
 */
export function withoutPunctuation(address: string): string {
  const kept = [...address]
  const surplus = { ')': count(address, ')') - count(address, '('), ']': count(address, ']') - count(address, '[') }
  for (let last = kept.at(-1) ?? ''; last !== ''; last = kept.at(-1) ?? '') {
    if (last === ')' || last === ']') {
      if (surplus[last] <= 0) break
      surplus[last] -= 1
    } else if (!sign_behind.test(last)) break
    kept.pop()
  }
  return kept.join('')
}

const count = (text: string, sign: string) => text.split(sign).length - 1

/** "youtube.com" for an address of that site. */
export const siteWords = (url: string): string => new URL(url).hostname.replace(/^www\./, '')
