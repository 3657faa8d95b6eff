/** The months in which a channel, or all channels together, have videos. */
import { type Context, Hono } from 'hono'
import { listMonths } from '../../domain/videos/history.ts'
import { MonthsQuery } from '../../schema/channels/channel-api.ts'
import type { VideoSort } from '../../schema/videos/video-api.ts'
import { channelPath } from '../../views/ui/paths.ts'
import { Months, MonthsPage } from '../../views/videos/months.tsx'
import { type Env, isFragment } from '../http/context.ts'
import { pageOf } from '../http/page.ts'
import { valid } from '../http/valid.ts'

export const monthPages = new Hono<Env>()
  .get('/months', valid('query', MonthsQuery), async c => {
    const { sort } = c.req.valid('query')
    return shown(c, { path: '/', sort, months: await listMonths(c.var.library) })
  })

  .get('/channels/:channel_id/months', valid('query', MonthsQuery), async c => {
    const channel_id = c.req.param('channel_id')
    const { sort } = c.req.valid('query')
    return shown(c, { path: channelPath({ channel_id }), sort, months: await listMonths(c.var.library, channel_id) })
  })

type Shown = { path: string; sort: VideoSort; months: Awaited<ReturnType<typeof listMonths>> }

const shown = (c: Context<Env>, props: Shown) =>
  c.html(isFragment(c) ? <Months {...props} /> : <MonthsPage page={pageOf(c)} {...props} />)
