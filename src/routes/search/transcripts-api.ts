/** What is said in a video, as JSON. */
import { Hono } from 'hono'
import { DomainError } from '../../errors.ts'
import { Transcript } from '../../schema/sources/subtitles.ts'
import type { Env } from '../http/context.ts'
import { describeRoute } from '../http/operation.ts'

export const transcripts = new Hono<Env>().get(
  '/transcript/:video_id',
  describeRoute({
    summary: 'Read what is said in a video',
    description:
      'From the subtitles in the spoken language, else its automatic captions. It stays when the file is deleted, and goes with the video.',
    responses: { 200: { description: 'All lines', schema: Transcript } },
    errors: [404],
  }),
  async c => {
    const transcript = await c.var.library.transcripts.find(c.req.param('video_id'))
    if (!transcript) throw new DomainError('not_found', 'This video has no transcript.')
    return c.json(transcript)
  },
)
