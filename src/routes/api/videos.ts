/** Everything one follows as JSON, and what of it was seen. */
import { Hono } from 'hono'
import { markAllSeen, noteViewing } from '../../domain/videos/viewings.ts'
import { HistoryQuery } from '../../schema/api.ts'
import { SeenRequest, UnseenRequest, ViewingRequest } from '../../schema/viewing.ts'
import type { Env } from '../middleware/context.ts'
import { jsonOnly, valid, validJson } from '../middleware/valid.ts'

/** Nobody goes on with more. */
const most_unfinished = 50

export const apiVideos = new Hono<Env>()
  .use(jsonOnly)

  .get('/', valid('query', HistoryQuery), async c => c.json(await c.var.library.videos.list(c.req.valid('query'))))

  .get('/unfinished', async c => c.json({ entries: await c.var.library.viewings.unfinished(most_unfinished) }))

  .post('/seen', validJson(SeenRequest), async c =>
    c.json(await markAllSeen(c.var.library, c.req.valid('json'), new Date())),
  )

  .post('/unseen', validJson(UnseenRequest), async c =>
    c.json({ unmarked: await c.var.library.viewings.unmarkAll(c.req.valid('json').seen_at) }),
  )

  .put('/:video_id/viewing', validJson(ViewingRequest), async c =>
    c.json(await noteViewing(c.var.library, c.req.param('video_id'), c.req.valid('json'))),
  )
