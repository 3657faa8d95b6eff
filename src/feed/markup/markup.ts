/** Finds where entries open in a feed's XML, and which `<` are text, in one pass without parsing. Pure. */

/** The element names of a format: the root and an entry. */
export type Format = { root: string; entry: string; nameIn: (name: string) => string }

/** Where entries open in the text, outside of CDATA and comments. */
export function openingsIn(text: string, { entry, nameIn }: Format): number[] {
  const found: number[] = []
  const opening = new RegExp(`<!\\[CDATA\\[|<!--|<((?:[\\w.-]{1,50}:)?${entry})(?=[\\s/>])`, 'gi')
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const [start, name] = match
    if (name !== undefined && nameIn(name) === entry) found.push(match.index)
    if (name === undefined) opening.lastIndex = endOf(start, text, opening.lastIndex)
  }
  return found
}

/**
 * Replaces each `<` that opens no tag (not before a name, or with another `<` before the tag ends) by a character that no text
 * may contain, so that the text does not grow. Inside quotes the tokenizer decides. The start of a CDATA section or comment that
 * never ends is removed, unless the document breaks off.
 */
export function escaped(text: string): string {
  const sign = /<!\[CDATA\[|<!--|(?:<(?![\p{L}_/!?]))+|<(?=[\p{L}_][^<>"']*<)/gu
  const isCut = !root_end.test(text.slice(-500))
  const endless = new Set<string>()
  const done: string[] = []
  let from = 0
  for (let match = sign.exec(text); match; match = sign.exec(text)) {
    const [found] = match
    const is_text = !found.startsWith('<!')
    const end = is_text || endless.has(found) ? text.length : endOf(found, text, sign.lastIndex)
    if (!is_text && (isCut || end < text.length)) sign.lastIndex = end
    else {
      // Searched once: there is no end further on either.
      if (!is_text) endless.add(found)
      done.push(text.slice(from, match.index), is_text ? less_than.repeat(found.length) : '')
      from = sign.lastIndex
    }
  }
  done.push(text.slice(from))
  return done.join('')
}

/** The end of a complete feed. Some caches append a comment. */
const root_end = /<\/(?:[\w.-]{1,50}:)?(?:rss|feed|rdf)\s*>(?:\s|<!--[^<]*-->)*$/i

const less_than = '\uffff'
export const unescaped = (text: string) => text.replaceAll(less_than, '<')

/** Where the CDATA section or comment that began with `start` ends; the end of the text if it never ends. */
function endOf(start: string, text: string, from: number): number {
  const end = text.indexOf(start === '<!--' ? '-->' : ']]>', from)
  return end === -1 ? text.length : end
}
