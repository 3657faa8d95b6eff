/** Changing saved searches: an unknown one and another person's are one answer. */
import type { Library } from '../../db/library/library.ts'
import { DomainError } from '../../errors.ts'
import type { SavedSearch, SavedSearchRequest } from '../../schema/saved-search.ts'

export const getSavedSearch = async ({ searches }: Library, saved_search_id: string): Promise<SavedSearch> =>
  orMissing(await searches.find(saved_search_id))

export const changeSavedSearch = async (
  { searches }: Library,
  saved_search_id: string,
  changes: Partial<SavedSearchRequest>,
): Promise<SavedSearch> => orMissing(await searches.change(saved_search_id, changes))

export const deleteSavedSearch = async ({ searches }: Library, saved_search_id: string): Promise<SavedSearch> =>
  orMissing(await searches.remove(saved_search_id))

export const restoreSavedSearch = async ({ searches }: Library, saved_search_id: string): Promise<SavedSearch> =>
  orMissing(await searches.restore(saved_search_id))

function orMissing(found: SavedSearch | undefined): SavedSearch {
  if (found === undefined) throw new DomainError('not_found', 'There is no such saved search.')
  return found
}
