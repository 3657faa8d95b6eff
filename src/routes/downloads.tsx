/** The downloads page, and the buttons that stand under every video. */
import type { Context } from 'hono'
import { Hono } from 'hono'
import { dropDownload, getDownload, pinDownload, requestDownload, requestDownloads } from '../domain/downloads.ts'
import type { Files } from '../domain/files.ts'
import { downloadsOverview } from '../domain/shelves.ts'
import { ShelfQuery, StatusQuery } from '../schema/api.ts'
import type { Download } from '../schema/download.ts'
import { DownloadChanged, DownloadsPage } from '../views/downloads.tsx'
import { FlashPartial } from '../views/undo.tsx'
import { type Env, isFragment } from './context.ts'
import { askedWords, back, chosenDownloads } from './downloads-chosen.tsx'
import { type Flash, setFlash } from './flash.ts'
import { pageOf } from './render.tsx'
import { valid } from './valid.ts'

/** `quota_bytes`: what the files of one person may take; `null`: as much as the disk has. */
export const downloads = (files: Files, quota_bytes: number | null) =>
  new Hono<Env>()
    .get('/', valid('query', ShelfQuery), async c => {
      const overview = await downloadsOverview(c.var.library, c.req.valid('query'), quota_bytes)
      return c.html(<DownloadsPage page={pageOf(c)} overview={overview} />)
    })

    .post('/', valid('form', StatusQuery), async c => {
      const results = await requestDownloads(c.var.library, files, c.req.valid('form').video_id)
      setFlash(c, { kind: 'done', text: askedWords(results) })
      return back(c)
    })

    .route('/', chosenDownloads(files))

    .post('/:video_id', async c => {
      const { download } = await requestDownload(c.var.library, files, c.req.param('video_id'))
      return changed(c, download)
    })

    .post('/:video_id/pin', async c => changed(c, await pinDownload(c.var.library, c.req.param('video_id'), true)))

    .post('/:video_id/unpin', async c => changed(c, await pinDownload(c.var.library, c.req.param('video_id'), false)))

    .post('/:video_id/remove', async c => {
      const video_id = c.req.param('video_id')
      const before = await getDownload(c.var.library, video_id)
      const download = await dropDownload(c.var.library, files, video_id)
      const is_cancelled = before.queued && !download.queued
      return changed(c, download, is_cancelled ? { ...cancelled, undo: { do: 'download', video_id } } : undefined)
    })

const cancelled = { kind: 'done', text: 'Cancelled.' } as const

/** htmx gets the new cell, with the message if there is one; a plain form gets its page again. */
function changed(c: Context<Env>, download: Download, flash?: Flash) {
  if (isFragment(c)) {
    return c.html(
      <>
        <DownloadChanged download={download} now={new Date()} />
        {flash && <FlashPartial flash={[flash]} />}
      </>,
    )
  }
  if (flash) setFlash(c, flash)
  return back(c)
}
