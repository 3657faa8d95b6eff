/** The entries of any feed, as JSON, saved or only shown. */
import { Hono } from 'hono'
import { showFeed } from '../../domain/channels/channels.ts'
import type { FeedFinder } from '../../domain/channels/discovery.ts'
import { FeedRequest, FeedShown } from '../../schema/channels/channel-api.ts'
import type { Env } from '../http/context.ts'
import { describeRoute, validJson } from '../http/operation.ts'
import { atField } from '../http/valid.ts'

export const feed = (findFeed: FeedFinder) =>
  new Hono<Env>().post(
    '/feed',
    describeRoute({
      summary: 'Fetch a feed; follow its channel unless `save` is false',
      responses: { 200: { description: 'The entries of the feed', schema: FeedShown } },
      errors: [409, 502, 504],
    }),
    validJson(FeedRequest),
    async c => {
      const { rss_url, save } = c.req.valid('json')
      return c.json(await atField('rss_url', showFeed(c.var.library, findFeed, rss_url, save)))
    },
  )
