/** What is said in a video: the lines for the watch page, or a page of their own. */
import { Hono } from 'hono'
import { getVideo } from '../../domain/get.ts'
import { DomainError } from '../../errors.ts'
import { canArrive } from '../../views/watching/player.tsx'
import { TranscriptLines, TranscriptPage } from '../../views/watching/transcript.tsx'
import { type Env, isFragment } from '../http/context.ts'
import { pageOf } from '../http/page.ts'

export const transcriptPages = new Hono<Env>().get('/watch/:video_id/transcript', async c => {
  const video = await getVideo(c.var.library, c.req.param('video_id'))
  const transcript = await c.var.library.transcripts.find(video.video_id)
  if (!transcript) throw new DomainError('not_found', 'This video has no transcript.')
  const props = { video, transcript, can_play: video.download_status === 'completed' || canArrive(video) }
  return c.html(isFragment(c) ? <TranscriptLines {...props} /> : <TranscriptPage page={pageOf(c)} {...props} />)
})
