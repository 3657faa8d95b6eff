/** The first page, with the newest videos of all followed channels, and the months in which there are videos. */
import { type Context, Hono } from 'hono'
import { listMonths, newestVideos, shownOnNew, wantedOf } from '../../domain/videos/video-lists.ts'
import { MonthsQuery } from '../../schema/channels/channel-api.ts'
import { channelPath, pathWith } from '../../schema/http/paths.ts'
import { NewPageQuery, type VideoSort } from '../../schema/videos/video-api.ts'
import { Months, MonthsPage } from '../../views/videos/months.tsx'
import { NewPage } from '../../views/videos/new-page.tsx'
import { type Env, isFragment } from '../http/context.ts'
import { timeZoneOf } from '../http/cookies.ts'
import { columnFor, pageOf, videos_of_page } from '../http/page.ts'
import { fromAnotherSite } from '../http/same-origin.ts'
import { valid } from '../http/valid.ts'

export const homePages = new Hono<Env>().get('/', valid('query', NewPageQuery), async c => {
  const query = c.req.valid('query')
  const { q, cursor, day, fresh } = query
  // Old `/?q=` links.
  if (q) return c.redirect(pathWith('/search', { q }), 302)
  const { library } = c.var
  const page = pageOf(c)
  const [groups, remembered] = await Promise.all([library.groups.names(), library.new_page.remembered()])
  const may_remember = !fromAnotherSite(c)
  const filter = await shownOnNew(library, query, { groups, remembered: remembered.filter, may_remember })
  const wanted = { ...wantedOf(filter), cursor, limit: videos_of_page }
  const [news, column] = await Promise.all([
    newestVideos(library, wanted, { last_look: remembered.look, now: page.now }),
    // The column knows whether the group is empty.
    columnFor(c, filter.group !== undefined),
  ])
  // A reader who opens a further page alone sees its day.
  const above = isFragment(c) ? { day, is_new: fresh !== undefined } : undefined
  const time_zone = timeZoneOf(c)
  return c.render(
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

/** The months in which a channel, or all channels together, have videos. */
export const monthPages = new Hono<Env>()
  .get('/months', valid('query', MonthsQuery), async c => {
    const { sort } = c.req.valid('query')
    return monthsPage(c, { path: '/', sort, months: await listMonths(c.var.library) })
  })

  .get('/channels/:channel_id/months', valid('query', MonthsQuery), async c => {
    const channel_id = c.req.param('channel_id')
    const { sort } = c.req.valid('query')
    return monthsPage(c, {
      path: channelPath({ channel_id }),
      sort,
      months: await listMonths(c.var.library, channel_id),
    })
  })

type MonthList = { path: string; sort: VideoSort; months: Awaited<ReturnType<typeof listMonths>> }

const monthsPage = (c: Context<Env>, props: MonthList) =>
  c.render(isFragment(c) ? <Months {...props} /> : <MonthsPage page={pageOf(c)} {...props} />)
