/** What is behind an address, as JSON: the feeds there, or the entries of one feed. */
import { Hono } from 'hono'
import { showFeed } from '../../domain/channels/channels.ts'
import { bestOf, type Discover } from '../../domain/channels/discovery.ts'
import { findByName, type NameSearches } from '../../domain/channels/find-by-name.ts'
import { nameIn } from '../../feed/pages/given-address.ts'
import { DiscoverQuery, FeedRequest, FeedShown } from '../../schema/channels/channel-api.ts'
import { Discovered } from '../../schema/sources/discovery.ts'
import type { Env } from '../http/context.ts'
import { ok, operation, validJson, validQuery } from '../http/operation.ts'
import { refuseOtherSites } from '../http/same-origin.ts'
import { atField } from '../http/valid.ts'

export const feedsApi = (discover: Discover, names: NameSearches) =>
  new Hono<Env>()
    .get(
      '/discover',
      operation(
        'Find the feeds behind any address; nothing is saved',
        ok(Discovered, 'The feeds found, best first, and what failed'),
        {
          description:
            'Requests the address and the feeds it links, so it takes as long as that site does. Words instead of an address are looked for as the name of a channel, on YouTube and on the PeerTube servers of the channels you follow. Needs a token with write access.',
          errors: [403, 502, 504],
        },
      ),
      refuseOtherSites,
      validQuery(DiscoverQuery),
      async c => {
        const { url } = c.req.valid('query')
        const name = nameIn(url)
        if (name !== undefined) {
          const { channels, tried } = await findByName(c.var.library, names, name)
          return c.json({ found: channels.map(({ feed }) => feed), tried })
        }
        const { found, tried } = await atField('url', discover(url, c.var.library.user_id))
        return c.json({ found, tried })
      },
    )

    .post(
      '/feed',
      operation('Fetch a feed; follow its channel unless `save` is false', ok(FeedShown, 'The entries of the feed'), {
        errors: [409, 502, 504],
      }),
      validJson(FeedRequest),
      async c => {
        const { rss_url, save } = c.req.valid('json')
        return c.json(await atField('rss_url', showFeed(c.var.library, bestOf(discover), rss_url, save)))
      },
    )
