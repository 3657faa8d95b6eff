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
  const { q, cursor } = c.req.valid('query')
  // Search had its place here once.
  if (q) return c.redirect(pathWith('/search', { q }), 302)
  const { videos, followed } = await newestVideos(c.var.library, { cursor, limit: 24 })
  return c.html(<HomePage page={pageOf(c)} videos={videos} q="" followed={followed} />)
})
