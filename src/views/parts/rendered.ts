/**
 * Renders an element at once instead of with its page, so that it can be shown many times. Only this file marks text as HTML, and
 * only text that Hono has rendered, with every value escaped.
 */
import { raw } from 'hono/html'
import type { JSX } from 'hono/jsx/jsx-runtime'

export const rendered = (element: JSX.Element) => raw(String(element))
