/** The parts of a video that a person may want to skip, and the channels whose videos are played whole, as JSON. */
import { Hono } from 'hono'
import { choosePlaysWhole } from '../../domain/watching/plays-whole.ts'
import type { FindSegments } from '../../domain/watching/segments.ts'
import { PlaysWhole, Segments } from '../../schema/sources/segment.ts'
import type { Env } from '../http/context.ts'
import { describeRoute, validJson } from '../http/operation.ts'

export const segments = (findSegments: FindSegments) =>
  new Hono<Env>()
    .get(
      '/segments/:video_id',
      describeRoute({
        summary: 'List the parts of a video that can be skipped',
        description:
          'Of YouTube videos, as the users of SponsorBlock marked them (https://sponsor.ajay.app, CC BY-NC-SA 4.0). All kinds are listed, whatever your player skips.',
        responses: { 200: { description: 'The parts', schema: Segments } },
        errors: [404],
      }),
      async c => c.json({ segments: await findSegments(c.var.library, c.req.param('video_id')) }),
    )

    .put(
      '/channels/:channel_id/plays-whole',
      describeRoute({
        summary: 'Choose whether anything is skipped in the videos of a channel',
        responses: { 200: { description: 'The choice', schema: PlaysWhole } },
        errors: [404],
      }),
      validJson(PlaysWhole),
      async c => {
        const { plays_whole } = c.req.valid('json')
        return c.json(await choosePlaysWhole(c.var.library, c.req.param('channel_id'), plays_whole))
      },
    )
