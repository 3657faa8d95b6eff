/** Search in everything the user follows. */
import { type Context, Hono } from 'hono'
import type { z } from 'zod'
import { search, suggestSearches } from '../../domain/search/search.ts'
import type { DomainError } from '../../errors.ts'
import { SearchQuery, SuggestionsQuery } from '../../schema/search/search.ts'
import type { RefusedName } from '../../views/search/saved-searches.tsx'
import { SearchSuggestions } from '../../views/search/search-filters.tsx'
import { SearchPage } from '../../views/search/search-page.tsx'
import type { Env } from '../http/context.ts'
import { columnFor, pageOf } from '../http/page.ts'
import { errorsAt, formPage, valid } from '../http/valid.ts'

export const searchPages = new Hono<Env>()
  .get('/search', valid('query', SearchQuery), c => searchPage(c, c.req.valid('query')))
  .get('/search/suggestions', valid('query', SuggestionsQuery), async c => {
    const { q } = c.req.valid('query')
    return c.html(<SearchSuggestions suggestions={await suggestSearches(c.var.library, q, new Date())} />)
  })

/** Why a search could not be saved under this name. */
type Refused = Pick<RefusedName, 'saved_search_id' | 'name'> & { refusal: DomainError }

/** The results, and a form that saves the search. */
export async function searchPage(
  c: Context<Env>,
  query: z.infer<typeof SearchQuery>,
  refused?: Refused,
): Promise<Response> {
  const { library } = c.var
  const [result, searches, column] = await Promise.all([search(library, query), library.searches.list(), columnFor(c)])
  const { refusal, ...form } = refused ?? { name: '' }
  const error = errorsAt('name', refusal)?.name
  const saving = { searches, refused: refusal && { ...form, error } }
  // A form that is shown again has another address.
  const page = { ...pageOf(c), path: '/search' }
  return formPage(c, <SearchPage page={page} q={query.q} sort={query.sort} {...{ result, saving, column }} />, refusal)
}
