/** Renders a part without values once, when its module is loaded. A page of 40 videos shows each such part 40 times. */
import { raw } from 'hono/html'
import type { JSX } from 'hono/jsx/jsx-runtime'

export const fixed = (element: JSX.Element) => raw(String(element))
