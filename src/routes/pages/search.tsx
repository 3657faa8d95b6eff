/** Searching everything one follows, as a page. */
import { Hono } from 'hono'
import { search as find } from '../../domain/videos/search.ts'
import { SearchQuery } from '../../schema/api.ts'
import { SearchPage } from '../../views/pages/search.tsx'
import type { Env } from '../middleware/context.ts'
import { pageOf } from '../middleware/render.tsx'
import { valid } from '../middleware/valid.ts'

export const search = new Hono<Env>().get('/search', valid('query', SearchQuery), async c => {
  const asked = c.req.valid('query')
  return c.html(<SearchPage page={pageOf(c)} q={asked.q} result={await find(c.var.library, asked)} />)
})
