/** The elements of a feed's XML, from either reader. Names are in lower case with known prefixes (see `namesOf`). Pure. */

export type Element = {
  name: string
  attributes: Record<string, string>
  children: (Element | string)[]
  /** The document ended before this element did. */
  is_cut?: true
}

/** The functions of this file use loops, because a feed is searched for hundreds of names, and most of them are missing. */
export function childrenOf(element: Element | undefined, name: string): Element[] {
  const found: Element[] = []
  for (const child of element?.children ?? []) if (typeof child !== 'string' && child.name === name) found.push(child)
  return found
}

export function childOf(element: Element | undefined, name: string): Element | undefined {
  for (const child of element?.children ?? []) if (typeof child !== 'string' && child.name === name) return child
  return undefined
}

/** All text inside, in order, without tags, and without the scripts and styles of inline XHTML. */
export function textIn({ children }: Element): string {
  let text = ''
  for (const child of children)
    if (typeof child === 'string') text += child
    else if (!for_machines.test(child.name)) text += textIn(child)
  return text
}

const for_machines = /(?:^|:)(?:script|style)$/

/** The text of the first of these children that is not empty. */
export function textAt(element: Element | undefined, ...names: string[]): string | undefined {
  for (const name of names) {
    for (const child of element?.children ?? []) {
      if (typeof child === 'string' || child.name !== name) continue
      const text = textIn(child)
      if (text.trim() !== '') return text
    }
  }
  return undefined
}

/**
 * The entries of a feed at any depth, in order. Inside an entry, an element of the same name is an entry only if it has a link or
 * an identifier, because some feeds keep other lists there.
 */
export function entriesIn(element: Element, name: string): Element[] {
  const found: Element[] = []
  addEntries(element, name, false, found)
  return found
}

function addEntries({ children }: Element, name: string, is_inside: boolean, found: Element[]): void {
  for (const child of children) {
    if (typeof child === 'string') continue
    const is_named = child.name === name
    if (is_named && (!is_inside || isNaming(child))) found.push(child)
    addEntries(child, name, is_inside || is_named, found)
  }
}

const isNaming = (entry: Element) =>
  ['link', 'guid', 'id', 'enclosure'].some(name => childOf(entry, name) !== undefined)
