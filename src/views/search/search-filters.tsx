/** What a search understood of what was typed: its filters as chips that can be removed, hints about those it left out, and its order. */
import type { SearchResult } from '../../schema/search/search.ts'
import { SearchSort } from '../../schema/search/search-sort.ts'
import { Chips } from '../ui/chips.tsx'
import { Icon } from '../ui/icon.tsx'
import { searchPath } from '../ui/paths.ts'

type Ordered<Part extends keyof SearchResult> = Pick<SearchResult, Part> & { sort: SearchSort }

export const SearchFilters = ({ filters, sort }: Ordered<'filters'>) =>
  filters.length === 0 ? null : (
    <ul class="search-filters" aria-label="Filters">
      {filters.map(({ means, without }) => (
        <li>
          <a
            class="chip"
            href={searchPath({ q: without, sort })}
            aria-label={`Remove filter ${means}`}
            data-next-focus={search_field}
          >
            <span class="means" dir="auto">
              {means}
            </span>
            <Icon name="close" />
          </a>
        </li>
      ))}
    </ul>
  )

const search_field = '.search.first input[type=search]'

export const SearchHints = ({ hints, sort }: Ordered<'hints'>) =>
  hints.length === 0 ? null : (
    <ul class="search-hints" aria-label="Hints">
      {hints.map(({ typed, hint, instead }) => (
        <li>
          <code>{typed}</code> {instead === null ? hint : <a href={searchPath({ q: instead, sort })}>{hint}</a>}
        </li>
      ))}
    </ul>
  )

export const SearchOrder = ({ q, sort }: { q: string; sort: SearchSort }) => (
  <Chips
    label="Sort"
    class="search-order"
    chips={SearchSort.options.map(order => ({
      href: searchPath({ q, sort: order }),
      label: order_names[order],
      is_here: order === sort,
    }))}
  />
)

const order_names: Record<SearchSort, string> = { relevance: 'Relevance', newest: 'Newest' }
