/** The elements of a feed's XML, from either reader. Names are in lower case with known prefixes (see `namesOf`). Pure. */

export type Element = {
  name: string
  attributes: Record<string, string>
  children: (Element | string)[]
  /** The document ended before this element did. */
  is_cut?: true
}

export const childrenOf = (element: Element | undefined, name: string): Element[] =>
  element?.children.filter((child): child is Element => typeof child !== 'string' && child.name === name) ?? []

export const childOf = (element: Element | undefined, name: string): Element | undefined => childrenOf(element, name)[0]

/** All text inside, in order, without tags, and without the scripts and styles of inline XHTML. */
export const textIn = (element: Element): string =>
  element.children
    .map(child => (typeof child === 'string' ? child : for_machines.test(child.name) ? '' : textIn(child)))
    .join('')

const for_machines = /(?:^|:)(?:script|style)$/

/** The text of the first of these children that is not empty. */
export function textAt(element: Element | undefined, ...names: string[]): string | undefined {
  for (const name of names) {
    for (const child of childrenOf(element, name)) {
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
export function entriesIn(element: Element, name: string, is_inside = false): Element[] {
  return element.children.flatMap(child => {
    if (typeof child === 'string') return []
    if (child.name !== name) return entriesIn(child, name, is_inside)
    const deeper = entriesIn(child, name, true)
    return is_inside && !isNaming(child) ? deeper : [child, ...deeper]
  })
}

const isNaming = (entry: Element) =>
  ['link', 'guid', 'id', 'enclosure'].some(name => childOf(entry, name) !== undefined)
