/**
 * Renders JSX to HTML as it is evaluated: every element becomes a piece of text at once, with its values escaped. The types of JSX
 * are Hono's. Hono's own runtime first builds a tree with contexts, promises and callbacks, which no page here uses; a page of
 * 40 videos takes it 1.3 ms, and 0.4 ms here.
 *
 * `jsxImportSource` names this folder `#jsx` (see `imports` in package.json), so every file with JSX imports it.
 */
export type { JSX } from 'hono/jsx/jsx-runtime'

/**
 * Marks text that is HTML already. Only this file makes such text, so nothing that a feed or a person wrote is taken for HTML. By a
 * symbol instead of by the class, because a test runner may load this file twice.
 */
const is_html = Symbol.for('backlot.html')

class Html {
  readonly [is_html] = true
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

type Props = { children?: unknown; [name: string]: unknown }
type Component = (props: Props) => unknown

export function jsx(tag: string | Component, props: Props): unknown {
  if (typeof tag === 'function') return tag(props)
  const start = `<${tag}${attributes(props)}`
  return new Html(without_end.has(tag) ? `${start}/>` : `${start}>${content(props.children)}</${tag}>`)
}

export { jsx as jsxDEV, jsx as jsxs }

export const Fragment = ({ children }: Props) => new Html(content(children))

/** What a document begins with; JSX cannot express it. */
export const doctype = () => new Html('<!doctype html>')

function attributes(props: Props): string {
  let text = ''
  for (const name in props) {
    const value = props[name]
    if (name === 'children' || value === undefined || value === null) continue
    if (typeof value === 'string') text += ` ${name}="${escaped(value)}"`
    else if (typeof value !== 'boolean' || !present_or_absent.has(name)) text += ` ${name}="${escaped(String(value))}"`
    else if (value) text += ` ${name}=""`
  }
  return text
}

/** Like React, `null`, `undefined`, `true` and `false` are rendered as nothing. */
function content(child: unknown): string {
  if (typeof child === 'string') return escaped(child)
  if (child === undefined || child === null || typeof child === 'boolean') return ''
  if (typeof child === 'object' && is_html in child) return child.toString()
  if (!Array.isArray(child)) return escaped(String(child))
  let text = ''
  for (const one of child) text += content(one)
  return text
}

/** Most texts need no escaping, and a test is faster than a replacement. */
const escaped = (text: string): string =>
  special.test(text) ? text.replace(every_special, sign => escapes[sign] ?? '') : text

const special = /[&<>"']/
const every_special = /[&<>"']/g
const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const without_end = new Set(['br', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr'])

/** Attributes without a value. Other attributes are written as `name="true"` or `name="false"`. */
const present_or_absent = new Set([
  'autofocus',
  'autoplay',
  'checked',
  'controls',
  'default',
  'defer',
  'disabled',
  'hidden',
  'inert',
  'loop',
  'multiple',
  'muted',
  'open',
  'playsinline',
  'readonly',
  'required',
  'selected',
])
