/** Where downloads stand: a fragment for htmx, JSON for everyone else, from the same data. */
import { Hono } from 'hono'
import { getDownload } from '../domain/downloads.ts'
import { StatusQuery } from '../schema/api.ts'
import { DownloadCell, DownloadCells } from '../views/downloads.tsx'
import { type Env, isFragment } from './context.ts'
import { valid } from './valid.ts'

export const status = new Hono<Env>()

  .get('/', valid('query', StatusQuery), async c => {
    const statuses = await c.var.library.videos.statuses(c.req.valid('query').video_id)
    return isFragment(c) ? c.html(<DownloadCells downloads={statuses} now={new Date()} />) : c.json({ statuses })
  })

  .get('/:video_id', async c => {
    const download = await getDownload(c.var.library, c.req.param('video_id'))
    return isFragment(c) ? c.html(<DownloadCell download={download} now={new Date()} />) : c.json(download)
  })
