/**
 * How much text of a feed is stored. Parsing cuts to these limits, the schemas of what is stored require them, and the
 * README names them. Characters are UTF-16 code units, as everywhere in JavaScript.
 */

/** YouTube allows 100; some podcasts put half their show notes there. */
export const most_title = 500

/** YouTube allows 5,000; the show notes of podcasts can be ten times as long. Search reads as much as this. */
export const most_description = 50_000

/** An entry whose address is longer is left out and counted as skipped: a shortened address leads nowhere. */
export const most_address = 2048

/** Of one document, the first in it. A feed lists its newest entries first; what is left out is counted as skipped. */
export const most_entries = 5000

/** A text of at most `most` characters that ends in `…` where it was cut, never in half a character. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const kept = text.slice(0, most - 1)
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`
}
