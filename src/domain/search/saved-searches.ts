/** Saved searches: save, change, delete and restore them. */
import type { Library } from '../../db/library.ts'
import { DomainError } from '../../errors.ts'
import { currentTime } from '../../runtime/clock.ts'
import type { SavedSearch, SavedSearchRequest } from '../../schema/search/saved-search.ts'
import { readSearch } from '../../schema/search/search-language.ts'
import { orThrow } from '../get.ts'

/** Throws `invalid` if nothing in the search is understood. */
export async function saveSearch({ searches }: Library, search: SavedSearchRequest): Promise<SavedSearch> {
  requireUnderstood(search.q)
  return searches.create(search)
}

export const getSavedSearch = async ({ searches }: Library, saved_search_id: string): Promise<SavedSearch> =>
  orThrow(await searches.find(saved_search_id), noSuchSearch)

/** Throws `invalid` if nothing in the new search is understood. */
export async function changeSavedSearch(
  { searches }: Library,
  saved_search_id: string,
  changes: Partial<SavedSearchRequest>,
): Promise<SavedSearch> {
  if (changes.q !== undefined) requireUnderstood(changes.q)
  return orThrow(await searches.change(saved_search_id, changes), noSuchSearch)
}

export const deleteSavedSearch = async ({ searches }: Library, saved_search_id: string): Promise<SavedSearch> =>
  orThrow(await searches.remove(saved_search_id), noSuchSearch)

export const restoreSavedSearch = async ({ searches }: Library, saved_search_id: string): Promise<SavedSearch> =>
  orThrow(await searches.restore(saved_search_id), noSuchSearch)

/** A search with only wrong filters finds nothing. */
function requireUnderstood(q: string): void {
  const { words, filters, hints } = readSearch(q, currentTime())
  if (words !== '' || filters.length > 0) return
  const hint = hints[0]?.hint ?? 'Enter what to search for.'
  throw new DomainError('invalid', `Nothing in this search is understood. ${hint}`, { fields: { q: hint } })
}

const noSuchSearch = () => new DomainError('not_found', 'There is no such saved search.')
