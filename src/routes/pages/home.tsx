/** The first page: the newest videos of all followed channels. */
import { Hono } from 'hono'
import { newestVideos } from '../../domain/videos/history.ts'
import { VideosQuery } from '../../schema/requests.ts'
import { HomePage } from '../../views/pages/home.tsx'
import { pathWith } from '../../views/parts/words.ts'
import type { Env } from '../middleware/context.ts'
import { pageOf } from '../middleware/render.tsx'
import { valid } from '../middleware/valid.ts'

export const homePages = new Hono<Env>().get('/', valid('query', VideosQuery), async c => {
  const { q, cursor, seen } = c.req.valid('query')
  // Old `/?q=` links.
  if (q) return c.redirect(pathWith('/search', { q }), 302)
  const page = pageOf(c)
  const news = await newestVideos(c.var.library, { cursor, seen, limit: 24 }, page.now)
  return c.html(<HomePage page={page} news={news} filter={{ seen, cursor }} />)
})
