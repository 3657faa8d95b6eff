/** The button that plays a video although it is not on disk. */
import { Hono } from 'hono'
import { type Config, isSharing } from '../../config.ts'
import { watchAgain, watchNow } from '../../domain/downloads/arriving.ts'
import { WatchQuery } from '../../schema/videos/viewing.ts'
import type { Files } from '../../store/files.ts'
import { watchPath } from '../../views/ui/paths.ts'
import { type Env, isFragment } from '../http/context.ts'
import { valid } from '../http/valid.ts'

export const watchNowPages = (files: Files, config: Partial<Pick<Config, 'SHARE_FILES'>>) =>
  new Hono<Env>()
    .post('/videos/:video_id/watch', valid('query', WatchQuery.pick({ t: true })), async c => {
      const video = await watchNow(c.var.library, files, c.req.param('video_id'), isSharing(config))
      // From here on the page of the video plays it as soon as it can.
      const { t } = c.req.valid('query')
      const at = t === undefined ? '' : `&t=${t}`
      return isFragment(c) ? c.body(null, 204) : c.redirect(`${watchPath(video)}?now${at}`, 303)
    })

    // From a player that waits.
    .post('/videos/:video_id/watch/again', async c => {
      await watchAgain(c.var.library, c.req.param('video_id'))
      return c.body(null, 204)
    })
