/** Requesting, cancelling, deleting, keeping and listing downloads, as JSON. Their progress is in `status.tsx`. */
import { Hono } from 'hono'
import { requestScope, scopeOutlook } from '../../domain/downloads/download-scopes.ts'
import {
  cancelDownloads,
  dropDownload,
  pinDownload,
  removeFiles,
  requestDownload,
  requestDownloads,
  retryFailed,
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
  RemoveResult,
  ScopeOf,
  ScopeOutlook,
} from '../../schema/downloads/download-api.ts'
import { DownloadsShown } from '../../schema/videos/shelves.ts'
import type { Files } from '../../store/files.ts'
import type { Env } from '../http/context.ts'
import { describeRoute, validJson, validQuery } from '../http/operation.ts'

const result_of_each = 'One result for each video'
const download_now = { 200: { description: 'The download after the change', schema: Download } }

export const downloads = (files: Files, bin: BinLimits) =>
  new Hono<Env>()
    .get(
      '/downloads',
      describeRoute({
        summary: 'List the downloads of all channels: running, waiting, failed or done',
        responses: {
          200: {
            description: 'One page, in the order of the downloads page, and the number of downloads on each shelf',
            schema: DownloadsShown,
          },
        },
      }),
      validQuery(DownloadsQuery),
      async c => c.json(await downloadsShown(c.var.library, c.req.valid('query'))),
    )

    .get(
      '/downloads/outlook',
      describeRoute({
        summary: 'Count the videos that each scope of a batch request would queue, and estimate their size',
        responses: { 200: { description: 'The number and size of the videos of each scope', schema: ScopeOutlook } },
        errors: [404],
      }),
      validQuery(ScopeOf),
      async c => c.json(await scopeOutlook(c.var.library, c.req.valid('query'))),
    )

    .post(
      '/download/batch',
      describeRoute({
        summary: 'Request several downloads, by their ids or by a scope',
        responses: { 202: { description: result_of_each, schema: BatchResult } },
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
      describeRoute({
        summary: 'Cancel several waiting, running or failed downloads; files on disk stay',
        responses: { 200: { description: result_of_each, schema: CancelResult } },
      }),
      validJson(CancelRequest),
      async c => c.json({ results: await cancelDownloads(c.var.library, files, c.req.valid('json')) }),
    )

    .post(
      '/download/remove-batch',
      describeRoute({
        summary: 'Delete several files; waiting and running downloads continue',
        responses: { 200: { description: result_of_each, schema: RemoveResult } },
      }),
      validJson(BatchRequest),
      async c => c.json({ results: await removeFiles(c.var.library, files, c.req.valid('json').video_ids, bin) }),
    )

    .post(
      '/download/retry-failed',
      describeRoute({
        summary: 'Request every failed download that has no further attempt planned',
        responses: { 202: { description: result_of_each, schema: BatchResult } },
      }),
      async c => c.json({ results: await retryFailed(c.var.library, files) }, 202),
    )

    .post(
      '/download/:video_id',
      describeRoute({
        summary: 'Request a download',
        responses: {
          202: { description: 'Queued or running', schema: Download },
          200: { description: 'Already on disk', schema: Download },
        },
      }),
      async c => {
        const { result, download } = await requestDownload(c.var.library, files, c.req.param('video_id'))
        return c.json(download, result === 'already_completed' ? 200 : 202)
      },
    )

    .post(
      '/download/:video_id/pin',
      describeRoute({
        summary: 'Keep the file, even if the rule of its channel would delete it',
        responses: download_now,
      }),
      async c => c.json(await pinDownload(c.var.library, c.req.param('video_id'), true)),
    )

    .post(
      '/download/:video_id/unpin',
      describeRoute({ summary: 'Let the rule of its channel delete the file again', responses: download_now }),
      async c => c.json(await pinDownload(c.var.library, c.req.param('video_id'), false)),
    )

    .delete(
      '/download/:video_id',
      describeRoute({ summary: 'Cancel a waiting or running download, or delete the file', responses: download_now }),
      async c => c.json(await dropDownload(c.var.library, files, c.req.param('video_id'), bin)),
    )
