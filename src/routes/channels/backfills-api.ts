/** Loading the older videos of a channel, as JSON. */
import { Hono } from 'hono'
import { beginBackfill, cancelBackfill, getBackfill } from '../../domain/channels/backfills.ts'
import { Backfill, type ShownBackfill } from '../../schema/channels/channel.ts'
import type { Env } from '../http/context.ts'
import { describeRoute } from '../http/operation.ts'

export const backfills = new Hono<Env>()
  .post(
    '/channels/:channel_id/backfill',
    describeRoute({
      summary: 'Load the older videos of a channel',
      description:
        'Reads the list of all videos of the channel in the background. While one is unfinished, the answer is that one.',
      responses: { 202: { description: 'Queued, or unfinished already', schema: Backfill } },
      errors: [409],
    }),
    async c => c.json(withoutNextAttempt(await beginBackfill(c.var.library, c.req.param('channel_id'))), 202),
  )

  .get(
    '/channels/:channel_id/backfill',
    describeRoute({
      summary: 'Read how far the loading of older videos is',
      responses: { 200: { description: 'With the state `never` if it was not requested yet', schema: Backfill } },
    }),
    async c => c.json(withoutNextAttempt(await getBackfill(c.var.library, c.req.param('channel_id')))),
  )

  .delete(
    '/channels/:channel_id/backfill',
    describeRoute({
      summary: 'Stop loading older videos',
      description: 'The videos that were loaded stay. Does nothing when none is unfinished.',
      responses: { 204: { description: 'Stopped', schema: null } },
    }),
    async c => {
      await cancelBackfill(c.var.library, c.req.param('channel_id'))
      return c.body(null, 204)
    },
  )

const withoutNextAttempt = ({ next_attempt_at: _, ...backfill }: ShownBackfill): Backfill => backfill
