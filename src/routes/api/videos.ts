/** The videos of all channels, and whether they were watched, as JSON. */
import { Hono } from 'hono'
import { markAllSeen, noteViewing } from '../../domain/videos/viewings.ts'
import { VideosQuery } from '../../schema/requests.ts'
import { Unfinished, Videos } from '../../schema/responses.ts'
import { Video } from '../../schema/video.ts'
import { SeenRequest, SeenResult, UnseenRequest, UnseenResult, ViewingRequest } from '../../schema/viewing.ts'
import type { Env } from '../middleware/context.ts'
import { describeRoute, validJson, validQuery } from './operation.ts'
import { serializedAnswer } from './serialized-answer.ts'

const most_unfinished = 50

export const videos = new Hono<Env>()
  .get(
    '/videos',
    describeRoute({
      summary: 'List the newest videos of all channels',
      responses: { 200: { description: 'One page, newest first', schema: Videos } },
    }),
    validQuery(VideosQuery),
    async c => serializedAnswer(c, await c.var.library.videos.list(c.req.valid('query'))),
  )

  .get(
    '/videos/unfinished',
    describeRoute({
      summary: 'List the videos on disk that you started and did not finish',
      responses: { 200: { description: 'The last played first, at most 50', schema: Unfinished } },
    }),
    async c => c.json({ entries: await c.var.library.viewings.unfinished(most_unfinished) }),
  )

  .post(
    '/videos/seen',
    describeRoute({
      summary: 'Mark all videos as watched that appeared before a time',
      responses: { 200: { description: 'How many were marked, and the time that undoes it', schema: SeenResult } },
      errors: [404],
    }),
    validJson(SeenRequest),
    async c => c.json(await markAllSeen(c.var.library, c.req.valid('json'), new Date())),
  )

  .post(
    '/videos/unseen',
    describeRoute({
      summary: 'Undo marking videos as watched',
      responses: { 200: { description: 'How many were marked as unwatched', schema: UnseenResult } },
    }),
    validJson(UnseenRequest),
    async c => c.json({ unmarked: await c.var.library.viewings.unmarkAll(c.req.valid('json').seen_at) }),
  )

  .put(
    '/videos/:video_id/viewing',
    describeRoute({
      summary: 'Save the playback position, or mark a video as watched or unwatched',
      description: 'A position near the end marks the video as watched.',
      responses: { 200: { description: 'The video', schema: Video } },
    }),
    validJson(ViewingRequest),
    async c => c.json(await noteViewing(c.var.library, c.req.param('video_id'), c.req.valid('json'))),
  )
