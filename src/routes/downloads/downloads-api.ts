/** Requesting, cancelling, pausing, deleting, keeping and listing downloads, as JSON. Their progress is in `status.tsx`. */
import { Hono } from 'hono'
import { z } from 'zod'
import { requestScope, scopeOutlook } from '../../domain/downloads/download-scopes.ts'
import {
  cancelDownloads,
  downloadNext,
  dropDownload,
  pauseDownload,
  pauseDownloads,
  pinDownload,
  removeFiles,
  requestDownload,
  requestDownloads,
  requestInQuality,
  resumeDownload,
  resumeDownloads,
  retryFailed,
  trySite,
} from '../../domain/downloads/downloads.ts'
import { downloadsShown } from '../../domain/downloads/shelves.ts'
import type { BinLimits } from '../../schema/bin/bin.ts'
import { Download } from '../../schema/downloads/download.ts'
import {
  BatchRequest,
  BatchResult,
  CancelRequest,
  CancelResult,
  DownloadRequest,
  DownloadsQuery,
  PauseRequest,
  ProbeResult,
  QualityRequest,
  RemoveResult,
  ScopeOf,
  ScopeOutlook,
  TryRequest,
} from '../../schema/downloads/download-api.ts'
import { DownloadsShown } from '../../schema/videos/video-api.ts'
import type { Files } from '../../store/files.ts'
import { acknowledge } from '../http/answers.tsx'
import type { Env } from '../http/context.ts'
import { accepted, done, ok, operation, validJson, validQuery } from '../http/operation.ts'

export const downloadsApi = (files: Files, bin: BinLimits) =>
  new Hono<Env>()
    .route('/', listsApi)
    .route('/', batchesApi(files, bin))
    .route('/', singleDownloadsApi(files, bin))
    .route('/', pausesApi)

const listsApi = new Hono<Env>()
  .get(
    '/downloads',
    operation(
      'List the downloads of all channels: running, waiting, failed or done',
      ok(DownloadsShown, 'One page, in the order of the downloads page, and the number of downloads on each shelf'),
    ),
    validQuery(DownloadsQuery),
    async c => c.json(await downloadsShown(c.var.library, c.req.valid('query'))),
  )

  .get(
    '/downloads/outlook',
    operation(
      'Count the videos that each scope of a batch request would queue, and estimate their size',
      ok(ScopeOutlook, 'The number and size of the videos of each scope'),
      { errors: [404] },
    ),
    validQuery(ScopeOf),
    async c => c.json(await scopeOutlook(c.var.library, c.req.valid('query'))),
  )

const result_of_each = 'One result for each video'

const batchesApi = (files: Files, bin: BinLimits) =>
  new Hono<Env>()
    .post(
      '/download/batch',
      operation('Request several downloads, by their ids or by a scope', accepted(BatchResult, result_of_each), {
        errors: [404],
      }),
      validJson(DownloadRequest),
      async c => {
        const { library } = c.var
        const { scope, video_ids = [] } = c.req.valid('json')
        const results = scope ? await requestScope(library, scope) : await requestDownloads(library, files, video_ids)
        return c.json({ results }, 202)
      },
    )

    .post(
      '/download/cancel-batch',
      operation(
        'Cancel several waiting, running or failed downloads; files on disk stay',
        ok(CancelResult, result_of_each),
      ),
      validJson(CancelRequest),
      async c => c.json({ results: await cancelDownloads(c.var.library, files, c.req.valid('json')) }),
    )

    .post(
      '/download/remove-batch',
      operation('Delete several files; waiting and running downloads continue', ok(RemoveResult, result_of_each)),
      validJson(BatchRequest),
      async c => c.json({ results: await removeFiles(c.var.library, files, c.req.valid('json').video_ids, bin) }),
    )

    .post(
      '/download/retry-failed',
      operation(
        'Request every failed download that has no further attempt planned',
        accepted(BatchResult, result_of_each),
      ),
      async c => c.json({ results: await retryFailed(c.var.library, files) }, 202),
    )

const changed_download = ok(Download, 'The download after the change')

const singleDownloadsApi = (files: Files, bin: BinLimits) =>
  new Hono<Env>()
    .post(
      '/download/:video_id',
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
          ? await requestInQuality(library, files, video_id, quality, bin)
          : await requestDownload(library, files, video_id)
        return c.json(download, result === 'already_completed' ? 200 : 202)
      },
    )

    .post(
      '/download/:video_id/pin',
      operation('Keep the file, even if the rule of its channel would delete it', changed_download),
      async c => c.json(await pinDownload(c.var.library, c.req.param('video_id'), true)),
    )

    .post(
      '/download/:video_id/unpin',
      operation('Let the rule of its channel delete the file again', changed_download),
      async c => c.json(await pinDownload(c.var.library, c.req.param('video_id'), false)),
    )

    .delete(
      '/download/:video_id',
      operation('Cancel a waiting or running download, or delete the file', changed_download),
      async c => c.json(await dropDownload(c.var.library, files, c.req.param('video_id'), bin)),
    )

const pausesApi = new Hono<Env>()
  .post(
    '/downloads/pause',
    operation('Pause some downloads, those of a site, or all', done('It is so now'), {
      description: 'A site from which you have no videos is not found.',
      errors: [404],
    }),
    validJson(PauseRequest),
    c => acknowledge(c, pauseDownloads(c.var.library, c.req.valid('json'))),
  )

  .post(
    '/downloads/resume',
    operation('Resume some downloads, those of a site, or all that are paused', done('It is so now')),
    validJson(PauseRequest),
    c => acknowledge(c, resumeDownloads(c.var.library, c.req.valid('json'))),
  )

  .post(
    '/downloads/try',
    operation(
      'Start one download from a site that asked to slow down, before its pause ends',
      ok(z.object({ result: ProbeResult }), 'Whether one starts'),
    ),
    validJson(TryRequest),
    async c => c.json({ result: await trySite(c.var.library, c.req.valid('json').host) }),
  )

  .post(
    '/downloads/:video_id/pause',
    operation('Pause a waiting or running download; what was received is kept', changed_download),
    async c => c.json(await pauseDownload(c.var.library, c.req.param('video_id'))),
  )

  .post('/downloads/:video_id/resume', operation('Resume a paused download', changed_download), async c =>
    c.json(await resumeDownload(c.var.library, c.req.param('video_id'))),
  )

  .post(
    '/downloads/:video_id/next',
    operation('Put a waiting download before your other ones', changed_download, {
      description: 'While its site or all downloads are paused, it stays paused: see `paused_at`.',
    }),
    async c => c.json(await downloadNext(c.var.library, c.req.param('video_id'))),
  )
