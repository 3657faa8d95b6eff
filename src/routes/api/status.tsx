/** Where downloads stand: a fragment for htmx, JSON for everyone else, from the same data; 304 for who knows it already. */
import type { Context } from 'hono'
import { Hono } from 'hono'
import { getDownload } from '../../domain/downloads/downloads.ts'
import { downloadsOverview } from '../../domain/downloads/shelves.ts'
import { PollQuery } from '../../schema/api.ts'
import type { Download } from '../../schema/download.ts'
import { DownloadsMoved, figuresOf } from '../../views/pages/downloads.tsx'
import { DownloadCell } from '../../views/parts/download-cell.tsx'
import { DownloadCells, tagOfCells } from '../../views/parts/polling.tsx'
import { tagOf } from '../../views/parts/tag.ts'
import { type Env, isFragment } from '../middleware/context.ts'
import { valid } from '../middleware/valid.ts'

export const status = (quota_bytes: number | null) =>
  new Hono<Env>()

    .use(async (c, next) => {
      await next()
      c.header('Vary', 'HX-Request', { append: true })
    })

    .get('/', valid('query', PollQuery), async c => {
      const { video_id, known, tally, ...asked } = c.req.valid('query')
      const { library } = c.var
      const statuses = await library.videos.statuses(video_id)
      if (!isFragment(c)) return tagged(c, tagOf(JSON.stringify(statuses)), () => c.json({ statuses }))

      const now = new Date()
      const figures = tally && figuresOf(await library.videos.tally())
      if (figures !== tally) {
        const overview = await downloadsOverview(library, asked, quota_bytes)
        return c.html(<DownloadsMoved overview={overview} now={now} />)
      }
      return tagged(c, `${figures ?? ''}.${tagOfCells(statuses, now)}`, () =>
        c.html(<DownloadCells downloads={statuses} now={now} known={paired(video_id, known)} />),
      )
    })

    .get('/:video_id', async c => {
      const download: Download = await getDownload(c.var.library, c.req.param('video_id'))
      return isFragment(c) ? c.html(<DownloadCell download={download} now={new Date()} />) : c.json(download)
    })

/** Weak, because two answers that say the same need not be the same bytes. */
function tagged(c: Context<Env>, state: string, answer: () => Response | Promise<Response>) {
  const tag = `W/"${state}"`
  c.header('ETag', tag)
  return c.req.header('if-none-match') === tag ? c.body(null, 304) : answer()
}

const paired = (video_ids: string[], tags: string[]) =>
  new Map(video_ids.map((video_id, index) => [video_id, tags[index] ?? '']))
