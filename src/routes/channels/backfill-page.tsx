/** Loading the older videos of a channel: the buttons, and how far it is. The channel's own page shows both. */
import { Hono } from 'hono'
import { beginBackfill, cancelBackfill, getBackfill } from '../../domain/channels/backfills.ts'
import { getChannel } from '../../domain/get.ts'
import { BackfillChanged } from '../../views/channels/freshness.tsx'
import { channelPath } from '../../views/ui/paths.ts'
import { type Env, isFragment } from '../http/context.ts'

export const backfillPages = new Hono<Env>()
  .get('/:channel_id/backfill', async c => {
    const channel = await getChannel(c.var.library, c.req.param('channel_id'))
    if (!isFragment(c)) return c.redirect(channelPath(channel), 303)
    const backfill = await getBackfill(c.var.library, channel.channel_id)
    return c.html(<BackfillChanged channel={channel} backfill={backfill} now={new Date()} />)
  })

  .post('/:channel_id/backfill', async c => {
    const channel_id = c.req.param('channel_id')
    await beginBackfill(c.var.library, channel_id)
    return c.redirect(channelPath({ channel_id }), 303)
  })

  .post('/:channel_id/backfill/cancel', async c => {
    const channel_id = c.req.param('channel_id')
    await cancelBackfill(c.var.library, channel_id)
    return c.redirect(channelPath({ channel_id }), 303)
  })
