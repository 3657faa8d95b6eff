/** What a feed's XML shows without parsing: where entries open, which `<` are text, and whether it is plainly well-formed. Pure. */

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

/** The place of the mark that closes the CDATA section or comment which `start` opened; the end of the text if there is none. */
function endOf(start: string, text: string, from: number): number {
  const end = text.indexOf(start === '<!--' ? '-->' : ']]>', from)
  return end === -1 ? text.length : end
}

type WellFormed = {
  /** The document. Its long texts are in CDATA sections, because `fast-xml-parser` reads any other text character by character. */
  text: string
  /** How many entries open in the document. */
  entries: number
}

/**
 * Recognises documents that are plainly well-formed, so that the validator of `fast-xml-parser` need not read them: the validator takes
 * three times as long, a sixth of the time of reading a feed, and still decides about every other document. Undefined for a document that
 * is not well-formed, and for one with anything unusual, such as a DOCTYPE, an instruction inside, a name that is not ASCII, or an
 * attribute without a value. Never accepts what the validator refuses.
 */
export function wellFormed(text: string, { entry, nameIn }: Format): WellFormed | undefined {
  const open: string[] = []
  const pieces: string[] = []
  let copied = 0
  let entries = 0
  for (let at = prolog.exec(text)?.[0].length ?? 0; ; ) {
    markup.lastIndex = at
    const [found, opened, attributes, slash, closed] = markup.exec(text) ?? []
    if (found === undefined || (attributes && hasTwins(attributes))) return undefined
    at = markup.lastIndex
    if (opened !== undefined) {
      if (nameIn(opened) === entry) entries += 1
      if (slash === undefined) open.push(opened)
    } else if (closed === undefined) at = endOfSection(found, text, at)
    else if (open.pop() !== closed) return undefined
    if (open.length === 0) {
      const is_whole = closed !== undefined && epilog.test(text.slice(at))
      return is_whole ? { text: pieces.join('') + text.slice(copied), entries } : undefined
    }
    const end = text.indexOf('<', at)
    if (end === -1) return undefined
    const said = text.slice(at, end)
    const has_entity = said.includes('&')
    if (has_entity && lone_ampersand.test(said)) return undefined
    if (said.length >= min_section_characters && !has_entity && !said.includes(']]>')) {
      pieces.push(text.slice(copied, at), '<![CDATA[', said, ']]>')
      copied = end
    }
    at = end
  }
}

const prolog =
  /^(?:<\?xml[ \t\r\n][^<>?]*\?>)?(?:[ \t\r\n]|<!--(?:(?!-->)[\s\S]){0,2000}-->|<\?xml-stylesheet[ \t\r\n][^<>?]*\?>)*/
/** Some caches append a comment. */
const epilog = /^(?:[ \t\r\n]|<!--(?:(?!-->)[\s\S]){0,2000}-->)*$/

/** A tag that opens, with its attributes and its slash; a tag that closes; or the start of a comment or CDATA section. */
const markup =
  /<(?:([A-Za-z_][\w:.-]*)((?:[ \t\r\n]+[A-Za-z_][\w:.-]*[ \t\r\n]*=[ \t\r\n]*(?:"[^"<]*"|'[^'<]*')){0,50})[ \t\r\n]*(\/)?>|\/([A-Za-z_][\w:.-]*)[ \t\r\n]*>|!--|!\[CDATA\[)/y

/** Whether an attribute is given twice. They have the form that `markup` requires. With a regular expression this was half of the check. */
function hasTwins(attributes: string): boolean {
  const names: string[] = []
  for (let at = 0, equals = attributes.indexOf('='); equals !== -1; equals = attributes.indexOf('=', at)) {
    const name = attributes.slice(at, equals).trim()
    if (names.includes(name)) return true
    names.push(name)
    let quote = equals + 1
    while (attributes[quote] !== '"' && attributes[quote] !== "'") quote++
    at = attributes.indexOf(attributes.charAt(quote), quote + 1) + 1
  }
  return false
}

/** The text is cut off where the section never ends, which no further tag can mend. */
const endOfSection = (start: string, text: string, from: number): number =>
  Math.min(text.length, endOf(start, text, from) + '-->'.length)

const lone_ampersand = /&(?!\w{1,19};|#\d+;|#x[\da-fA-F]+;)/

/** Characters. Shorter texts are not worth a section. */
const min_section_characters = 40
