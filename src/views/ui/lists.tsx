/** The parts of a list: its rows, what limits it, a search in it, and the link to its next page. */
import type { Child } from 'hono/jsx'
import { pathWith } from '../../schema/http/paths.ts'
import { Hidden } from './forms.tsx'
import { Icon } from './icon.tsx'

type ActiveFiltersProps = { filters: { label: string; href: string }[]; next_focus?: string }

/** What limits a list: chips, each a link to the list without it. */
export const ActiveFilters = ({ filters, next_focus = '' }: ActiveFiltersProps) =>
  filters.length === 0 ? null : (
    <ul class="active-filters" aria-label="Filters">
      {filters.map(({ label, href }) => (
        <li>
          <a class="chip" href={href} aria-label={`Remove filter ${label}`} data-next-focus={next_focus}>
            <bdi>{label}</bdi>
            <Icon name="close" />
          </a>
        </li>
      ))}
    </ul>
  )

type RowsProps<Thing> = {
  of: readonly Thing[]
  row: (thing: Thing, nth: number) => Child
  id?: string | undefined
  /** Further classes. */
  class?: string
}

/** The rows of things; nothing if there are none. */
export const Rows = <Thing extends object>({ of, row, id, class: more }: RowsProps<Thing>) =>
  of.length === 0 ? null : (
    <ul class={more ? `rows ${more}` : 'rows'} id={id}>
      {of.map(row)}
    </ul>
  )

type AboutProps = {
  title: Child
  /** The element of the title, and its id. */
  heading?: 'p' | 'h2' | 'h3'
  id?: string
  /** Beside the title. */
  badge?: Child
  /** Below the line. */
  below?: Child
  /** The quiet line. */
  children: Child
}

/** What a row says of its thing: the name, and a quiet line. */
export const About = ({ title, heading: Heading = 'p', id, badge, below, children }: AboutProps) => (
  <div class="about">
    <Heading class="title" id={id}>
      {title}
      {badge && <span class="badge">{badge}</span>}
    </Heading>
    <p class="quiet">{children}</p>
    {below}
  </div>
)

type TypedSearch = {
  path: string
  /** The id of the element that the results replace. */
  target: string
  /** The ids of other elements that depend on the words, such as one that announces how much was found. */
  say?: string[]
}

/** What makes a form show results as the person types, or on Enter where no script runs. */
export const asTyped = ({ path, target, say = [] }: TypedSearch) => ({
  'hx-get': path,
  'hx-trigger': 'input delay:250ms',
  'hx-target': `#${target}`,
  'hx-select': `#${target}`,
  'hx-swap': 'outerHTML',
  'hx-sync': 'this:replace',
  'hx-select-oob': say.map(id => `#${id}:innerHTML`).join(',') || undefined,
  'data-keeps-address': true,
})

type SearchFieldProps = TypedSearch & {
  q: string
  label: string
  placeholder?: string
  /** Further parameters of the search. */
  also?: Record<string, string | undefined>
}

/** A search field of one list. The field that searches everything is in the navigation. */
export const SearchAsTyped = ({ q, label, placeholder, also = {}, ...typed }: SearchFieldProps) => (
  <search class="search">
    <form method="get" action={typed.path} {...asTyped(typed)}>
      <Hidden fields={also} />
      <input
        type="search"
        name="q"
        value={q}
        placeholder={placeholder ?? label}
        aria-label={label}
        autocomplete="off"
        enterkeyhint="search"
        maxlength={200}
      />
    </form>
  </search>
)

type OlderProps = {
  path: string
  parameters: Record<string, string | undefined>
  /** `null`: this is the last page. */
  cursor: string | null
  /** The id of the list that grows. A page has one such list and one such link. */
  list?: string
  label?: string
}

/**
 * The link to the next page of a list. htmx follows the link shortly before it scrolls into view, fetches the whole next page and
 * appends only the rows, so checkboxes, focus and progress bars stay as they are.
 */
export function Older({ path, parameters, cursor, list = videos_id, label = 'Older videos' }: OlderProps) {
  const next = cursor === null ? undefined : pathWith(path, { ...parameters, cursor })
  return (
    <p class="older" id="older">
      {next && (
        <a
          id="older-link"
          class="button plain"
          rel="next"
          href={next}
          hx-get={next}
          hx-trigger="click, revealed rootMargin:400px"
          hx-target={`#${list}`}
          hx-select={`#${list} > *`}
          hx-swap="beforeend"
          data-busy="Loading…"
          hx-select-oob={joined}
        >
          {label}
        </a>
      )}
    </p>
  )
}

type OrderProps<Order extends string> = {
  order: Order
  orders: readonly Order[]
  labels: Record<Order, string>
  hrefOf(order: Order): string
}

/** The orders of a list as a menu, whose button says the present one. */
export const OrderMenu = <Order extends string>({ order, orders, labels, hrefOf }: OrderProps<Order>) => (
  <details class="menu orders">
    <summary class="button quiet" aria-label={`Sort: ${labels[order]}`}>
      <span>{labels[order]}</span>
      <Icon name="chevron" />
    </summary>
    <div class="panel">
      {orders.map(other => (
        <a class="item" href={hrefOf(other)} aria-current={other === order ? 'true' : undefined}>
          {labels[other]}
        </a>
      ))}
    </div>
  </details>
)

/** The id of the list of videos on a page. */
export const videos_id = 'videos'

/** The poll covers the new cells too. A page without moving downloads brings no ticker and keeps the present one. */
const joined = '#older, #polled:beforeend, #polling.asking'
