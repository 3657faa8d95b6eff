/** What the search understood of what was typed: its filters as chips that can be removed, and hints about those it left out. */
import type { SearchHint, SearchPart } from '../../schema/search-language.ts'
import { Icon } from './icon.tsx'
import { pathWith } from './words.ts'

export const SearchFilters = ({ parts }: { parts: SearchPart[] }) =>
  parts.length === 0 ? null : (
    <ul class="search-filters" aria-label="Filters">
      {parts.map(({ means, without }) => (
        <li>
          <a
            class="chip"
            href={pathWith('/search', { q: without })}
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

export const SearchHints = ({ hints }: { hints: SearchHint[] }) =>
  hints.length === 0 ? null : (
    <ul class="search-hints" aria-label="Hints">
      {hints.map(({ typed, hint, instead }) => (
        <li>
          <code>{typed}</code> {instead === null ? hint : <a href={pathWith('/search', { q: instead })}>{hint}</a>}
        </li>
      ))}
    </ul>
  )
