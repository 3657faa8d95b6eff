/** Watch later and "Not for me", as JSON. */
import { Hono } from 'hono'
import { noteViewing } from '../../domain/watching/viewings.ts'
import { Video } from '../../schema/videos/video.ts'
import type { Env } from '../http/context.ts'
import { describeRoute } from '../http/operation.ts'

const responses = { 200: { description: 'The video', schema: Video } }

export const marks = new Hono<Env>()
  .put(
    '/videos/:video_id/later',
    describeRoute({
      summary: 'Put a video on Watch later',
      description: 'It leaves the list when it is watched to the end, or dismissed.',
      responses,
    }),
    async c => c.json(await noteViewing(c.var.library, c.req.param('video_id'), { later: true })),
  )

  .delete('/videos/:video_id/later', describeRoute({ summary: 'Take a video off Watch later', responses }), async c =>
    c.json(await noteViewing(c.var.library, c.req.param('video_id'), { later: false })),
  )

  .put(
    '/videos/:video_id/dismissed',
    describeRoute({
      summary: 'Dismiss a video as "Not for me"',
      description: 'New no longer shows it, no rule downloads it, and it leaves Watch later.',
      responses,
    }),
    async c => c.json(await noteViewing(c.var.library, c.req.param('video_id'), { not_for_me: true })),
  )

  .delete(
    '/videos/:video_id/dismissed',
    describeRoute({ summary: 'Bring a dismissed video back', responses }),
    async c => c.json(await noteViewing(c.var.library, c.req.param('video_id'), { not_for_me: false })),
  )
