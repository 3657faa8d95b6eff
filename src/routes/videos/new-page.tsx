/** The first page: the newest videos of all followed channels. */
import { Hono } from 'hono'
import { newestVideos, shownOnNew, wantedOf } from '../../domain/videos/history.ts'
import { NewPageQuery } from '../../schema/videos/video-api.ts'
import { pathWith } from '../../views/ui/paths.ts'
import { NewPage } from '../../views/videos/new-page.tsx'
import { type Env, isFragment } from '../http/context.ts'
import { timeZoneOf } from '../http/cookies.ts'
import { columnFor, pageOf } from '../http/page.ts'
import { fromAnotherSite } from '../http/same-origin.ts'
import { valid } from '../http/valid.ts'

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
    <NewPage
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
