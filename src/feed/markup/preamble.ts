/** Handles two odd beginnings: warnings of PHP before a feed, and an Atom document that is a single entry. Pure. */

/** Each comment ends at its first `-->`, so that the expression has only one way to match many comments. */
const warnings =
  /^(?:\s|<br\s*\/?>|<!--(?:(?!-->)[\s\S])*-->)*<b>(?:warning|notice|deprecated|strict standards|(?:recoverable )?fatal error|parse error)<\/b>/i
const feed_start = /<\?xml\s|<(?:[\w.-]{1,20}:)?(?:rss|feed|rdf)[\s>]/i

/** The text from where the feed begins, if warnings of PHP come before it; otherwise the whole text. */
export function withoutWarnings(text: string): string {
  if (!warnings.test(text.slice(0, 8192))) return text
  const start = text.slice(0, 65_536).search(feed_start)
  return start === -1 ? text : text.slice(start)
}

/** Puts an Atom document that is a single entry inside a feed. Undefined for other formats. */
export function feedAround(text: string): string | undefined {
  const start = text.search(/<(?:[\w.-]{1,50}:)?entry[\s>]/i)
  const is_atom = /["']http:\/\/(?:www\.w3\.org\/2005\/Atom|purl\.org\/atom\/ns#)["']/.test(text.slice(0, start + 4096))
  return start !== -1 && is_atom ? `<feed>${text.slice(start)}</feed>` : undefined
}
