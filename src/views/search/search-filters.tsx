/**
 * What can be typed into the search field, and what a search understood of it: filters as chips that can be removed, hints, the order,
 * examples and suggestions.
 */
import { SearchSort } from '../../schema/search/saved-search.ts'
import type { SearchResult } from '../../schema/search/search.ts'
import type { SearchSuggestion } from '../../schema/search/search-suggestions.ts'
import { Icon } from '../ui/icon.tsx'
import { Chips } from '../ui/lists.tsx'
import { pathWith, searchPath } from '../ui/paths.ts'

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

/** Examples that can be pressed, and what each finds. */
export const SearchExamples = () => (
  <div class="how-to">
    <Ways title="Words" ways={word_examples} />
    <Ways title="Filters" ways={filter_examples} />
  </div>
)

type Way = { typed: string; finds: string }

const Ways = ({ title, ways }: { title: string; ways: Way[] }) => (
  <section class="group">
    <h2>{title}</h2>
    <dl>
      {ways.map(({ typed, finds }) => (
        <>
          <dt>
            <a class="way" href={pathWith('/search', { q: typed })}>
              <code>{typed}</code>
            </a>
          </dt>
          <dd>{finds}</dd>
        </>
      ))}
    </dl>
  </section>
)

const word_examples: Way[] = [
  { typed: 'sourdough bread', finds: 'Both words, in any order. The last word can be incomplete.' },
  { typed: '"slow kitchen"', finds: 'This exact phrase, also where it is said.' },
  { typed: 'bread -trailer', finds: 'The first word, but not the second.' },
  { typed: 'bread or cake', finds: 'Either word.' },
]

const filter_examples: Way[] = [
  { typed: 'on:disk is:unwatched', finds: 'Filters alone, or together with words. All of them must fit.' },
  { typed: 'is:started', finds: 'Also watched, later, hidden, live, short, queued, downloading and failed.' },
  {
    typed: 'channel:kitchen',
    finds: 'Part of the name of a channel; group: for a group. A name with spaces is in quotes.',
  },
  { typed: 'after:2024 before:2025', finds: 'Published in 2024. A month is 2024-03, a day 2024-03-31.' },
  { typed: 'after:30d', finds: 'Published in the last 30 days; 2w, 3m and 1y are weeks, months and a year.' },
  { typed: 'longer:20m shorter:1h30m', finds: 'Between 20 and 90 minutes long.' },
  { typed: '-is:short', finds: 'A minus leaves out what fits the filter.' },
]

/** The options below a search field. The script `page/search-suggestions.js` shows them, and puts `data-search` into the field. */
export const SearchSuggestions = ({ suggestions }: { suggestions: SearchSuggestion[] }) => (
  <>
    {suggestions.map(({ search, typed, means }, at) => (
      <div role="option" tabIndex={-1} id={`suggestion-${at}`} data-search={search} aria-selected="false">
        <span class="typed" dir="auto">
          {typed}
        </span>{' '}
        {means && <span class="quiet">{means}</span>}
      </div>
    ))}
  </>
)
