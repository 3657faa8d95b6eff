/** What holds for any web address, wherever it comes from. Pure. */

/** C0, DEL and C1, and the two separators that some programs end a line at. */
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

/**
 * Whether an address holds a control character, as it is or percent-encoded, however many times over. Programs that print
 * a decoded address (yt-dlp does, in its errors) would print such a character, and with it lines that look like their own.
 * An address that is encoded more than `most_rounds` times counts as one that holds some: decoding it all takes too long.
 * Bytes that are not UTF-8 are no characters: an old address in Shift-JIS or Latin-1 is fine.
 */
export function hasControls(address: string): boolean {
  let text = address
  for (let round = 0; round <= most_rounds; round += 1) {
    if (control.test(text)) return true
    const decoded = text.replace(/(?:%[0-9a-f]{2})+/gi, bytes =>
      Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
    )
    if (decoded === text) return false
    text = decoded
  }
  return true
}

/** An address inside an address inside an address needs three. */
const most_rounds = 10

/**
 * The host that an address counts for, without its port: `www.` and `m.` are the same site. Undefined when it is no web
 * address. The database derives `video_host` in the same way; a test compares the two.
 */
export function siteOf(address: string): string | undefined {
  const url = URL.parse(address)
  return url && /^https?:$/.test(url.protocol) ? url.hostname.replace(/^(www|m)\./, '') : undefined
}
