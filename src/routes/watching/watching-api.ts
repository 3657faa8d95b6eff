/** What watching needs, as JSON: the marks of a video, what is said in it, and the parts that the player skips. */
import { Hono } from 'hono'
import { choosePlaysWhole, type FindSegments } from '../../domain/watching/segments.ts'
import { DomainError } from '../../errors.ts'
import { PlaysWhole, Segments } from '../../schema/sources/segment.ts'
import { Transcript } from '../../schema/sources/subtitles.ts'
import type { Env } from '../http/context.ts'
import { ok, operation, validJson } from '../http/operation.ts'

export const watchingApi = (findSegments: FindSegments) =>
  new Hono<Env>().route('/', transcriptApi).route('/', segmentsApi(findSegments))

const transcriptApi = new Hono<Env>().get(
  '/transcript/:video_id',
  operation('Read what is said in a video', ok(Transcript, 'All lines'), {
    description:
      'From the subtitles in the spoken language, else its automatic captions. It stays when the file is deleted, and goes with the video.',
    errors: [404],
  }),
  async c => {
    const transcript = await c.var.library.transcripts.find(c.req.param('video_id'))
    if (!transcript) throw new DomainError('not_found', 'This video has no transcript.')
    return c.json(transcript)
  },
)

const segmentsApi = (findSegments: FindSegments) =>
  new Hono<Env>()
    .get(
      '/segments/:video_id',
      operation('List the parts of a video that can be skipped', ok(Segments, 'The parts'), {
        description:
          'Of YouTube videos, as the users of SponsorBlock marked them (https://sponsor.ajay.app, CC BY-NC-SA 4.0). All kinds are listed, whatever your player skips.',
        errors: [404],
      }),
      async c => c.json({ segments: await findSegments(c.var.library, c.req.param('video_id')) }),
    )

    .put(
      '/channels/:channel_id/plays-whole',
      operation('Choose whether anything is skipped in the videos of a channel', ok(PlaysWhole, 'The choice'), {
        errors: [404],
      }),
      validJson(PlaysWhole),
      async c => {
        const { plays_whole } = c.req.valid('json')
        return c.json(await choosePlaysWhole(c.var.library, c.req.param('channel_id'), plays_whole))
      },
    )
