/** Search in everything a person follows, as JSON. */
import { Hono } from 'hono'
import { search as find } from '../../domain/search/search.ts'
import { SearchQuery, SearchResult } from '../../schema/search/search.ts'
import type { Env } from '../http/context.ts'
import { describeRoute, validQuery } from '../http/operation.ts'

export const search = new Hono<Env>().get(
  '/search',
  describeRoute({
    summary: 'Search for videos by title, description and what is said, limited by filters, and for channels by title',
    responses: {
      200: {
        description: 'One page. A filter that is wrong is left out, and answered with a hint',
        schema: SearchResult,
      },
    },
  }),
  validQuery(SearchQuery),
  async c => c.json(await find(c.var.library, c.req.valid('query'))),
)
