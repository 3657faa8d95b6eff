/**
 * The page of one video with what is said in it, playing a video that is not on disk, and marking videos as watched or noting a position.
 */
import { type Context, Hono } from 'hono'
import { type Config, isSharing } from '../../config/config.ts'
import { watchAgain, watchNow } from '../../domain/downloads/arriving.ts'
import { getVideo } from '../../domain/get.ts'
import { watchVideo } from '../../domain/videos/video-lists.ts'
import { startOf } from '../../domain/videos/watching-state.ts'
import { placeInList } from '../../domain/watching/play-list.ts'
import { markAllWatched, recordViewing } from '../../domain/watching/viewings.ts'
import { DomainError } from '../../errors.ts'
import { currentTime } from '../../runtime/clock.ts'
import type { Flash } from '../../schema/http/flash.ts'
import { nowPath, watchPath } from '../../schema/http/paths.ts'
import { countWords } from '../../schema/values/words.ts'
import type { Video } from '../../schema/videos/video.ts'
import { PositionForm, UnwatchedRequest, WatchedForm, WatchQuery } from '../../schema/watching/viewing.ts'
import type { Files } from '../../store/files.ts'
import { WatchedMark } from '../../views/videos/mark-buttons.tsx'
import { DismissedPartials } from '../../views/videos/unfinished.tsx'
import { canArrive } from '../../views/watching/player.tsx'
import { TranscriptLines, TranscriptPage } from '../../views/watching/transcript.tsx'
import { VideoMenuItems } from '../../views/watching/video-menu-items.tsx'
import { WatchPage } from '../../views/watching/watch-page.tsx'
import { acknowledge, back, changed, undoable } from '../http/answers.tsx'
import { type Env, isFragment } from '../http/context.ts'
import { pageOf } from '../http/page.ts'
import { pageBefore } from '../http/redirects.ts'
import { valid } from '../http/valid.ts'

export const watchPages = new Hono<Env>()
  .get('/watch/:video_id', valid('query', WatchQuery), async c => {
    const watched = await watchVideo(c.var.library, c.req.param('video_id'), c.var.bin_hours)
    const { t, list, now } = c.req.valid('query')
    const place = await placeInList(c.var.library, list, watched.video.video_id)
    const start = { at_seconds: startOf(watched.video, t), is_resumed: t === undefined, is_now: now, list: place?.list }
    return c.render(<WatchPage page={pageOf(c)} {...watched} place={place} start={start} />)
  })

  // Only htmx asks for it. Without a script the menu leads to the page of the video.
  .get('/videos/:video_id/menu', async c => {
    const video = await getVideo(c.var.library, c.req.param('video_id'))
    if (!isFragment(c)) return c.redirect(watchPath(video), 302)
    return c.render(<VideoMenuItems video={video} path={pageBefore(c.req.header('referer'), c.var.here, '')} />)
  })

  .post('/videos/seen', valid('form', WatchedForm), async c => {
    const { marked, seen_at } = await markAllWatched(c.var.library, c.req.valid('form'), currentTime())
    const text =
      marked === 0 ? 'Everything is already marked as watched.' : `${countWords(marked, 'video')} marked as watched.`
    const undo = { do: 'unsee_all', seen_at: seen_at.toISOString() } as const
    return back(c, '/', undoable(text, marked > 0 && undo))
  })

  .post('/videos/unseen', valid('form', UnwatchedRequest), async c => {
    const unmarked = await c.var.library.viewings.unmarkAll(c.req.valid('form').seen_at)
    return back(c, '/', `${countWords(unmarked, 'video')} marked as unwatched.`)
  })

  .post('/videos/:video_id/dismiss', async c => {
    const video_id = c.req.param('video_id')
    const video = await recordViewing(c.var.library, video_id, { dismissed: true })
    const flash: Flash = { kind: 'done', text: 'Removed from Continue watching.', undo: { do: 'offer', video_id } }
    return changed(c, { parts: () => <DismissedPartials video={video} />, flash, otherwise: '/' })
  })

  .post('/videos/:video_id/offer', async c => {
    await recordViewing(c.var.library, c.req.param('video_id'), { dismissed: false })
    return back(c, '/')
  })

  .post('/videos/:video_id/position', valid('form', PositionForm), async c => {
    const video = await recordViewing(c.var.library, c.req.param('video_id'), c.req.valid('form'))
    return isFragment(c) ? markOf(c, video) : c.body(null, 204)
  })

/** The player requests the mark, because reaching the end marks the video as watched. */
const markOf = (c: Context<Env>, video: Video) => c.render(<WatchedMark video={video} />)

/** The button that plays a video although it is not on disk. */
export const watchNowPages = (files: Files, config: Partial<Pick<Config, 'SHARE_FILES'>>) =>
  new Hono<Env>()
    .post('/videos/:video_id/watch', valid('query', WatchQuery.pick({ t: true, list: true })), async c => {
      const video = await watchNow(c.var.library, files, c.req.param('video_id'), isSharing(config))
      // From here on the page of the video plays it as soon as it can.
      return isFragment(c) ? c.body(null, 204) : c.redirect(nowPath(video, c.req.valid('query')), 303)
    })

    // From a player that waits.
    .post('/videos/:video_id/watch/again', c => acknowledge(c, watchAgain(c.var.library, c.req.param('video_id'))))

/** What is said in a video: the lines for the watch page, or a page of their own. */
export const transcriptPages = new Hono<Env>().get('/watch/:video_id/transcript', async c => {
  const video = await getVideo(c.var.library, c.req.param('video_id'))
  const transcript = await c.var.library.transcripts.find(video.video_id)
  if (!transcript) throw new DomainError('not_found', 'This video has no transcript.')
  const props = { video, transcript, can_play: video.download_status === 'completed' || canArrive(video) }
  return c.render(isFragment(c) ? <TranscriptLines {...props} /> : <TranscriptPage page={pageOf(c)} {...props} />)
})
