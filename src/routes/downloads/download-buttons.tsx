/** The buttons below every video: its download is requested, cancelled, paused, kept, deleted or restored. */
import { type Context, Hono } from 'hono'
import type { Child } from 'hono/jsx'
import { restoreDownload } from '../../domain/bin/restore.ts'
import {
  cancelDownload,
  downloadNext,
  getDownload,
  pauseDownload,
  pinDownload,
  removeFiles,
  requestDownload,
  requestInQuality,
  resumeDownload,
} from '../../domain/downloads/downloads.ts'
import { getVideo } from '../../domain/get.ts'
import { fileOutlook } from '../../domain/videos/history.ts'
import { DomainError } from '../../errors.ts'
import { currentTime } from '../../runtime/clock.ts'
import type { BinLimits } from '../../schema/bin/bin.ts'
import { type Download, isOnlyCopy } from '../../schema/downloads/download.ts'
import type { Flash } from '../../schema/http/flash.ts'
import { bytesWords, hoursWords } from '../../schema/values/words.ts'
import type { Files } from '../../store/files.ts'
import { FileActionsPartial } from '../../views/downloads/file-actions.tsx'
import { DownloadChanged, ShelvesMoved } from '../../views/downloads/polling.tsx'
import { ActiveCountPartial } from '../../views/ui/navigation.tsx'
import { back, changed, type Said, undoable } from '../http/answers.tsx'
import { type Env, isFragment } from '../http/context.ts'
import { orRefusal } from '../http/valid.ts'
import { queuedWords } from './chosen-downloads-page.tsx'

export const downloadButtons = (files: Files, bin: BinLimits) =>
  new Hono<Env>().route('/', fileButtons(files, bin)).route('/', turnButtons)

const fileButtons = (files: Files, bin: BinLimits) =>
  new Hono<Env>()
    .post('/:video_id', async c => {
      const { result, download } = await requestDownload(c.var.library, files, c.req.param('video_id'))
      // With htmx the changed cell says it.
      return cellChanged(c, download, isFragment(c) ? undefined : queuedWords([{ result }]))
    })

    .post('/:video_id/compatible', async c => {
      const video_id = c.req.param('video_id')
      const before = await getDownload(c.var.library, video_id)
      const asking = requestInQuality(c.var.library, files, video_id, 'compatible', bin)
      const asked = await (isFragment(c) ? asking : orRefusal(asking, ['conflict']))
      if (asked instanceof DomainError) return back(c, '/downloads', asked)
      return cellChanged(c, asked.download, replaced(before, asked, bin.hours))
    })

    .post('/:video_id/pin', c => pin(c, c.req.param('video_id'), true))
    .post('/:video_id/unpin', c => pin(c, c.req.param('video_id'), false))

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

    .post('/:video_id/restore', async c => {
      const restoring = restoreDownload(c.var.library, files, bin, c.req.param('video_id'))
      // htmx shows a refusal as a message. A form without a script returns to its page, which shows it.
      const restored = await (isFragment(c) ? restoring : orRefusal(restoring, ['gone', 'conflict', 'invalid']))
      if (restored instanceof DomainError) return back(c, '/downloads', restored)
      return cellChanged(c, restored, 'Restored.')
    })

async function pin(c: Context<Env>, video_id: string, is_pinned: boolean): Promise<Response> {
  const download = await pinDownload(c.var.library, video_id, is_pinned)
  const text = is_pinned ? 'The file is kept until you delete it.' : 'The file can be auto-deleted again.'
  return cellChanged(c, download, undoable(text, { do: is_pinned ? 'unpin' : 'pin', video_id }))
}

/** Pausing and resuming a download, or putting it before the others. */
const turnButtons = new Hono<Env>()
  .post('/:video_id/pause', async c => cellChanged(c, await pauseDownload(c.var.library, c.req.param('video_id'))))
  .post('/:video_id/resume', async c => {
    const download = await resumeDownload(c.var.library, c.req.param('video_id'))
    return cellChanged(c, download, download.paused_at ? still_paused : undefined)
  })

  .post('/:video_id/next', async c => {
    const download = await downloadNext(c.var.library, c.req.param('video_id'))
    if (!download.queued) return cellChanged(c, download)
    const text = download.paused_at
      ? 'Moved to the front. It waits until downloads are resumed.'
      : 'Moved to the front.'
    return cellChanged(c, download, text, <ShelvesMoved />)
  })

const still_paused: Flash = {
  kind: 'problem',
  text: 'Its site or all downloads are paused. Resume them at the top of Downloads.',
}

const replaced = (
  { video_id, download_status }: Download,
  { result }: { result: string },
  bin_hours: number,
): Said | undefined => {
  if (result === 'already_completed') return 'This file plays everywhere already.'
  if (download_status !== 'completed' || bin_hours === 0) return 'A compatible file is queued.'
  const text = 'A compatible file is queued. You can restore the old one until it is here.'
  return undoable(text, { do: 'restore', video_id })
}

/** A waiting or running download can be queued again; a failed one can only be tried again. */
const cancelled = ({ video_id, download_status, queued }: Download): Flash =>
  download_status === 'failed' && !queued
    ? undoable('Removed from the list.', { do: 'try_again', video_id })
    : undoable('Cancelled.', { do: 'download', video_id })

const tooLate = ({ download_status }: Download): Said | undefined =>
  download_status === 'completed' ? 'The download had already finished. The file is on disk.' : undefined

function deleted({ video_id, file_size, availability }: Download, bin_hours: number): Flash {
  const text = file_size === null ? 'Deleted.' : `Deleted (${bytesWords(file_size)}).`
  if (bin_hours > 0)
    return undoable(`${text} You can restore the file for ${hoursWords(bin_hours)}.`, { do: 'restore', video_id })
  return undoable(text, !isOnlyCopy({ availability }) && { do: 'download_again', video_id })
}

/** Answers with the changed cell of the video and its actions, with what else changes, or by going back to the page. */
const cellChanged = (c: Context<Env>, download: Download, flash?: Said, also?: Child) =>
  changed(c, {
    parts: async () => {
      const { library, bin_hours } = c.var
      const [video, active] = await Promise.all([getVideo(library, download.video_id), library.videos.active()])
      const file = await fileOutlook(library, video, bin_hours)
      return (
        <>
          <DownloadChanged download={download} now={currentTime()} />
          {also}
          <ActiveCountPartial count={active} />
          <FileActionsPartial video={video} bin_hours={bin_hours} file={file} now={currentTime()} />
        </>
      )
    },
    flash,
    otherwise: '/downloads',
  })
