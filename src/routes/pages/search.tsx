/** Search in everything the user follows. */
import { Hono } from 'hono'
import { search } from '../../domain/videos/search.ts'
import { suggestSearches } from '../../domain/videos/search-suggestions.ts'
import { SearchQuery, SuggestionsQuery } from '../../schema/requests.ts'
import { SearchPage } from '../../views/pages/search.tsx'
import { SearchSuggestions } from '../../views/parts/search-suggestions.tsx'
import type { Env } from '../middleware/context.ts'
import { pageOf } from '../middleware/render.tsx'
import { valid } from '../middleware/valid.ts'

export const searchPages = new Hono<Env>()
  .get('/search', valid('query', SearchQuery), async c => {
    const query = c.req.valid('query')
    return c.html(
      <SearchPage page={pageOf(c)} q={query.q} sort={query.sort} result={await search(c.var.library, query)} />,
    )
  })
  .get('/search/suggestions', valid('query', SuggestionsQuery), async c => {
    const { q } = c.req.valid('query')
    return c.html(<SearchSuggestions suggestions={await suggestSearches(c.var.library, q, new Date())} />)
  })
