/** The page of all followed channels, or of those with single videos. Following is in `following.tsx`. */
import { Hono } from 'hono'
import { listChannels } from '../../domain/channels/channel-list.ts'
import type { BinLimits } from '../../schema/bin.ts'
import { ChannelsQuery } from '../../schema/requests.ts'
import type { Files } from '../../store/files.ts'
import { ChannelsPage, SingleVideosPage } from '../../views/pages/channels.tsx'
import type { Env } from '../middleware/context.ts'
import { pageOf } from '../middleware/render.tsx'
import { valid } from '../middleware/valid.ts'
import { followingPages, type Searches } from './following.tsx'

export const channelsPages = (searches: Searches, files: Files, bin: BinLimits) =>
  new Hono<Env>()
    .get('/', valid('query', ChannelsQuery), async c => {
      const { followed, ...wanted } = c.req.valid('query')
      const list = await listChannels(c.var.library, { ...wanted, followed: followed === undefined })
      const page = pageOf(c)
      return c.html(
        followed === undefined ? (
          <ChannelsPage page={page} list={list} />
        ) : (
          <SingleVideosPage page={page} list={list} />
        ),
      )
    })

    .route('/', followingPages(searches, files, bin))
