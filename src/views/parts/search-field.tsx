/** A search field whose results come as one types, where there is a script, and by Enter everywhere. */
import type { Child } from 'hono/jsx'

type Props = {
  path: string
  q: string
  label: string
  placeholder?: string
  /** The id of what is exchanged for what is found. */
  target: string
  /** The id of an element that says how much was found. */
  say?: string
  /** What else is asked for. */
  also?: Record<string, string | undefined>
  /** The page is there for this field. */
  first?: boolean
  /** A button, or nothing. */
  children?: Child
}

export const SearchAsTyped = ({
  path,
  q,
  label,
  placeholder,
  target,
  say,
  also = {},
  first = false,
  children,
}: Props) => (
  <search class={first ? 'search first' : 'search'}>
    <form
      method="get"
      action={path}
      hx-get={path}
      hx-trigger="input delay:250ms"
      hx-target={`#${target}`}
      hx-select={`#${target}`}
      hx-swap="outerHTML"
      hx-sync="this:replace"
      hx-select-oob={say && `#${say}:innerHTML`}
      data-keeps-address
    >
      {Object.entries(also).map(([name, value]) => value && <input type="hidden" name={name} value={value} />)}
      <input
        type="search"
        name="q"
        value={q}
        placeholder={placeholder ?? label}
        aria-label={label}
        autocomplete="off"
        enterkeyhint="search"
        maxlength={200}
        aria-keyshortcuts={first ? '/' : undefined}
        autofocus={first && q === ''}
      />
      {children}
    </form>
  </search>
)
