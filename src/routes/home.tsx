/** The newest videos over all channels. */
import { Hono } from 'hono'
import { newestVideos } from '../domain/history.ts'
import { HistoryQuery } from '../schema/api.ts'
import { HomePage } from '../views/videos.tsx'
import { pathWith } from '../views/words.ts'
import type { Env } from './context.ts'
import { pageOf } from './render.tsx'
import { valid } from './valid.ts'

export const home = new Hono<Env>().get('/', valid('query', HistoryQuery), async c => {
  const { q, cursor, seen } = c.req.valid('query')
  // Search had its place here once.
  if (q) return c.redirect(pathWith('/search', { q }), 302)
  const page = pageOf(c)
  const news = await newestVideos(c.var.library, { cursor, seen, limit: 24 }, page.now)
  return c.html(<HomePage page={page} news={news} filter={{ seen, cursor }} />)
})
