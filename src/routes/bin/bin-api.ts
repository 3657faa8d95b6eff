/** The bin as JSON: list it, empty it, restore a file or an unfollowed channel. */
import { Hono } from 'hono'
import { restoreChannel, restoreDownload } from '../../domain/bin/restore.ts'
import { emptyBin } from '../../domain/downloads/deletions.ts'
import { type BinLimits, BinQuery, BinShown } from '../../schema/bin/bin.ts'
import { Channel } from '../../schema/channels/channel.ts'
import { Download } from '../../schema/downloads/download.ts'
import type { Files } from '../../store/files.ts'
import type { Env } from '../http/context.ts'
import { describeRoute, validQuery } from '../http/operation.ts'

export const binRoutes = (files: Files, bin: BinLimits) =>
  new Hono<Env>()
    .get(
      '/bin',
      describeRoute({
        summary: 'List deleted files and unfollowed channels that can be restored',
        responses: { 200: { description: 'One page, the latest deletion first', schema: BinShown } },
      }),
      validQuery(BinQuery),
      async c => c.json(await c.var.library.bin.page({ ...c.req.valid('query'), hours: bin.hours })),
    )

    .delete(
      '/bin',
      describeRoute({
        summary: 'Empty the bin: delete its files and channels for good',
        responses: { 204: { description: 'Nothing can be restored any more', schema: null } },
      }),
      async c => {
        await emptyBin(c.var.library, files)
        return c.body(null, 204)
      },
    )

    .post(
      '/download/:video_id/restore',
      describeRoute({
        summary: 'Bring back a deleted file',
        description:
          'Also brings back a video that you removed, or whose channel you unfollowed, as a video that you added by its address.',
        responses: { 200: { description: 'On disk again, or it was already', schema: Download } },
        errors: [409, 410, 422],
      }),
      async c => c.json(await restoreDownload(c.var.library, files, bin, c.req.param('video_id'))),
    )

    .post(
      '/channels/:channel_id/restore',
      describeRoute({
        summary: 'Follow an unfollowed channel again, with its videos, marks, rule and files as they were',
        description: 'Files that exceed your quota stay in the bin. What was saved in the meantime stays.',
        responses: { 200: { description: 'Followed again, or it was already', schema: Channel } },
        errors: [410, 422],
      }),
      async c => c.json((await restoreChannel(c.var.library, files, bin, c.req.param('channel_id'))).channel),
    )
