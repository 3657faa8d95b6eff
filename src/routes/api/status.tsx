/**
 * The status of downloads: JSON for programs, fragments for our own pages (htmx), 304 when nothing has changed.
 * The pages' side of this poll is `views/parts/polling.tsx`.
 */
import type { Context } from 'hono'
import { Hono } from 'hono'
import { getDownload } from '../../domain/downloads/downloads.ts'
import { downloadsOverview } from '../../domain/downloads/shelves.ts'
import { Download } from '../../schema/download.ts'
import { PollQuery, StatusQuery } from '../../schema/requests.ts'
import { Statuses } from '../../schema/responses.ts'
import { DownloadsMoved, figuresOf } from '../../views/pages/downloads.tsx'
import { DownloadCell } from '../../views/parts/download-cell.tsx'
import { DownloadCells, tagOfCells } from '../../views/parts/polling.tsx'
import { tagOf } from '../../views/parts/tag.ts'
import { type Env, isFragment } from '../middleware/context.ts'
import { describeRoute, validQuery } from './operation.ts'

const fragment = 'For requests with `HX-Request: true`: part of a page'

export const status = (quota_bytes: number | null) =>
  new Hono<Env>()

    .use('/download/status/*', async (c, next) => {
      await next()
      c.res.headers.append('Vary', 'HX-Request')
    })

    .get(
      '/download/status',
      describeRoute({
        summary: 'Read the status of several downloads',
        // The other fields of `PollQuery` are for our own pages.
        query: StatusQuery,
        responses: {
          200: { description: 'The videos that exist', schema: Statuses, html: fragment },
          304: {
            description: 'Nothing has changed since the response with the `ETag` in `If-None-Match`',
            schema: null,
          },
        },
      }),
      validQuery(PollQuery),
      async c => {
        const { video_id, known, tally, ...shelf } = c.req.valid('query')
        const { library } = c.var
        const statuses = await library.videos.statuses(video_id)
        if (!isFragment(c)) return tagged(c, tagOf(JSON.stringify(statuses)), () => c.json({ statuses }))

        const now = new Date()
        const figures = tally && figuresOf(await library.videos.tally())
        if (figures !== tally) {
          const overview = await downloadsOverview(library, shelf, quota_bytes)
          return c.html(<DownloadsMoved overview={overview} now={now} />)
        }
        return tagged(c, `${figures ?? ''}.${tagOfCells(statuses, now)}`, () =>
          c.html(<DownloadCells downloads={statuses} now={now} known={paired(video_id, known)} />),
        )
      },
    )

    .get(
      '/download/status/:video_id',
      describeRoute({
        summary: 'Read the status of a download',
        responses: { 200: { description: 'The status of the download', schema: Download, html: fragment } },
      }),
      async c => {
        const download: Download = await getDownload(c.var.library, c.req.param('video_id'))
        return isFragment(c) ? c.html(<DownloadCell download={download} now={new Date()} />) : c.json(download)
      },
    )

/** Answers 304 when the client has this state already. The tag is weak: equal states need not be equal bytes. */
function tagged(c: Context<Env>, state: string, answer: () => Response | Promise<Response>) {
  const tag = `W/"${state}"`
  c.header('ETag', tag)
  return c.req.header('if-none-match') === tag ? c.body(null, 304) : answer()
}

const paired = (video_ids: string[], tags: string[]) =>
  new Map(video_ids.map((video_id, index) => [video_id, tags[index] ?? '']))
