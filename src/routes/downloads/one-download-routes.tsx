/** What a person does with one download, by a program or by the buttons below each video: request, cancel, pause, keep, delete, restore. */
import { type Context, Hono } from 'hono'
import type { Child } from 'hono/jsx'
import { restoreDownload } from '../../domain/bin/restore.ts'
import {
  cancelDownload,
  downloadNext,
  dropDownload,
  getDownload,
  pauseDownload,
  pinDownload,
  removeFiles,
  requestDownload,
  requestInQuality,
  resumeDownload,
} from '../../domain/downloads/downloads.ts'
import { getVideo } from '../../domain/get.ts'
import { fileOutlook } from '../../domain/videos/video-lists.ts'
import { DomainError } from '../../errors.ts'
import { currentTime } from '../../runtime/clock.ts'
import { Download, isOnlyCopy } from '../../schema/downloads/download.ts'
import { QualityRequest } from '../../schema/downloads/download-api.ts'
import type { Flash } from '../../schema/http/flash.ts'
import { bytesWords, hoursWords } from '../../schema/values/words.ts'
import type { Store } from '../../store/files.ts'
import { FileActionsPartial } from '../../views/downloads/file-actions.tsx'
import { DownloadChanged, ShelvesMoved } from '../../views/downloads/polling.tsx'
import { ActiveCountPartial } from '../../views/frames/navigation.tsx'
import { answer, back, changed, type Said, undoable } from '../http/answers.tsx'
import { type Env, isFragment, isPlainForm } from '../http/context.ts'
import { accepted, ok, operation, validJson } from '../http/operation.ts'
import { orRefusal } from '../http/valid.ts'
import { queuedWords } from './many-downloads-routes.tsx'

export const oneDownloadApi = (store: Store) =>
  new Hono<Env>().route('/download', requestsApi(store)).route('/download', keeping(store)).route('/downloads', turns)

export const oneDownloadPages = (store: Store) =>
  new Hono<Env>().route('/', fileButtons(store)).route('/', keeping(store)).route('/', turns)

const changed_download = ok(Download, 'The download after the change')

const requestsApi = (store: Store) =>
  new Hono<Env>()
    .post(
      '/:video_id',
      operation(
        'Request a download',
        { ...accepted(Download, 'Queued or running'), ...ok(Download, 'Already on disk') },
        {
          description:
            'With a `quality`, a file of another quality is deleted first, as by DELETE, and can be restored from the bin until the new one is on disk. The quality counts for this video until its file is deleted or its download is cancelled. A 409 says that the video is downloading now, or that its site no longer offers it.',
          is_body_optional: true,
          errors: [409],
        },
      ),
      validJson(QualityRequest),
      async c => {
        const { library } = c.var
        const [video_id, { quality }] = [c.req.param('video_id'), c.req.valid('json')]
        const { result, download } = quality
          ? await requestInQuality(library, store, video_id, quality)
          : await requestDownload(library, store.files, video_id)
        return c.json(download, result === 'already_completed' ? 200 : 202)
      },
    )

    .delete(
      '/:video_id',
      operation('Cancel a waiting or running download, or delete the file', changed_download),
      async c => c.json(await dropDownload(c.var.library, store, c.req.param('video_id'))),
    )

