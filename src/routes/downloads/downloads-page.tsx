/** The downloads page, and the buttons below every video. */

import { Hono } from 'hono'
import {
  cancelDownload,
  getDownload,
  pinDownload,
  removeFiles,
  requestDownload,
  requestDownloads,
} from '../../domain/downloads/downloads.ts'
import { downloadsOverview } from '../../domain/downloads/shelves.ts'
import type { BinLimits } from '../../schema/bin/bin.ts'
import { type Download, isOnlyCopy } from '../../schema/downloads/download.ts'
import { ShelfQuery, StatusQuery } from '../../schema/downloads/download-api.ts'
import type { Flash } from '../../schema/http/flash.ts'
import { bytesWords, hoursWords } from '../../schema/values/words.ts'
import type { Files } from '../../store/files.ts'
import { DownloadsPage } from '../../views/downloads/downloads-page.tsx'
import { back, setFlash } from '../http/answers.tsx'
import { type Env, isFragment } from '../http/context.ts'
import { pageOf } from '../http/page.ts'
import { valid } from '../http/valid.ts'
import { cellChanged } from './cell-changed.tsx'
import { scopedDownloads } from './download-scope-page.tsx'
import { chosenDownloads, queuedWords } from './downloads-chosen-page.tsx'
import { pausedDownloads } from './downloads-paused-page.tsx'
import { restoredDownloads } from './downloads-restored-page.tsx'

/** `quota_bytes`: the most disk space for one user's files; `null`: no limit but the disk. */
export const downloadsPages = (files: Files, bin: BinLimits, quota_bytes: number | null) =>
  new Hono<Env>()
    .get('/', valid('query', ShelfQuery), async c => {
      const overview = await downloadsOverview(c.var.library, c.req.valid('query'), quota_bytes)
      return c.html(<DownloadsPage page={pageOf(c)} overview={overview} />)
    })

    .post('/', valid('form', StatusQuery), async c => {
      const results = await requestDownloads(c.var.library, files, c.req.valid('form').video_id)
      setFlash(c, { kind: 'done', text: queuedWords(results) })
      return back(c, '/downloads')
    })

    .route('/', scopedDownloads(files, quota_bytes))
    .route('/', pausedDownloads)
    .route('/', chosenDownloads(files, bin))
    .route('/', restoredDownloads(files, bin))

    .post('/:video_id', async c => {
      const { result, download } = await requestDownload(c.var.library, files, c.req.param('video_id'))
      // With htmx the changed cell says it.
      return cellChanged(c, download, isFragment(c) ? undefined : { kind: 'done', text: queuedWords([{ result }]) })
    })

    .post('/:video_id/pin', async c => {
      const video_id = c.req.param('video_id')
      const download = await pinDownload(c.var.library, video_id, true)
      const text = 'The file is kept until you delete it.'
      return cellChanged(c, download, { kind: 'done', text, undo: { do: 'unpin', video_id } })
    })

    .post('/:video_id/unpin', async c => {
      const video_id = c.req.param('video_id')
      const download = await pinDownload(c.var.library, video_id, false)
      return cellChanged(c, download, {
        kind: 'done',
        text: 'The file can be auto-deleted again.',
        undo: { do: 'pin', video_id },
      })
    })

    // Never deletes a file: the download may have ended since the page was rendered.
    .post('/:video_id/cancel', async c => {
      const video_id = c.req.param('video_id')
      const before = await getDownload(c.var.library, video_id)
      const is_cancelled = await cancelDownload(c.var.library, files, video_id)
      const download = await getDownload(c.var.library, video_id)
      return cellChanged(c, download, is_cancelled ? cancelled(before) : tooLate(download))
    })

    .post('/:video_id/remove', async c => {
      const video_id = c.req.param('video_id')
      const before = await getDownload(c.var.library, video_id)
      const [removed] = await removeFiles(c.var.library, files, [video_id], bin)
      return cellChanged(
        c,
        await getDownload(c.var.library, video_id),
        removed?.result === 'removed' ? deleted(before, bin.hours) : undefined,
      )
    })

/** A waiting or running download can be queued again; a failed one can only be tried again. */
const cancelled = ({ video_id, download_status, queued }: Download): Flash =>
  download_status === 'failed' && !queued
    ? { kind: 'done', text: 'Removed from the list.', undo: { do: 'try_again', video_id } }
    : { kind: 'done', text: 'Cancelled.', undo: { do: 'download', video_id } }

const tooLate = ({ download_status }: Download): Flash | undefined =>
  download_status === 'completed'
    ? { kind: 'done', text: 'The download had already finished. The file is on disk.' }
    : undefined

function deleted({ video_id, file_size, availability }: Download, bin_hours: number): Flash {
  const text = file_size === null ? 'Deleted.' : `Deleted (${bytesWords(file_size)}).`
  if (bin_hours > 0)
    return {
      kind: 'done',
      text: `${text} You can restore the file for ${hoursWords(bin_hours)}.`,
      undo: { do: 'restore', video_id },
    }
  return {
    kind: 'done',
    text,
    ...(!isOnlyCopy({ availability }) && { undo: { do: 'download_again', video_id } }),
  }
}
