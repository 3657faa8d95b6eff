/** The page of one channel, refreshing it, and unfollowing it. */
import { Hono } from 'hono'
import { refreshChannel, untrackChannel } from '../../domain/channels/channels.ts'
import type { Files } from '../../domain/downloads/files.ts'
import { channelHistory } from '../../domain/videos/history.ts'
import { DomainError } from '../../errors.ts'
import type { FeedReader } from '../../feed/fetch/read.ts'
import { HistoryQuery } from '../../schema/api.ts'
import type { Channel } from '../../schema/channel.ts'
import type { Saved } from '../../schema/feed.ts'
import type { Flash } from '../../schema/flash.ts'
import { ChannelPage } from '../../views/pages/channel.tsx'
import { channelPath } from '../../views/parts/words.ts'
import type { Env } from '../middleware/context.ts'
import { setFlash } from '../middleware/flash.ts'
import { pageOf } from '../middleware/render.tsx'
import { valid } from '../middleware/valid.ts'

/** `readFeed` reads the feed at its own address. */
export const channel = (readFeed: FeedReader, files: Files) =>
  new Hono<Env>()
    .get('/:channel_id', valid('query', HistoryQuery), async c => {
      const filter = { ...c.req.valid('query'), limit: rows_of_page }
      const { channel, history, counts } = await channelHistory(c.var.library, c.req.param('channel_id'), filter)
      const shown = { status: filter.status, seen: filter.seen, q: filter.q ?? '' }
      const page = pageOf(c)
      return c.html(<ChannelPage page={page} channel={channel} history={history} filter={shown} counts={counts} />)
    })

    .post('/:channel_id/refresh', async c => {
      const channel_id = c.req.param('channel_id')
      try {
        const { channel, saved } = await refreshChannel(c.var.library, readFeed, channel_id)
        setFlash(c, told(channel, refreshed(saved)))
      } catch (fault) {
        if (!(fault instanceof DomainError) || fault.code === 'not_found' || fault.code === 'too_many') throw fault
        setFlash(c, { kind: 'problem', text: fault.message })
      }
      return c.redirect(channelPath({ channel_id }), 303)
    })

    .post('/:channel_id/delete', async c => {
      await untrackChannel(c.var.library, files, c.req.param('channel_id'))
      setFlash(c, { kind: 'done', text: 'You no longer follow this channel.' })
      return c.redirect('/channels', 303)
    })

/** So that no page is heavier than 100 kB, whatever stands in its rows. */
const rows_of_page = 40

/** What was done, and what is wrong with the feed all the same. */
export const told = ({ feed_warning }: Channel, text: string): Flash =>
  feed_warning === null ? { kind: 'done', text } : { kind: 'problem', text: `${text} ${feed_warning}` }

const refreshed = ({ inserted, updated }: Saved) =>
  inserted > 0
    ? `${inserted} new ${inserted === 1 ? 'video' : 'videos'}.`
    : updated > 0
      ? `No new videos; ${updated} changed.`
      : 'Nothing new.'
