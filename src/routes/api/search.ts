/** Search in everything a person follows, as JSON. */
import { Hono } from 'hono'
import { search as find } from '../../domain/videos/search.ts'
import { SearchQuery } from '../../schema/requests.ts'
import { SearchResult } from '../../schema/search.ts'
import type { Env } from '../middleware/context.ts'
import { describeRoute, validQuery } from './operation.ts'

export const search = new Hono<Env>().get(
  '/search',
  describeRoute({
    summary:
      'Search for videos by title, description and what is said, and for channels by title; matches in titles first',
    responses: {
      200: { description: 'One page. The query may contain "a phrase", -excluded and or', schema: SearchResult },
    },
  }),
  validQuery(SearchQuery),
  async c => c.json(await find(c.var.library, c.req.valid('query'))),
)
