/**
 * The second reader of a feed's XML, for broken documents: reads as much as it can and refuses nothing. Time and memory grow with
 * the size of the text. Uses htmlparser2's tokenizer, but not its tree, which would lose entries.
 */
import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import type { Element } from './element.ts'
import { escaped, type Format, openingsIn, unescaped } from './markup.ts'
import { type Read, Tree } from './tree.ts'

/** The root element; undefined when there is none. */
export function readTolerantly(text: string, format: Format): Element | undefined {
  const source = escaped(/<\/[\w.:-]{1,60}\s{0,9}$/.test(text.slice(-80)) ? `${text}>` : text)
  const openings = openingsIn(source, format)
  const tree = treeOf(source, openings, format, true)
  if (!tree.has_entry_in_entry) return tree.root
  // If every element is closed, an entry inside another one is intended.
  const meant = treeOf(source, openings, format, false)
  return meant.is_balanced ? meant.root : tree.root
}

/** Reads entry by entry, so that a missing quotation mark affects one entry at most. */
function treeOf(text: string, openings: number[], format: Format, apart: boolean): Read {
  const tree = new Tree(format, apart)
  let part = ''
  const tokenizer = new Tokenizer(
    { xmlMode: true, decodeEntities: true },
    callbacksFor(tree, () => part),
  )
  for (const [index, end] of [...openings, text.length].entries()) {
    part = text.slice(openings[index - 1] ?? 0, end)
    tokenizer.reset()
    tokenizer.write(part)
    tokenizer.end()
  }
  return tree.end()
}

/** More attributes than any element has. */
const max_attributes = 200

/** Passes the tokenizer's reports, which are positions in `textNow()`, to the tree. */
function callbacksFor(tree: Tree, textNow: () => string): TokenizerCallbacks {
  const said = (start: number, end: number) => unescaped(textNow().slice(start, end))
  let name = ''
  let attributes: Record<string, string> = {}
  let count = 0
  let key = ''
  let value = ''
  const nothing = () => {}
  return {
    ontext: (start, end) => tree.say(said(start, end)),
    ontextentity: codepoint => tree.say(String.fromCodePoint(codepoint)),
    oncdata: (start, end, offset) => tree.say(said(start, end - offset)),
    onopentagname: (start, end) => {
      name = said(start, end)
      attributes = {}
      count = 0
    },
    onattribname: (start, end) => {
      key = said(start, end).toLowerCase()
      value = ''
    },
    onattribdata: (start, end) => {
      value += said(start, end)
    },
    onattribentity: codepoint => {
      value += String.fromCodePoint(codepoint)
    },
    // An attribute without a value is ignored.
    onattribend: quote => {
      if (quote === QuoteType.NoValue || ++count > max_attributes || Object.hasOwn(attributes, key)) return
      Object.defineProperty(attributes, key, { value, enumerable: true })
    },
    onopentagend: () => tree.begin(name, attributes, false),
    onselfclosingtag: () => tree.begin(name, attributes, true),
    onclosetag: (start, end) => tree.finish(said(start, end)),
    oncomment: nothing,
    ondeclaration: nothing,
    onprocessinginstruction: nothing,
    onend: nothing,
  }
}
