/** The marks Watched, Watch later and Hide, of one video and of several selected ones. */
import { type Context, Hono } from 'hono'
import type { Library } from '../../db/library.ts'
import type { ViewingChange } from '../../db/watching/viewings.ts'
import { putOnList, recordViewing, takeBack, takeOffList } from '../../domain/watching/viewings.ts'
import { currentTime } from '../../runtime/clock.ts'
import type { Flash, Undo } from '../../schema/http/flash.ts'
import { countWords } from '../../schema/values/words.ts'
import { Video } from '../../schema/videos/video.ts'
import { ChosenVideos, type MarkedList, UnmarkForm } from '../../schema/watching/viewing.ts'
import { MarksPartials } from '../../views/videos/mark-buttons.tsx'
import { back, changed, nothing_selected, type Said, undoable } from '../http/answers.tsx'
import type { Env } from '../http/context.ts'
import { ok, operation } from '../http/operation.ts'
import { valid } from '../http/valid.ts'

const marked_video = ok(Video, 'The video')

export const marksApi = new Hono<Env>()
  .put(
    '/videos/:video_id/later',
    operation('Put a video on Watch later', marked_video, {
      description: 'It leaves the list when it is watched to the end, or dismissed.',
    }),
    async c => c.json(await recordViewing(c.var.library, c.req.param('video_id'), { later: true })),
  )

  .delete('/videos/:video_id/later', operation('Take a video off Watch later', marked_video), async c =>
    c.json(await recordViewing(c.var.library, c.req.param('video_id'), { later: false })),
  )

  .put(
    '/videos/:video_id/dismissed',
    operation('Hide a video', marked_video, {
      description: 'New no longer shows it, no rule downloads it, and it leaves Watch later.',
    }),
    async c => c.json(await recordViewing(c.var.library, c.req.param('video_id'), { not_for_me: true })),
  )

  .delete('/videos/:video_id/dismissed', operation('Show a hidden video again', marked_video), async c =>
    c.json(await recordViewing(c.var.library, c.req.param('video_id'), { not_for_me: false })),
  )

export const markPages = new Hono<Env>()
  .post('/videos/chosen', valid('form', ChosenVideos), async c => {
    const chosen = c.req.valid('form')
    return back(c, '/', chosen.video_id.length === 0 ? nothing_selected : await done(c.var.library, chosen))
  })

  .post('/videos/later/remove', valid('form', UnmarkForm), async c => unmarkAll(c, 'later', c.req.valid('form')))
  .post('/videos/dismissed/remove', valid('form', UnmarkForm), async c =>
    unmarkAll(c, 'dismissed', c.req.valid('form')),
  )

  .post('/videos/:video_id/later', c => mark(c, { later: true }, 'not_later', 'Added to Watch later.'))
  .post('/videos/:video_id/later/remove', c => mark(c, { later: false }, 'later', 'Removed from Watch later.'))
  .post('/videos/:video_id/dismissed', c => mark(c, { not_for_me: true }, 'undismiss', 'Hidden.'))
  .post('/videos/:video_id/dismissed/remove', c =>
    mark(c, { not_for_me: false }, 'dismiss', ({ later_at }) =>
      later_at ? 'Shown again, on Watch later.' : 'Shown again.',
    ),
  )
  .post('/videos/:video_id/seen', c => mark(c, { seen: true }, 'unsee', 'Marked as watched.'))
  .post('/videos/:video_id/unseen', c => mark(c, { seen: false }, 'see', 'Marked as unwatched.'))

type UndoMark = 'see' | 'unsee' | 'later' | 'not_later' | 'dismiss' | 'undismiss'

/** Changes a mark of the video that the path names. `undo`: what brings the mark back. */
async function mark(
  c: Context<Env>,
  viewing: ViewingChange,
  undo: UndoMark,
  text: string | ((video: Video) => string),
): Promise<Response> {
  const video_id = c.req.param('video_id') ?? ''
  const video = await recordViewing(c.var.library, video_id, viewing)
  const flash = undoable(typeof text === 'string' ? text : text(video), { do: undo, video_id })
  return changed(c, { parts: () => <MarksPartials video={video} />, flash, otherwise: '/' })
}

async function unmarkAll(c: Context<Env>, list: MarkedList, { marked_at }: { marked_at: Date }): Promise<Response> {
  const count = await takeBack(c.var.library, list, marked_at)
  return back(c, '/', `${countWords(count, 'video')} ${taken_back[list]}.`)
}

const taken_back: Record<MarkedList | 'seen', string> = {
  seen: 'marked as unwatched',
  later: 'removed from Watch later',
  dismissed: 'shown again',
}
const marked: Record<MarkedList | 'seen', string> = {
  seen: 'marked as watched',
  later: 'added to Watch later',
  dismissed: 'hidden',
}
const already = { ...marked, later: 'on Watch later' }
const taken_back_already: Record<MarkedList | 'seen', string> = {
  seen: 'unwatched',
  later: 'off Watch later',
  dismissed: 'shown in New',
}
const nothing_changed = (how: string): Flash => ({ kind: 'problem', text: `What you selected is ${how} already.` })

async function done(library: Library, { act, video_id }: ChosenVideos): Promise<Said> {
  switch (act) {
    case 'seen':
    case 'later':
    case 'dismissed': {
      const now = currentTime()
      const count = await putOnList(library, act, video_id, now)
      const undo: Undo =
        act === 'seen'
          ? { do: 'unsee_all', seen_at: now.toISOString() }
          : { do: 'unmark_all', list: act, marked_at: now.toISOString() }
      return count === 0
        ? nothing_changed(already[act])
        : { kind: 'done', text: `${countWords(count, 'video')} ${marked[act]}.`, undo }
    }
    case 'unseen':
    case 'not_later':
    case 'not_dismissed': {
      const list = unmarked[act]
      const count = await takeOffList(library, list, video_id)
      return count === 0
        ? nothing_changed(taken_back_already[list])
        : `${countWords(count, 'video')} ${taken_back[list]}.`
    }
  }
}

const unmarked = { unseen: 'seen', not_later: 'later', not_dismissed: 'dismissed' } as const
