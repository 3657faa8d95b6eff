/** What a server says before a feed by mistake, and a feed that is only an entry. Pure. */

/** Each comment ends at its first `-->`, so that many of them can be read in one way only. */
const warnings =
  /^(?:\s|<br\s*\/?>|<!--(?:(?!-->)[\s\S])*-->)*<b>(?:warning|notice|deprecated|strict standards|(?:recoverable )?fatal error|parse error)<\/b>/i
const feed_start = /<\?xml\s|<(?:[\w.-]{1,20}:)?(?:rss|feed|rdf)[\s>]/i

/** From where the feed begins, when warnings of PHP come before it; otherwise the whole text. */
export function withoutWarnings(text: string): string {
  if (!warnings.test(text.slice(0, 8192))) return text
  const start = text.slice(0, 65_536).search(feed_start)
  return start === -1 ? text : text.slice(start)
}

/** Atom allows a document that is one entry: the same inside a feed. Undefined when it is another format's. */
export function feedAround(text: string): string | undefined {
  const start = text.search(/<(?:[\w.-]{1,50}:)?entry[\s>]/i)
  const is_atom = /["']http:\/\/(?:www\.w3\.org\/2005\/Atom|purl\.org\/atom\/ns#)["']/.test(text.slice(0, start + 4096))
  return start !== -1 && is_atom ? `<feed>${text.slice(start)}</feed>` : undefined
}