const fileButtons = (store: Store) =>
  new Hono<Env>()
    .post('/:video_id', async c => {
      const { result, download } = await requestDownload(c.var.library, store.files, c.req.param('video_id'))
      // With htmx the changed cell says it.
      return cellChanged(c, download, isFragment(c) ? undefined : queuedWords([{ result }]))
    })

    .post('/:video_id/compatible', async c => {
      const video_id = c.req.param('video_id')
      const before = await getDownload(c.var.library, video_id)
      const asking = requestInQuality(c.var.library, store, video_id, 'compatible')
      const asked = await (isPlainForm(c) ? orRefusal(asking, ['conflict']) : asking)
      if (asked instanceof DomainError) return back(c, '/downloads', asked)
      return cellChanged(c, asked.download, replaced(before, asked, store.bin.hours))
    })

    // Never deletes a file: the download may have ended since the page was rendered.
    .post('/:video_id/cancel', async c => {
      const video_id = c.req.param('video_id')
      const before = await getDownload(c.var.library, video_id)
      const is_cancelled = await cancelDownload(c.var.library, store.files, video_id)
      const download = await getDownload(c.var.library, video_id)
      return cellChanged(c, download, is_cancelled ? cancelled(before) : tooLate(download))
    })

    .post('/:video_id/remove', async c => {
      const video_id = c.req.param('video_id')
      const before = await getDownload(c.var.library, video_id)
      const [removed] = await removeFiles(c.var.library, store, [video_id])
      const flash = removed?.result === 'removed' ? deleted(before, store.bin.hours) : undefined
      return cellChanged(c, await getDownload(c.var.library, video_id), flash)
    })

const keeping = (store: Store) =>
  new Hono<Env>()
    .post(
      '/:video_id/restore',
      operation('Bring back a deleted file', ok(Download, 'On disk again, or it was already'), {
        description:
          'Also brings back a video that you removed, or whose channel you unfollowed, as a video that you added by its address.',
        errors: [409, 410, 422],
      }),
      async c => {
        const restoring = restoreDownload(c.var.library, store, c.req.param('video_id'))
        // A form without a script returns to its page, which shows a refusal.
        const restored = await (isPlainForm(c) ? orRefusal(restoring, ['gone', 'conflict', 'invalid']) : restoring)
        if (restored instanceof DomainError) return back(c, '/downloads', restored)
        return answer(c, restored, (c, download) => cellChanged(c, download, 'Restored.'))
      },
    )

    .post(
      '/:video_id/pin',
      operation('Keep the file, even if the rule of its channel would delete it', changed_download),
      async c => answer(c, await pinDownload(c.var.library, c.req.param('video_id'), true), keptAs),
    )
    .post(
      '/:video_id/unpin',
      operation('Let the rule of its channel delete the file again', changed_download),
      async c => answer(c, await pinDownload(c.var.library, c.req.param('video_id'), false), keptAs),
    )

/** Says how the file is kept now, with a way to undo it. */
function keptAs(c: Context<Env>, download: Download) {
  const text = download.pinned ? 'The file is kept until you delete it.' : 'The file can be auto-deleted again.'
  const undo = { do: download.pinned ? 'unpin' : 'pin', video_id: download.video_id } as const
  return cellChanged(c, download, undoable(text, undo))
}

const turns = new Hono<Env>()
  .post(
    '/:video_id/pause',
    operation('Pause a waiting or running download; what was received is kept', changed_download),
    async c => answer(c, await pauseDownload(c.var.library, c.req.param('video_id')), cellChanged),
  )

  .post('/:video_id/resume', operation('Resume a paused download', changed_download), async c =>
    answer(c, await resumeDownload(c.var.library, c.req.param('video_id')), resumed),
  )

  .post(
    '/:video_id/next',
    operation('Put a waiting download before your other ones', changed_download, {
      description: 'While its site or all downloads are paused, it stays paused: see `paused_at`.',
    }),
    async c => answer(c, await downloadNext(c.var.library, c.req.param('video_id')), movedUp),
  )

const resumed = (c: Context<Env>, download: Download) =>
  cellChanged(c, download, download.paused_at ? still_paused : undefined)

const still_paused: Flash = {
  kind: 'problem',
  text: 'Its site or all downloads are paused. Resume them at the top of Downloads.',
}

function movedUp(c: Context<Env>, download: Download) {
  if (!download.queued) return cellChanged(c, download)
  const text = download.paused_at ? 'Moved to the front. It waits until downloads are resumed.' : 'Moved to the front.'
  return cellChanged(c, download, text, <ShelvesMoved />)
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
