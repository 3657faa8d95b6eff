/**
 * Renders an element at once instead of with its page, so that it can be shown many times. Only this file marks text as HTML, and
 * only text that Hono has rendered, with every value escaped.
 */
import { raw } from 'hono/html'
import { Fragment } from 'hono/jsx'
import type { JSX } from 'hono/jsx/jsx-runtime'

export const rendered = (element: JSX.Element) => raw(withReferences(String(element)))

/** A text as an attribute or a child. */
export const renderedText = (text: string) => rendered(Fragment({ children: text }))

/**
 * `&#8230;` for `…`: one character beyond U+00FF, and V8 keeps the whole page with two bytes for each character. To send such a page of
 * 50 kB takes 0.17 ms of processor time instead of 0.02.
 */
const withReferences = (html: string) => html.replace(/[\u0100-\u{10ffff}]/gu, sign => `&#${sign.codePointAt(0)};`)
