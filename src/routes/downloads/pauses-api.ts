/** Pausing and resuming downloads, and putting one before the others, as JSON. */
import { Hono } from 'hono'
import { z } from 'zod'
import {
  downloadNext,
  pauseDownload,
  pauseDownloads,
  resumeDownload,
  resumeDownloads,
  trySite,
} from '../../domain/downloads/pauses.ts'
import { Download } from '../../schema/downloads/download.ts'
import { PauseRequest, ProbeResult, TryRequest } from '../../schema/downloads/download-api.ts'
import type { Env } from '../http/context.ts'
import { describeRoute, validJson } from '../http/operation.ts'

const download_now = { 200: { description: 'The download after the change', schema: Download } }
const nothing = { 204: { description: 'It is so now', schema: null } }

export const pauses = new Hono<Env>()
  .post(
    '/downloads/pause',
    describeRoute({
      summary: 'Pause some downloads, those of a site, or all',
      description: 'A site from which you have no videos is not found.',
      responses: nothing,
      errors: [404],
    }),
    validJson(PauseRequest),
    async c => {
      await pauseDownloads(c.var.library, c.req.valid('json'))
      return c.body(null, 204)
    },
  )

  .post(
    '/downloads/resume',
    describeRoute({ summary: 'Resume some downloads, those of a site, or all that are paused', responses: nothing }),
    validJson(PauseRequest),
    async c => {
      await resumeDownloads(c.var.library, c.req.valid('json'))
      return c.body(null, 204)
    },
  )

  .post(
    '/downloads/try',
    describeRoute({
      summary: 'Start one download from a site that asked to slow down, before its pause ends',
      responses: { 200: { description: 'Whether one starts', schema: z.object({ result: ProbeResult }) } },
    }),
    validJson(TryRequest),
    async c => c.json({ result: await trySite(c.var.library, c.req.valid('json').host) }),
  )

  .post(
    '/downloads/:video_id/pause',
    describeRoute({
      summary: 'Pause a waiting or running download; what was received is kept',
      responses: download_now,
    }),
    async c => c.json(await pauseDownload(c.var.library, c.req.param('video_id'))),
  )

  .post(
    '/downloads/:video_id/resume',
    describeRoute({ summary: 'Resume a paused download', responses: download_now }),
    async c => c.json(await resumeDownload(c.var.library, c.req.param('video_id'))),
  )

  .post(
    '/downloads/:video_id/next',
    describeRoute({
      summary: 'Put a waiting download before your other ones',
      description: 'While its site or all downloads are paused, it stays paused: see `paused_at`.',
      responses: download_now,
    }),
    async c => c.json(await downloadNext(c.var.library, c.req.param('video_id'))),
  )
