/** The feeds behind an address, as JSON. Nothing is saved. */
import { Hono } from 'hono'
import type { Discover } from '../../domain/channels/discovery.ts'
import { findByName, type NameSearches } from '../../domain/channels/find-by-name.ts'
import { nameIn } from '../../feed/pages/given-address.ts'
import { DiscoverQuery } from '../../schema/channels/channel-api.ts'
import { Discovered } from '../../schema/sources/discovery.ts'
import type { Env } from '../http/context.ts'
import { describeRoute, validQuery } from '../http/operation.ts'
import { refuseOtherSites } from '../http/same-origin.ts'
import { atField } from '../http/valid.ts'

export const discoverFeeds = (discover: Discover, names: NameSearches) =>
  new Hono<Env>().get(
    '/discover',
    describeRoute({
      summary: 'Find the feeds behind any address; nothing is saved',
      description:
        'Requests the address and the feeds it links, so it takes as long as that site does. Words instead of an address are looked for as the name of a channel, on YouTube and on the PeerTube servers of the channels you follow. Needs a token with write access.',
      responses: { 200: { description: 'The feeds found, best first, and what failed', schema: Discovered } },
      errors: [403, 502, 504],
    }),
    refuseOtherSites,
    validQuery(DiscoverQuery),
    async c => {
      const name = nameIn(c.req.valid('query').url)
      if (name !== undefined) {
        const { channels, tried } = await findByName(c.var.library, names, name)
        return c.json({ found: channels.map(({ feed }) => feed), tried })
      }
      const { found, tried } = await atField('url', discover(c.req.valid('query').url, c.var.library.user_id))
      return c.json({ found, tried })
    },
  )
