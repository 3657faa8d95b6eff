/** Buttons that pause and resume downloads, or put one before the others. */

import { type Context, Hono } from 'hono'
import {
  downloadNext,
  pauseDownload,
  pauseDownloads,
  resumeDownload,
  resumeDownloads,
  trySite,
} from '../../domain/downloads/downloads.ts'
import { PauseForm, type PauseRequest, type ProbeResult, TryRequest } from '../../schema/downloads/download-api.ts'
import type { Flash } from '../../schema/http/flash.ts'
import { countWords } from '../../schema/values/words.ts'
import { back, setFlash } from '../http/answers.tsx'
import type { Env } from '../http/context.ts'
import { valid } from '../http/valid.ts'
import { cellChanged } from './cell-changed.tsx'

export const pausedDownloads = new Hono<Env>()
  .post('/pause', valid('form', PauseForm), async c => {
    const which = chosenIn(c.req.valid('form'))
    if (!which) return goBack(c, 'problem', 'Select at least one video.')
    const paused = await pauseDownloads(c.var.library, which)
    return goBack(c, 'done', paused === undefined ? 'Paused.' : `${countWords(paused, 'download')} paused.`)
  })

  .post('/resume', valid('form', PauseForm), async c => {
    const which = chosenIn(c.req.valid('form'))
    if (!which) return goBack(c, 'problem', 'Select at least one video.')
    const resumed = await resumeDownloads(c.var.library, which)
    return goBack(c, 'done', resumed === undefined ? 'Resumed.' : `${countWords(resumed, 'download')} resumed.`)
  })

  .post('/try', valid('form', TryRequest), async c => {
    const { host } = c.req.valid('form')
    const result = await trySite(c.var.library, host)
    return goBack(c, result === 'just_tried' ? 'problem' : 'done', tried_words[result](host))
  })

  .post('/:video_id/pause', async c => cellChanged(c, await pauseDownload(c.var.library, c.req.param('video_id'))))
  .post('/:video_id/resume', async c => {
    const download = await resumeDownload(c.var.library, c.req.param('video_id'))
    return cellChanged(c, download, download.paused_at ? still_paused : undefined)
  })

  .post('/:video_id/next', async c => {
    const download = await downloadNext(c.var.library, c.req.param('video_id'))
    if (download.paused_at) return cellChanged(c, download, still_paused)
    return cellChanged(c, download, download.queued ? { kind: 'done', text: 'This is your next download.' } : undefined)
  })

const still_paused: Flash = {
  kind: 'problem',
  text: 'Its site or all downloads are paused. Resume them at the top of Downloads.',
}

const tried_words: Record<ProbeResult, (host: string) => string> = {
  trying: host => `Trying one download from ${host}.`,
  just_tried: host => `${host} was tried less than a minute ago. Try again in a minute.`,
  nothing_waits: host => `Nothing from ${host} is queued.`,
}

function chosenIn({ all, host, video_id }: PauseForm): PauseRequest | undefined {
  if (all) return { all: true }
  if (host) return { host }
  return video_id.length > 0 ? { video_ids: video_id } : undefined
}

function goBack(c: Context<Env>, kind: 'done' | 'problem', text: string): Response {
  setFlash(c, { kind, text })
  return back(c, '/downloads')
}
