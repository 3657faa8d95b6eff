/** Search in everything a person follows, and their saved searches, as JSON. */
import { Hono } from 'hono'
import { changeSavedSearch, deleteSavedSearch, saveSearch } from '../../domain/search/saved-searches.ts'
import { search } from '../../domain/search/search.ts'
import { SavedSearch, SavedSearches, SavedSearchRequest } from '../../schema/search/saved-search.ts'
import { SearchQuery, SearchResult } from '../../schema/search/search.ts'
import { acknowledge } from '../http/answers.tsx'
import type { Env } from '../http/context.ts'
import { created, done, ok, operation, validJson, validQuery } from '../http/operation.ts'

export const searchApi = new Hono<Env>()
  .get(
    '/search',
    operation(
      'Search for videos by title, description and what is said, limited by filters, and for channels by title',
      ok(SearchResult, 'One page. A filter that is wrong is left out, and answered with a hint'),
    ),
    validQuery(SearchQuery),
    async c => c.json(await search(c.var.library, c.req.valid('query'))),
  )

  .get('/searches', operation('List your saved searches', ok(SavedSearches, 'Ordered by name')), async c =>
    c.json({ searches: await c.var.library.searches.list() }),
  )

  .post(
    '/searches',
    operation('Save a search', created(SavedSearch, 'The saved search'), { errors: [409] }),
    validJson(SavedSearchRequest),
    async c => c.json(await saveSearch(c.var.library, c.req.valid('json')), 201),
  )

  .put(
    '/searches/:saved_search_id',
    operation('Rename a saved search, or change what it searches for', ok(SavedSearch, 'The saved search'), {
      errors: [409],
    }),
    validJson(SavedSearchRequest),
    async c => c.json(await changeSavedSearch(c.var.library, c.req.param('saved_search_id'), c.req.valid('json'))),
  )

  .delete('/searches/:saved_search_id', operation('Remove a saved search', done('Removed')), c =>
    acknowledge(c, deleteSavedSearch(c.var.library, c.req.param('saved_search_id'))),
  )
