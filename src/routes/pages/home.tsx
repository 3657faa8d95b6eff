/** The first page: the newest videos of all followed channels. */
import { Hono } from 'hono'
import { newestVideos } from '../../domain/videos/history.ts'
import { NewPageQuery } from '../../schema/new-page.ts'
import { HomePage } from '../../views/pages/home.tsx'
import { pathWith } from '../../views/parts/words.ts'
import { type Env, isFragment } from '../middleware/context.ts'
import { pageOf } from '../middleware/render.tsx'
import { timeZoneOf } from '../middleware/time-zone.ts'
import { valid } from '../middleware/valid.ts'
import { monthPages } from './months.tsx'

export const homePages = new Hono<Env>().route('/', monthPages).get('/', valid('query', NewPageQuery), async c => {
  const { q, cursor, seen, month, on_disk, later, dismissed, select, day, fresh } = c.req.valid('query')
  // Old `/?q=` links.
  if (q) return c.redirect(pathWith('/search', { q }), 302)
  const page = pageOf(c)
  const marks = { seen, later: later && true, dismissed: dismissed !== undefined }
  const filter = { cursor, month, ...marks, status: on_disk && ('completed' as const), limit: 24 }
  const news = await newestVideos(c.var.library, filter, page.now)
  // A reader who opens a further page alone sees its day.
  const above = isFragment(c) ? { day, is_new: fresh !== undefined } : undefined
  return c.html(
    <HomePage
      page={page}
      news={news}
      filter={{ seen, on_disk, later, dismissed, month, select }}
      time_zone={timeZoneOf(c)}
      above={above}
    />,
  )
})
