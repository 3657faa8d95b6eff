/**
 * The second reader of a feed's XML, for broken documents: reads as much as it can and refuses nothing. Time and memory grow with
 * the size of the text. Uses htmlparser2's tokenizer, but not its tree, which would lose entries.
 */
import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import type { Element } from './element.ts'
import { escaped, type Format, openingsIn, unescaped } from './markup.ts'

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
function treeOf(text: string, openings: number[], format: Format, apart: boolean): ReadTree {
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

type ReadTree = {
  root: Element | undefined
  /** Every element was closed, in the right order. */
  is_balanced: boolean
  has_entry_in_entry: boolean
}

/** Elements that are always empty in HTML, so authors leave them open. Not `link`, which contains an address in RSS. */
const empty_elements = new Set(['br', 'hr', 'img', 'input', 'wbr', 'col', 'area'])
/** Elements of a channel or entry that are never inside each other, so that each closes another one that was left open. */
const fields = new Set(
  `title link guid id pubdate published updated dc:date description summary content:encoded category comments enclosure
  itunes:summary itunes:subtitle itunes:duration itunes:image media:group media:content media:thumbnail`.split(/\s+/),
)
/** Deeper elements are left out; their text belongs to the element around them. */
const max_depth = 100

/**
 * Builds elements from tags in any order, closed or not. `apart`: a new entry closes the previous one and everything else that is open in
 * the channel; a field of an entry closes another field that was left open. Each step takes constant time.
 */
class Tree {
  readonly #format: Format
  readonly #apart: boolean
  readonly #document: Element = elementOf('')
  /** Open elements. Those below `max_depth` share the last one that is kept. */
  readonly #open: Element[] = [this.#document]
  readonly #names: string[] = ['']
  /** How many elements of each name are open, to recognise a closing tag without an opening one. */
  readonly #counts = new Map<string, number>()
  /** Where the open channel and entry are in `#open`. */
  readonly #grounds: number[] = [0]
  #root: Element | undefined
  #is_balanced = true
  #has_entry_in_entry = false

  constructor(format: Format, apart: boolean) {
    this.#format = format
    this.#apart = apart
  }

  end(): ReadTree {
    for (const element of this.#open) element.is_cut = true
    const entry = this.#open.find(({ name }) => name === this.#format.entry)
    // A title or address that breaks off is worse than none.
    entry?.children.splice(0, entry.children.length, ...entry.children.filter(isWhole))
    const is_balanced = this.#is_balanced && this.#open.length === 1
    return { root: this.#root, is_balanced, has_entry_in_entry: this.#has_entry_in_entry }
  }

  say(text: string): void {
    const { children } = this.#open.at(-1) ?? this.#document
    const last = children.length - 1
    if (typeof children[last] === 'string') children[last] += text
    else children.push(text)
  }

  begin(given: string, attributes: Record<string, string>, is_empty: boolean): void {
    const name = this.#format.nameIn(given)
    if (name === this.#format.entry) this.#makeRoom()
    else if (this.#apart && fields.has(name)) this.#endFieldBefore()
    const element = this.#secondRoot(name) ?? this.#added(name, attributes)
    if (this.#root === undefined && isNamed(name, this.#format.root)) this.#root = element
    if (is_empty || empty_elements.has(name)) return
    this.#push(element, name)
  }

  /** Several documents in a row are one feed: the first root continues. */
  #secondRoot(name: string): Element | undefined {
    return this.#apart && this.#open.length === 1 && isNamed(name, this.#format.root) ? this.#root : undefined
  }

  /** A new element at the current position; at `max_depth` the element around it. */
  #added(name: string, attributes: Record<string, string>): Element {
    const around = this.#open.at(-1) ?? this.#document
    if (this.#open.length > max_depth) return around
    const element = elementOf(name, attributes)
    around.children.push(element)
    return element
  }

  /** An entry opens in the channel if that is open, else in the root, even if that is closed. */
  #makeRoom(): void {
    if (this.#counts.get(this.#format.entry)) this.#has_entry_in_entry = true
    if (this.#apart) {
      this.#giveBackFields()
      while (this.#open.length > 1 && !this.#isContainer(this.#names.at(-1) ?? '')) this.#pop()
    }
    if (this.#open.length === 1 && this.#root !== undefined) {
      this.#is_balanced = false
      this.#push(this.#root, this.#root.name)
    }
  }

  #endFieldBefore(): void {
    const ground = this.#grounds.at(-1) ?? 0
    if (!fields.has(this.#names[ground + 1] ?? '')) return
    while (this.#open.length > ground + 1) this.#pop()
  }

  /** When an entry ends, fields inside an element that was left open in it, such as its author, belong to the entry. */
  #giveBackFields(): void {
    const ground = this.#grounds.at(-1) ?? 0
    if (!this.#apart || this.#names[ground] !== this.#format.entry || fields.has(this.#names[ground + 1] ?? '')) return
    for (const element of new Set(this.#open.slice(ground + 1)))
      for (const child of element.children)
        if (typeof child !== 'string' && fields.has(child.name)) this.#open[ground]?.children.push(child)
  }

  #isContainer(name: string): boolean {
    return name === 'channel' || isNamed(name, this.#format.root)
  }

  #push(element: Element, name: string): void {
    if (name === this.#format.entry || this.#isContainer(name)) this.#grounds.push(this.#open.length)
    this.#open.push(element)
    this.#names.push(name)
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }

  finish(given: string): void {
    const name = this.#format.nameIn(given)
    if (empty_elements.has(name)) return
    if (!this.#counts.get(name)) {
      this.#is_balanced = false
      return
    }
    if (this.#names.at(-1) !== name) this.#is_balanced = false
    if (name === this.#format.entry || this.#isContainer(name)) this.#giveBackFields()
    let closed = this.#pop()
    while (closed !== name) closed = this.#pop()
  }

  #pop(): string {
    const name = this.#names.pop() ?? ''
    this.#open.pop()
    if (this.#grounds.at(-1) === this.#open.length) this.#grounds.pop()
    this.#counts.set(name, (this.#counts.get(name) ?? 1) - 1)
    return name
  }
}

const isWhole = (child: Element | string) => typeof child === 'string' || !child.is_cut

const elementOf = (name: string, attributes: Record<string, string> = {}): Element => ({
  name,
  attributes,
  children: [],
})

const isNamed = (name: string, root: string) => name === root || name.endsWith(`:${root}`)
