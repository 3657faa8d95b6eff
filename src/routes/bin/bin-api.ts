/** The bin as JSON: list it, empty it, restore a file or an unfollowed channel. */
import { Hono } from 'hono'
import { restoreChannel, restoreDownload } from '../../domain/bin/restore.ts'
import { emptyBin } from '../../domain/downloads/deletions.ts'
import { type BinLimits, BinQuery, BinShown } from '../../schema/bin/bin.ts'
import { Channel } from '../../schema/channels/channel.ts'
import { Download } from '../../schema/downloads/download.ts'
import type { Files } from '../../store/files.ts'
import { acknowledge } from '../http/answers.tsx'
import type { Env } from '../http/context.ts'
import { done, ok, operation, validQuery } from '../http/operation.ts'

export const binApi = (files: Files, bin: BinLimits) =>
  new Hono<Env>()
    .get(
      '/bin',
      operation(
        'List deleted files and unfollowed channels that can be restored',
        ok(BinShown, 'One page, the latest deletion first'),
      ),
      validQuery(BinQuery),
      async c => c.json(await c.var.library.bin.page({ ...c.req.valid('query'), hours: bin.hours })),
    )

    .delete(
      '/bin',
      operation(
        'Empty Recently deleted: delete its files and channels for good',
        done('Nothing can be restored any more'),
      ),
      c => acknowledge(c, emptyBin(c.var.library, files)),
    )

    .post(
      '/download/:video_id/restore',
      operation('Bring back a deleted file', ok(Download, 'On disk again, or it was already'), {
        description:
          'Also brings back a video that you removed, or whose channel you unfollowed, as a video that you added by its address.',
        errors: [409, 410, 422],
      }),
      async c => c.json(await restoreDownload(c.var.library, files, bin, c.req.param('video_id'))),
    )

    .post(
      '/channels/:channel_id/restore',
      operation(
        'Follow an unfollowed channel again, with its videos, marks, rule and files as they were',
        ok(Channel, 'Followed again, or it was already'),
        {
          description: 'Files that exceed your quota stay in Recently deleted. What was saved in the meantime stays.',
          errors: [410, 422],
        },
      ),
      async c => c.json((await restoreChannel(c.var.library, files, bin, c.req.param('channel_id'))).channel),
    )
