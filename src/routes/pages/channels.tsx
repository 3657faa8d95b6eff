/** The page of all followed channels, or of those with single videos, and following one more. */
import { type Context, Hono } from 'hono'
import { beginBackfill } from '../../domain/backfills/backfills.ts'
import { listChannels } from '../../domain/channels/channel-list.ts'
import { type FollowedChannel, followChannel } from '../../domain/channels/channels.ts'
import type { FeedFinder } from '../../domain/channels/discovery.ts'
import { DomainError } from '../../errors.ts'
import { ChannelsQuery, FollowForm } from '../../schema/requests.ts'
import { ChannelsPage, SingleVideosPage } from '../../views/pages/channels.tsx'
import { channelPath } from '../../views/parts/words.ts'
import type { Env } from '../middleware/context.ts'
import { setFlash } from '../middleware/flash.ts'
import { errorsAt, formPage, orRefusal } from '../middleware/refused.ts'
import { pageOf } from '../middleware/render.tsx'
import { valid } from '../middleware/valid.ts'
import { withWarning } from './channel.tsx'

/** `findFeed` finds the feed behind any address. */
export const channelsPages = (findFeed: FeedFinder) =>
  new Hono<Env>()
    .get('/', valid('query', ChannelsQuery), async c => {
      const { followed, ...wanted } = c.req.valid('query')
      const list = await listChannels(c.var.library, { ...wanted, followed: followed === undefined })
      const page = pageOf(c)
      return c.html(
        followed === undefined ? (
          <ChannelsPage page={page} list={list} values={{ url: '' }} errors={{}} />
        ) : (
          <SingleVideosPage page={page} list={list} />
        ),
      )
    })

    .post(
      '/',
      valid('form', FollowForm, (c, refusal) => addAgain(c, refusal, '')),
      async c => {
        const { url, load_older } = c.req.valid('form')
        const followed = await orRefusal(followChannel(c.var.library, findFeed, url))
        if (followed instanceof DomainError) return addAgain(c, followed, url)
        if (load_older) await beginBackfill(c.var.library, followed.channel.channel_id)
        setFlash(c, withWarning(followed.channel, followedWords(followed)))
        return c.redirect(channelPath(followed.channel), 303)
      },
    )

async function addAgain(c: Context<Env>, refusal: DomainError, url: string): Promise<Response> {
  const list = await listChannels(c.var.library)
  const errors = errorsAt('url', refusal)
  return formPage(c, <ChannelsPage page={pageOf(c)} list={list} values={{ url }} errors={errors} />, refusal)
}

const followedWords = ({ channel: { title }, created, switched }: FollowedChannel): string => {
  if (created) return `Following ${title}.`
  return switched ? `Following ${title} by this feed now.` : `You already follow ${title}. It is up to date.`
}
