/** A person's saved searches, as JSON. */
import { Hono } from 'hono'
import { changeSavedSearch, deleteSavedSearch, saveSearch } from '../../domain/search/saved-searches.ts'
import { SavedSearch, SavedSearches, SavedSearchRequest } from '../../schema/search/saved-search.ts'
import type { Env } from '../http/context.ts'
import { describeRoute, validJson } from '../http/operation.ts'

export const savedSearches = new Hono<Env>()
  .get(
    '/searches',
    describeRoute({
      summary: 'List your saved searches',
      responses: { 200: { description: 'Ordered by name', schema: SavedSearches } },
    }),
    async c => c.json({ searches: await c.var.library.searches.list() }),
  )

  .post(
    '/searches',
    describeRoute({
      summary: 'Save a search',
      responses: { 201: { description: 'The saved search', schema: SavedSearch } },
      errors: [409],
    }),
    validJson(SavedSearchRequest),
    async c => c.json(await saveSearch(c.var.library, c.req.valid('json')), 201),
  )

  .put(
    '/searches/:saved_search_id',
    describeRoute({
      summary: 'Rename a saved search, or change what it searches for',
      responses: { 200: { description: 'The saved search', schema: SavedSearch } },
      errors: [409],
    }),
    validJson(SavedSearchRequest),
    async c => c.json(await changeSavedSearch(c.var.library, c.req.param('saved_search_id'), c.req.valid('json'))),
  )

  .delete(
    '/searches/:saved_search_id',
    describeRoute({
      summary: 'Remove a saved search',
      responses: { 204: { description: 'Removed', schema: null } },
    }),
    async c => {
      await deleteSavedSearch(c.var.library, c.req.param('saved_search_id'))
      return c.body(null, 204)
    },
  )
