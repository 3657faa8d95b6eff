/** Watching one video. */
import { Hono } from 'hono'
import { watchVideo } from '../domain/history.ts'
import { WatchPage } from '../views/videos.tsx'
import type { Env } from './context.ts'
import { pageOf } from './render.tsx'

export const videos = new Hono<Env>().get('/watch/:video_id', async c => {
  const { video, more } = await watchVideo(c.var.library, c.req.param('video_id'))
  return c.html(<WatchPage page={pageOf(c)} video={video} more={more} />)
})
