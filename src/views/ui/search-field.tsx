/** A search field that shows results as the person types, or on Enter where no script runs. */
import type { Child } from 'hono/jsx'
import { suggestions_path } from './paths.ts'

type Props = {
  path: string
  q: string
  label: string
  placeholder?: string
  /** The id of the element that the results replace. */
  target: string
  /** The id of an element that announces how much was found. */
  say?: string
  /** Further parameters of the search. */
  also?: Record<string, string | undefined>
  /** This field is the main part of its page. */
  first?: boolean
  /** A button, if any. */
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
        data-suggestions={first ? suggestions_path : undefined}
        autofocus={first && q === ''}
      />
      {children}
    </form>
  </search>
)
