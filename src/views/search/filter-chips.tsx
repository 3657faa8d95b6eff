/**
 * The filters of a search: those that it has, as chips that can be removed, and those that can be added. A press on either changes the
 * words in the search field, so both are links. On a phone, the filters to add are behind one button.
 */
import type { Child } from 'hono/jsx'
import type { NamedGroup } from '../../schema/channels/group.ts'
import { searchPath } from '../../schema/http/paths.ts'
import type { SearchOf } from '../../schema/search/saved-search.ts'
import type { SearchResult } from '../../schema/search/search.ts'
import { filterNamed } from '../../schema/search/search-suggestions.ts'
import { Icon } from '../ui/icon.tsx'
import { ActiveFilters } from '../ui/lists.tsx'
import { ItemLink } from '../ui/menus.tsx'

type FiltersProps = SearchOf & {
  result: Pick<SearchResult, 'words' | 'filters'>
  /** Names of channels to choose from. */
  channels: string[]
  groups: Pick<NamedGroup, 'name'>[]
  /** Further items of the last menu. */
  children?: Child
}

export const SearchFilters = ({ result, q, sort, channels, groups, children }: FiltersProps) => {
  const add = filtersToAdd({ q, sort }, result.filters)
  return (
    <div class="search-filters">
      <ActiveFilters filters={activeOf({ q, sort }, result.filters)} next_focus={search_field} />
      <button type="button" class="chip to-filters" popovertarget={filters_id}>
        <Icon name="filter" /> Filters
      </button>
      <nav id={filters_id} popover class="filters-to-add" aria-label="Add a filter">
        {add(['on:disk', 'is:unwatched'], 'chip')}
        <FilterMenu label="Channel" items={add(channels.map(name => filterNamed('channel', name)))}>
          <AnotherChannel q={q} sort={sort} />
        </FilterMenu>
        <FilterMenu label="Length" items={add(['shorter:5m', 'longer:5m shorter:20m', 'longer:20m', 'longer:1h'])} />
        <FilterMenu label="Date" items={add(['after:7d', 'after:30d', 'after:1y', 'before:1y'])} />
        <FilterMenu
          label="More"
          items={[
            ...add(groups.map(({ name }) => filterNamed('group', name))),
            ...add(['is:watched', 'is:started', 'is:later', 'is:hidden', 'is:live', '-is:short', 'is:failed']),
          ]}
        >
          {/* Without words, both orders are one. */}
          {result.words !== '' && sort === 'relevance' && (
            <ItemLink href={searchPath({ q, sort: 'newest' })}>{newest_first}</ItemLink>
          )}
          {children}
        </FilterMenu>
      </nav>
    </div>
  )
}

const filters_id = 'filters-to-add'
const newest_first = 'Newest first'

/** The order that is not the usual one is removed like a filter. */
const activeOf = ({ q, sort }: SearchOf, filters: SearchResult['filters']) => [
  ...filters.map(({ means, without }) => ({ label: means, href: searchPath({ q: without, sort }) })),
  ...(sort === 'newest' ? [{ label: newest_first, href: searchPath({ q, sort: 'relevance' }) }] : []),
]

const search_field = '.top input[type=search]'

/** Links that add a filter each. A length, a date or a state that the search has is not offered a second time, nor its opposite. */
function filtersToAdd({ q, sort }: SearchOf, active: SearchResult['filters']) {
  const has = new Set(active.flatMap(({ typed }) => subjectsOf(typed)))
  return (filters: string[], kind: 'chip' | 'item' = 'item') =>
    filters
      .filter(typed => !subjectsOf(typed).some(subject => has.has(subject)))
      .map(typed => (
        <a class={kind} href={searchPath({ q: `${q} ${typed}`.trim(), sort })}>
          <bdi>{labels[typed] ?? typed.replace(/^\w+:"?|"$/g, '')}</bdi>
        </a>
      ))
}

/** What filters are about: `is:watched` and `is:unwatched` are about one thing, and so are `longer:` and `shorter:`. */
const subjectsOf = (typed: string): string[] =>
  (typed.toLowerCase().match(/[^\s"]*"[^"]*"?|\S+/g) ?? []).map(filter =>
    filter
      .replace(/^-/, '')
      .replace(/^is:un/, 'is:')
      .replace(/^(longer|shorter):.*/, 'length')
      .replace(/^(before|after):.*/, 'date'),
  )

const labels: Record<string, string> = {
  'on:disk': 'On disk',
  'is:unwatched': 'Unwatched',
  'shorter:5m': 'Under 5 minutes',
  'longer:5m shorter:20m': '5 to 20 minutes',
  'longer:20m': 'Over 20 minutes',
  'longer:1h': 'Over an hour',
  'after:7d': 'Last 7 days',
  'after:30d': 'Last 30 days',
  'after:1y': 'Last year',
  'before:1y': 'Older than a year',
  'is:watched': 'Watched',
  'is:started': 'Started',
  'is:later': 'Watch later',
  'is:hidden': 'Hidden',
  'is:live': 'Live streams',
  '-is:short': 'No Shorts',
  'is:failed': 'Failed',
}

const FilterMenu = ({ label, items, children }: { label: string; items: Child[]; children?: Child }) =>
  items.length === 0 && !children ? null : (
    <details class="menu">
      <summary class="chip">
        {label} <Icon name="chevron" />
      </summary>
      <div class="panel">
        {items}
        {children}
      </div>
    </details>
  )

/** `page/search-suggestions.js` types the filter, and suggests names. Without a script, the page says what to type. */
const AnotherChannel = ({ q, sort }: SearchOf) => (
  <ItemLink href={searchPath({ q: `${q} channel:`.trim(), sort })} data-types="channel:">
    Another channel…
  </ItemLink>
)

type HintsProps = Pick<SearchResult, 'hints'> & Pick<SearchOf, 'sort'>

/** What to type in place of words that look like filters and are none. */
export const SearchHints = ({ hints, sort }: HintsProps) =>
  hints.length === 0 ? null : (
    <ul class="search-hints" aria-label="Hints">
      {hints.map(({ typed, hint, instead }) => (
        <li>
          <code>{typed}</code> {instead === null ? hint : <a href={searchPath({ q: instead, sort })}>{hint}</a>}
        </li>
      ))}
    </ul>
  )
