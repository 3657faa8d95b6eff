/** The JSON API, all of it together, but for reading statuses, which pages poll too (`status.tsx`). */
import { Hono } from 'hono'
import { refreshChannel, showFeed, trackChannel, untrackChannel } from '../../domain/channels/channels.ts'
import { changeRule, getRule } from '../../domain/channels/rules.ts'
import {
  cancelDownloads,
  dropDownload,
  pinDownload,
  removeFiles,
  requestDownload,
  requestDownloads,
  retryFailed,
} from '../../domain/downloads/downloads.ts'
import type { Files } from '../../domain/downloads/files.ts'
import { downloadsShown } from '../../domain/downloads/shelves.ts'
import { channelHistory } from '../../domain/videos/history.ts'
import type { FeedReader } from '../../feed/fetch/read.ts'
import {
  BatchRequest,
  CancelRequest,
  DownloadsQuery,
  FeedRequest,
  HistoryQuery,
  TrackRequest,
} from '../../schema/api.ts'
import { RuleRequest } from '../../schema/rule.ts'
import type { Env } from '../middleware/context.ts'
import { atField, jsonOnly, valid, validJson } from '../middleware/valid.ts'

/** `findFeed` finds what stands behind any address; `readFeed` reads the feed at its own. */
export const api = (readFeed: FeedReader, findFeed: FeedReader, files: Files) =>
  new Hono<Env>()
    .use(jsonOnly)

    .get('/channels', async c => c.json({ channels: await c.var.library.channels.list() }))

    .post('/channels', validJson(TrackRequest), async c => {
      const { url } = c.req.valid('json')
      const { channel, saved, created } = await atField('url', trackChannel(c.var.library, findFeed, url))
      return c.json({ ...channel, saved }, created ? 201 : 200)
    })

    .delete('/channels/:channel_id', async c => {
      await untrackChannel(c.var.library, files, c.req.param('channel_id'))
      return c.body(null, 204)
    })

    .post('/channels/:channel_id/refresh', async c => {
      const { channel, saved } = await refreshChannel(c.var.library, readFeed, c.req.param('channel_id'))
      return c.json({ channel, saved, skipped: channel.skipped })
    })

    .get('/channels/:channel_id/rule', async c => c.json(await getRule(c.var.library, c.req.param('channel_id'))))

    .put('/channels/:channel_id/rule', validJson(RuleRequest), async c =>
      c.json(await changeRule(c.var.library, c.req.param('channel_id'), c.req.valid('json'))),
    )

    .post('/feed', validJson(FeedRequest), async c => {
      const { rss_url, save } = c.req.valid('json')
      return c.json(await atField('rss_url', showFeed(c.var.library, findFeed, rss_url, save)))
    })

    .get('/history/:channel_id', valid('query', HistoryQuery), async c => {
      const asked = c.req.valid('query')
      const { history, counts } = await channelHistory(c.var.library, c.req.param('channel_id'), asked)
      return c.json({ ...history, counts })
    })

    .post('/download/batch', validJson(BatchRequest), async c => {
      const results = await requestDownloads(c.var.library, files, c.req.valid('json').video_ids)
      return c.json({ results }, 202)
    })

    .get('/downloads', valid('query', DownloadsQuery), async c =>
      c.json(await downloadsShown(c.var.library, c.req.valid('query'))),
    )

    .post('/download/cancel-batch', validJson(CancelRequest), async c =>
      c.json({ results: await cancelDownloads(c.var.library, files, c.req.valid('json')) }),
    )

    .post('/download/remove-batch', validJson(BatchRequest), async c =>
      c.json({ results: await removeFiles(c.var.library, files, c.req.valid('json').video_ids) }),
    )

    .post('/download/retry-failed', async c => c.json({ results: await retryFailed(c.var.library, files) }, 202))

    .post('/download/:video_id', async c => {
      const { result, download } = await requestDownload(c.var.library, files, c.req.param('video_id'))
      return c.json(download, result === 'already_completed' ? 200 : 202)
    })

    .post('/download/:video_id/pin', async c => c.json(await pinDownload(c.var.library, c.req.param('video_id'), true)))

    .post('/download/:video_id/unpin', async c =>
      c.json(await pinDownload(c.var.library, c.req.param('video_id'), false)),
    )

    .delete('/download/:video_id', async c => c.json(await dropDownload(c.var.library, files, c.req.param('video_id'))))
