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
 */
export function escaped(text: string): string {
  const sign = /<!\[CDATA\[|<!--|(?:<(?![\p{L}_/!?]))+|<(?=[\p{L}_][^<>"']*<)/gu
  const done: string[] = []
  let from = 0
  for (let match = sign.exec(text); match; match = sign.exec(text)) {
    const [found] = match
    if (found.startsWith('<!')) sign.lastIndex = endOf(found, text, sign.lastIndex)
    else {
      done.push(text.slice(from, match.index), less_than.repeat(found.length))
      from = sign.lastIndex
    }
  }
  done.push(text.slice(from))
  return done.join('')
}

const less_than = '\uffff'
export const unescaped = (text: string) => text.replaceAll(less_than, '<')

/** Where the CDATA or comment that began with `start` ends; the end of the text when it has no end. */
function endOf(start: string, text: string, from: number): number {
  const end = text.indexOf(start === '<!--' ? '-->' : ']]>', from)
  return end === -1 ? text.length : end
}
