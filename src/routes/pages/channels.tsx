/** The page of all followed channels, and following one more. */
import type { Context } from 'hono'
import { Hono } from 'hono'
import { listChannels } from '../../domain/channels/channel-list.ts'
import { trackChannel } from '../../domain/channels/channels.ts'
import { DomainError } from '../../errors.ts'
import type { FeedReader } from '../../feed/fetch/read.ts'
import { ChannelsQuery, TrackRequest } from '../../schema/api.ts'
import { ChannelsPage } from '../../views/pages/channels.tsx'
import { channelPath } from '../../views/parts/words.ts'
import type { Env } from '../middleware/context.ts'
import { setFlash } from '../middleware/flash.ts'
import { pageOf } from '../middleware/render.tsx'
import { valid } from '../middleware/valid.ts'
import { told } from './channel.tsx'

/** `findFeed` finds the feed behind any address. */
export const channels = (findFeed: FeedReader) =>
  new Hono<Env>()
    .get('/', valid('query', ChannelsQuery), async c => {
      const list = await listChannels(c.var.library, c.req.valid('query'))
      return c.html(<ChannelsPage page={pageOf(c)} list={list} values={{ url: '' }} errors={{}} />)
    })

    .post('/', valid('form', TrackRequest, addAgain), async c => {
      const { url } = c.req.valid('form')
      try {
        const { channel, created, turned } = await trackChannel(c.var.library, findFeed, url)
        const state = created ? 'now' : turned ? 'by this feed now' : 'already; it is up to date'
        setFlash(c, told(channel, `You follow ${channel.title} ${state}.`))
        return c.redirect(channelPath(channel), 303)
      } catch (fault) {
        if (!(fault instanceof DomainError)) throw fault
        const page = pageOf(c)
        const list = await listChannels(c.var.library)
        const errors = { url: fault.message }
        return c.html(<ChannelsPage page={page} list={list} values={{ url }} errors={errors} />, fault.status)
      }
    })

async function addAgain(c: Context<Env>, { fields }: { fields: Record<string, string> }): Promise<Response> {
  const list = await listChannels(c.var.library)
  return c.html(<ChannelsPage page={pageOf(c)} list={list} values={{ url: '' }} errors={fields} />, 422)
}
