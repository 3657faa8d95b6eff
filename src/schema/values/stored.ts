/**
 * How much text of a feed is stored. The parsers cut to these limits and the schemas require them. Characters are UTF-16
 * code units, as everywhere in JavaScript.
 */

/** YouTube allows 100 characters; some podcasts put half of their show notes into the title. */
export const max_title = 500

/** YouTube allows 5,000 characters; show notes of podcasts can have ten times as many. All of it can be searched. */
export const max_description = 50_000

/** An entry with a longer address is skipped, because a shortened address leads nowhere. */
export const max_address = 2048

/** The first entries of a document are read, which in a feed are the newest. The others count as skipped. */
export const max_entries = 5000

/** A title of a site on one line, without control characters; `null`: nothing is left. */
export function siteTitle(text: string | null | undefined): string | null {
  const title = (text ?? '').replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g, ' ').trim()
  return title === '' ? null : cut(title, max_title)
}

/** A text of at most `most` characters, which ends in `…` where it was cut, and never in half a surrogate pair. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const kept = text.slice(0, most - 1)
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`
}
