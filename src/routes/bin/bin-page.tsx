/** The page of what was deleted, with its buttons. Restoring is done by the pages of downloads and channels. */
import { Hono } from 'hono'
import { emptyBin, forgetBinnedChannel, purgeFiles } from '../../domain/downloads/deletions.ts'
import { noSuchChannel, noSuchVideo } from '../../domain/get.ts'
import { type BinLimits, BinQuery } from '../../schema/bin/bin.ts'
import { bytesWords } from '../../schema/values/words.ts'
import type { Files } from '../../store/files.ts'
import { BinPage } from '../../views/bin/bin-page.tsx'
import { goTo } from '../http/answers.tsx'
import type { Env } from '../http/context.ts'
import { pageOf } from '../http/page.ts'
import { valid } from '../http/valid.ts'

export const binPages = (files: Files, bin: BinLimits) =>
  new Hono<Env>()
    .get('/', valid('query', BinQuery), async c => {
      const { cursor } = c.req.valid('query')
      const shown = await c.var.library.bin.page({ hours: bin.hours, limit: rows_of_page, cursor })
      return c.render(<BinPage page={pageOf(c)} shown={shown} />)
    })

    .post('/empty', async c => {
      const bytes = await emptyBin(c.var.library, files)
      return goTo(c, '/bin', `Deleted for good. Freed ${bytesWords(bytes)}.`)
    })

    .post('/videos/:video_id/delete', async c => {
      const video_id = c.req.param('video_id')
      if (!(await c.var.library.bin.restorableUntil(video_id, bin.hours))) throw noSuchVideo()
      const bytes = await purgeFiles(c.var.library, files, [video_id])
      return goTo(c, '/bin', `Deleted for good. Freed ${bytesWords(bytes)}.`)
    })

    .post('/channels/:channel_id/delete', async c => {
      if (!(await forgetBinnedChannel(c.var.library, files, c.req.param('channel_id')))) throw noSuchChannel()
      return goTo(c, '/bin', 'Deleted for good.')
    })

const rows_of_page = 40
