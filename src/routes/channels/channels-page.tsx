/** The page of all followed channels, or of those with single videos. Following is in `following-page.tsx`. */
import { Hono } from 'hono'
import { listChannels } from '../../domain/channels/channels.ts'
import type { BinLimits } from '../../schema/bin/bin.ts'
import { ChannelsQuery } from '../../schema/channels/channel-api.ts'
import type { Files } from '../../store/files.ts'
import { ChannelsPage, SingleVideosPage } from '../../views/channels/channels-page.tsx'
import type { Env } from '../http/context.ts'
import { pageOf } from '../http/page.ts'
import { valid } from '../http/valid.ts'
import { chosenChannels } from './channels-chosen-page.tsx'
import { followingPages } from './following-page.tsx'
import type { Searches } from './new-channel-page.tsx'

export const channelsPages = (searches: Searches, files: Files, bin: BinLimits) =>
  new Hono<Env>()
    .get('/', valid('query', ChannelsQuery), async c => {
      const { followed, select, ...wanted } = c.req.valid('query')
      const list = await listChannels(c.var.library, { ...wanted, followed: followed === undefined })
      const page = pageOf(c)
      if (followed !== undefined) return c.html(<SingleVideosPage page={page} list={list} />)
      const groups = select && list.followed > 0 ? await c.var.library.groups.list() : undefined
      return c.html(<ChannelsPage page={page} list={list} groups={groups} />)
    })

    // Must come before the routes that begin with the id of a channel.
    .route('/', chosenChannels(files, bin))
    .route('/', followingPages(searches, files, bin))
