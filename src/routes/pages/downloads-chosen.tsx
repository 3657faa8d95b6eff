/** What is done to several downloads at once, those with a tick or all of a kind. What it came to is told on the page before. */
import type { Context } from 'hono'
import { Hono } from 'hono'
import {
  cancelDownloads,
  filesAmong,
  removeFiles,
  requestDownloads,
  retryFailed,
} from '../../domain/downloads/downloads.ts'
import type { Files } from '../../domain/downloads/files.ts'
import { ChosenForm } from '../../schema/api.ts'
import { RemovePage } from '../../views/pages/downloads-chosen.tsx'
import { back } from '../middleware/answers.tsx'
import type { Env } from '../middleware/context.ts'
import { type Flash, setFlash } from '../middleware/flash.ts'
import { pageOf } from '../middleware/render.tsx'
import { valid } from '../middleware/valid.ts'

export const chosenDownloads = (files: Files) =>
  new Hono<Env>()
    .post('/retry', valid('form', ChosenForm), async c => {
      const { video_id, chosen } = c.req.valid('form')
      if (chosen && video_id.length === 0) return told(c, nothing_chosen)
      const { library } = c.var
      const results = video_id.length > 0 ? requestDownloads(library, files, video_id) : retryFailed(library, files)
      return told(c, { kind: 'done', text: askedWords(await results) })
    })

    .post('/cancel', valid('form', ChosenForm), async c => {
      const { video_id, all } = c.req.valid('form')
      if (!all && video_id.length === 0) return told(c, nothing_chosen)
      const results = await cancelDownloads(c.var.library, files, all ? { all } : { video_ids: video_id })
      return told(c, {
        kind: 'done',
        text: outcomeWords(results, 'cancelled', all === 'failed' ? 'dismissed' : 'cancelled'),
      })
    })

    .post('/remove', valid('form', ChosenForm), async c => {
      const { video_id, confirmed } = c.req.valid('form')
      if (!confirmed) {
        const there = await filesAmong(c.var.library, video_id)
        return there.video_ids.length === 0
          ? told(c, nothing_chosen)
          : c.html(<RemovePage page={pageOf(c)} {...there} />)
      }
      const results = await removeFiles(c.var.library, files, video_id)
      setFlash(c, { kind: 'done', text: outcomeWords(results, 'removed', 'deleted') })
      // The page before is the question.
      return c.redirect('/downloads', 303)
    })

const nothing_chosen: Flash = { kind: 'problem', text: 'Nothing is selected. Tick a box beside a video first.' }

function told(c: Context<Env>, flash: Flash): Response {
  setFlash(c, flash)
  return back(c, '/downloads')
}

export function askedWords(results: { result: string }[]): string {
  const queued = results.filter(({ result }) => result === 'queued').length
  if (queued === 0) return 'Nothing new to download.'
  return `${queued.toLocaleString('en')} ${queued === 1 ? 'video is' : 'videos are'} in line now.`
}

/** "3 cancelled. 1 had ended already." */
function outcomeWords(results: { result: string }[], wanted: string, word: string): string {
  const done = results.filter(({ result }) => result === wanted).length
  const late = results.length - done
  return [
    done > 0 && `${done.toLocaleString('en')} ${word}.`,
    late > 0 && `${late.toLocaleString('en')} had ended already.`,
    results.length === 0 && 'There was nothing left to do.',
  ]
    .filter(Boolean)
    .join(' ')
}
