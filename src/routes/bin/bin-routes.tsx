/** What was deleted: listed, restored, and deleted for good. `one-download-routes.tsx` restores a file. */
import { Hono } from 'hono'
import { restoreChannel } from '../../domain/bin/restore.ts'
import { emptyBin, forgetBinnedChannel, purgeFiles } from '../../domain/downloads/deletions.ts'
import { noSuchChannel, noSuchVideo } from '../../domain/get.ts'
import { BinQuery, BinShown } from '../../schema/bin/bin.ts'
import { Channel } from '../../schema/channels/channel.ts'
import { bytesWords } from '../../schema/values/words.ts'
import type { Store } from '../../store/files.ts'
import { BinPage } from '../../views/bin/bin-page.tsx'
import { acknowledge, goTo } from '../http/answers.tsx'
import type { Env } from '../http/context.ts'
import { done, ok, operation, validQuery } from '../http/operation.ts'
import { pageOf } from '../http/page.ts'
import { valid } from '../http/valid.ts'

export const binApi = (store: Store) =>
  new Hono<Env>()
    .get(
      '/bin',
      operation(
        'List deleted files and unfollowed channels that can be restored',
        ok(BinShown, 'One page, the latest deletion first'),
      ),
      validQuery(BinQuery),
      async c => c.json(await c.var.library.bin.page({ ...c.req.valid('query'), hours: store.bin.hours })),
    )

    .delete(
      '/bin',
      operation(
        'Empty Recently deleted: delete its files and channels for good',
        done('Nothing can be restored any more'),
      ),
      c => acknowledge(c, emptyBin(c.var.library, store.files)),
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
      async c => c.json((await restoreChannel(c.var.library, store, c.req.param('channel_id'))).channel),
    )

export const binPages = (store: Store) =>
  new Hono<Env>()
    .get('/', valid('query', BinQuery), async c => {
      const { cursor } = c.req.valid('query')
      const shown = await c.var.library.bin.page({ hours: store.bin.hours, limit: rows_of_page, cursor })
      return c.render(<BinPage page={pageOf(c)} shown={shown} />)
    })

    .post('/empty', async c => {
      const bytes = await emptyBin(c.var.library, store.files)
      return goTo(c, '/bin', `Deleted for good. Freed ${bytesWords(bytes)}.`)
    })

    .post('/videos/:video_id/delete', async c => {
      const video_id = c.req.param('video_id')
      if (!(await c.var.library.bin.restorableUntil(video_id, store.bin.hours))) throw noSuchVideo()
      const bytes = await purgeFiles(c.var.library, store.files, [video_id])
      return goTo(c, '/bin', `Deleted for good. Freed ${bytesWords(bytes)}.`)
    })

    .post('/channels/:channel_id/delete', async c => {
      if (!(await forgetBinnedChannel(c.var.library, store.files, c.req.param('channel_id')))) throw noSuchChannel()
      return goTo(c, '/bin', 'Deleted for good.')
    })

const rows_of_page = 40
