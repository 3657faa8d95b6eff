/** What stands behind an address, before anything is saved, as JSON. */
import { Hono } from 'hono'
import type { Discover } from '../../domain/channels/discovery.ts'
import { DiscoverQuery } from '../../schema/api.ts'
import type { Env } from '../middleware/context.ts'
import { refuseOtherSites } from '../middleware/same-origin.ts'
import { atField, valid } from '../middleware/valid.ts'

export const apiDiscover = (discover: Discover) =>
  new Hono<Env>().get('/', refuseOtherSites, valid('query', DiscoverQuery), async c => {
    const { found, tried } = await atField('url', discover(c.req.valid('query').url, c.var.library.user_id))
    return c.json({ found, tried })
  })
