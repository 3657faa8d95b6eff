/** Searching everything one follows, as JSON. */
import { Hono } from 'hono'
import { search as find } from '../../domain/videos/search.ts'
import { SearchQuery } from '../../schema/api.ts'
import type { Env } from '../middleware/context.ts'
import { valid } from '../middleware/valid.ts'

export const apiSearch = new Hono<Env>().get('/search', valid('query', SearchQuery), async c =>
  c.json(await find(c.var.library, c.req.valid('query'))),
)
