/** The first page: the newest videos of all followed channels. */
import { Hono } from 'hono'
import { newestVideos } from '../../domain/videos/history.ts'
import { shownOnNew, wantedOf } from '../../domain/videos/new-filter.ts'
import { NewPageQuery } from '../../schema/new-page.ts'
import { HomePage } from '../../views/pages/home.tsx'
import { pathWith } from '../../views/parts/paths.ts'
import { columnFor } from '../middleware/column.ts'
import { type Env, isFragment } from '../middleware/context.ts'
import { pageOf } from '../middleware/render.tsx'
import { fromAnotherSite } from '../middleware/same-origin.ts'
import { timeZoneOf } from '../middleware/time-zone.ts'
import { valid } from '../middleware/valid.ts'

export const homePages = new Hono<Env>().get('/', valid('query', NewPageQuery), async c => {
  const query = c.req.valid('query')
  const { q, cursor, day, fresh } = query
  // Old `/?q=` links.
  if (q) return c.redirect(pathWith('/search', { q }), 302)
  const { library } = c.var
  const page = pageOf(c)
  const groups = await library.groups.names()
  const filter = await shownOnNew(library, query, { groups, may_remember: !fromAnotherSite(c) })
  const wanted = { ...wantedOf(filter), cursor, limit: 24 }
  const [news, column] = await Promise.all([newestVideos(library, wanted, page.now), columnFor(c)])
  // A reader who opens a further page alone sees its day.
  const above = isFragment(c) ? { day, is_new: fresh !== undefined } : undefined
  const time_zone = timeZoneOf(c)
  return c.html(
    <HomePage
      page={page}
      news={news}
      filter={filter}
      groups={groups}
      time_zone={time_zone}
      column={column}
      above={above}
    />,
  )
})
