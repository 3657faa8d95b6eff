/** The newest videos over all channels. */
import { Hono } from 'hono'
import { newestVideos } from '../../domain/videos/history.ts'
import { HistoryQuery } from '../../schema/api.ts'
import { HomePage } from '../../views/pages/home.tsx'
import { pathWith } from '../../views/parts/words.ts'
import type { Env } from '../middleware/context.ts'
import { pageOf } from '../middleware/render.tsx'
import { valid } from '../middleware/valid.ts'

export const home = new Hono<Env>().get('/', valid('query', HistoryQuery), async c => {
  const { q, cursor, seen } = c.req.valid('query')
  // Search had its place here once.
  if (q) return c.redirect(pathWith('/search', { q }), 302)
  const page = pageOf(c)
  const news = await newestVideos(c.var.library, { cursor, seen, limit: 24 }, page.now)
  return c.html(<HomePage page={page} news={news} filter={{ seen, cursor }} />)
})
