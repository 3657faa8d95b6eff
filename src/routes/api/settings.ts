/** What somebody chose for all their downloads, and for those of one channel, as JSON. */
import { Hono } from 'hono'
import { chooseQuality } from '../../domain/downloads/qualities.ts'
import { ChannelQuality } from '../../schema/api.ts'
import { Settings } from '../../schema/quality.ts'
import type { Env } from '../middleware/context.ts'
import { jsonOnly, validJson } from '../middleware/valid.ts'

export const apiSettings = new Hono<Env>()
  .get('/settings', async c => c.json(await c.var.library.settings.get()))

  .put('/settings', jsonOnly, validJson(Settings), async c =>
    c.json(await c.var.library.settings.save(c.req.valid('json'))),
  )

  .put('/channels/:channel_id/quality', jsonOnly, validJson(ChannelQuality), async c =>
    c.json(await chooseQuality(c.var.library, c.req.param('channel_id'), c.req.valid('json').quality)),
  )
