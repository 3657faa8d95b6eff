/** The page of the history: what was watched, and removing one video of it or all. */
import { Hono } from 'hono'
import { forgetWatched } from '../../domain/watching/viewings.ts'
import { history_path } from '../../schema/http/paths.ts'
import { TakeOutForm } from '../../schema/watching/playlist.ts'
import { ForgottenForm, HistoryPageQuery } from '../../schema/watching/watch-history.ts'
import { HistoryPage } from '../../views/watching/history-page.tsx'
import { RowGone } from '../../views/watching/own-row.tsx'
import { back, changed, undoable } from '../http/answers.tsx'
import { type Env, isFragment } from '../http/context.ts'
import { timeZoneOf } from '../http/cookies.ts'
import { columnFor, pageOf } from '../http/page.ts'
import { valid } from '../http/valid.ts'

export const historyPages = new Hono<Env>()
  .get('/history', valid('query', HistoryPageQuery), async c => {
    const { q = '', cursor, day } = c.req.valid('query')
    const [watched, column] = await Promise.all([c.var.library.watched.list({ q, cursor, limit: 40 }), columnFor(c)])
    // A reader who opens a further page alone sees its day.
    const day_above = isFragment(c) ? day : undefined
    const shown = { watched, q, column, time_zone: timeZoneOf(c), day_above }
    return c.render(<HistoryPage page={pageOf(c)} {...shown} />)
  })

  .post('/history/remove', valid('form', TakeOutForm), async c => {
    const { video_id } = c.req.valid('form')
    const flash = removed('Removed from your history.', await forgetWatched(c.var.library, video_id))
    return changed(c, { parts: () => <RowGone video_id={video_id} />, flash, otherwise: history_path })
  })

  .post('/history/clear', async c => {
    const forgotten_at = await c.var.library.watched.forget()
    const text = forgotten_at ? 'History cleared. Videos stay marked as watched.' : 'Your history is empty already.'
    return back(c, history_path, removed(text, forgotten_at))
  })

  .post('/history/restore', valid('form', ForgottenForm), async c => {
    await c.var.library.watched.restore(c.req.valid('form').forgotten_at)
    return back(c, history_path, 'Restored.')
  })

/** `forgotten_at`: absent: nothing was removed. */
const removed = (text: string, forgotten_at: string | undefined) =>
  undoable(text, forgotten_at !== undefined && { do: 'restore_history', forgotten_at })
