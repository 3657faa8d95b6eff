/** The videos of one channel, as JSON. The videos of all channels are in `videos-api.ts`. */
import { Hono } from 'hono'
import { channelHistory } from '../../domain/channels/channel-history.ts'
import { History, VideosQuery } from '../../schema/videos/video-api.ts'
import type { Env } from '../http/context.ts'
import { describeRoute, validQuery } from '../http/operation.ts'
import { serializedAnswer } from '../http/serialized-answer.ts'

export const history = new Hono<Env>().get(
  '/history/:channel_id',
  describeRoute({
    summary: 'List every video that ever appeared in a channel, newest first',
    responses: { 200: { description: 'One page', schema: History } },
  }),
  validQuery(VideosQuery),
  async c => serializedAnswer(c, await channelHistory(c.var.library, c.req.param('channel_id'), c.req.valid('query'))),
)
