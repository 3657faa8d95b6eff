/** Where a feed's XML has entries, and which `<` in it are text: by the signs alone, in one pass. Builds nothing. Pure. */

/** Element names of the format: the root, and what an entry is called in it. */
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
 * A `<` that opens no tag is text: before anything but a name, or when another `<` comes before the tag ends. Within
 * quotation marks the tokenizer decides. A sign that no text may hold stands for it, so that the text does not grow.
 * The beginning of a CDATA or comment that never ends is left out, unless the document breaks off and its end is missing.
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
      // Looked for once: there is no later end either.
      if (!is_text) endless.add(found)
      done.push(text.slice(from, match.index), is_text ? less_than.repeat(found.length) : '')
      from = sign.lastIndex
    }
  }
  done.push(text.slice(from))
  return done.join('')
}

/** The end of a whole feed. Caches like to leave a comment behind it. */
const root_end = /<\/(?:[\w.-]{1,50}:)?(?:rss|feed|rdf)\s*>(?:\s|<!--[^<]*-->)*$/i

const less_than = '\uffff'
export const unescaped = (text: string) => text.replaceAll(less_than, '<')

/** Where the CDATA or comment that began with `start` ends; the end of the text when it has no end. */
function endOf(start: string, text: string, from: number): number {
  const end = text.indexOf(start === '<!--' ? '-->' : ']]>', from)
  return end === -1 ? text.length : end
}
