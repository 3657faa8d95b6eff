/**
 * Keeps the HTML of a part of a page for the next time that it is rendered with equal values. A list of 24 videos has 500 elements, and
 * most of them are the same as at the last visit of their person: without this file, New took 1.6 times the processor time of the service,
 * and the list of channels twice as much (`npm run bench -- pages`). Only this file marks text as HTML, and only text that Hono has
 * rendered, with every value escaped.
 */
import { raw } from 'hono/html'
import type { JSX } from 'hono/jsx/jsx-runtime'
import { boundedCache } from '../../runtime/cache.ts'

/** Of the keys and the HTML that one part keeps: 3,000 usual cards, and at most 16 MB. */
const max_characters = 8_000_000

/** A usual card has 2,500 characters with its key. A feed with texts of the greatest length would push out the cards of everyone else. */
const max_characters_of_one = 8000

/** `keyOf`: every value that the HTML depends on, as JSON can write it. */
export function remembered<Props>(
  render: (props: Props) => JSX.Element,
  keyOf: (props: Props) => unknown,
): (props: Props) => JSX.Element {
  const cache = boundedCache<JSX.Element>(max_characters)
  return props => {
    const key = JSON.stringify(keyOf(props))
    const known = cache.find(key)
    if (known) return known
    // A copy, because Hono's text is a tree of small pieces, which each page would put together again.
    const html = Buffer.from(String(render(props))).toString()
    const element = raw(html)
    if (key.length + html.length <= max_characters_of_one) cache.keep(key, element, html.length)
    return element
  }
}
