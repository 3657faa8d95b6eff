/** The options below a search field. The script `search-suggestions.js` shows them, and puts `data-search` into the field. */
import type { SearchSuggestion } from '../../schema/search/search-suggestions.ts'

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
